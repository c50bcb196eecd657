import Cryptography
import Foundation
package import Models
import ServiceKit

/// The secret with which tokens are signed and checked in one suite, in a file as services read it.
package struct TestTokens: Sendable {
    /// Where services find the secret.
    package let file: String
    /// The issuer; each suite has its own, so that users of two suites never meet.
    package let issuer: String
    /// The audience.
    package let audience = "stride-test"
    private let secret: String

    /// Writes a secret into a folder.
    package init(in folder: TestFolder, issuer: String) throws {
        secret = Self.randomSecret()
        file = folder.path + "/token-secret"
        self.issuer = issuer
        try folder.write("token-secret", secret + "\n")
    }

    /// 64 random characters.
    package static func randomSecret() -> String {
        (0..<4).map { _ in
            let digits = String(UInt64.random(in: 0...UInt64.max), radix: 16)
            return String(repeating: "0", count: 16 - digits.count) + digits
        }.joined()
    }

    /// A token that is good from 2001, or from another second, until the time given, with this suite's secret or another.
    package func token(
        for name: String, scopes: [String] = [], issued: Int = 978_307_200, expires: Int = 4_102_444_800,
        secret: String? = nil, issuer: String? = nil, audience: String? = nil
    ) throws -> String {
        let policy = TokenPolicy(issuer: issuer ?? self.issuer, audience: audience ?? self.audience)
        guard let key = TokenKey(secret: Secret(secret ?? self.secret)),
            let signer = TokenSigner(key: key, policy: policy)
        else { throw TestRun.Missing(description: "a secret that is too short") }
        return try signer.sign(
            subject: name, scopes: scopes, issuedAt: Timestamp(milliseconds: Int64(issued) * 1000),
            expiresAt: Timestamp(milliseconds: Int64(expires) * 1000))
    }

    /// The user whom a token of this name means.
    package func user(_ name: String) throws -> UserID { try Principal.userID(issuer: issuer, subject: name) }
}

/// One user with a token, a client and a server to talk to.
package struct Phone: Sendable {
    /// The user.
    package let user: UserID
    /// The bearer token.
    package var token: String
    /// The ports of the ingest processes; calls name one by its place.
    package var ports: [UInt16]
    private let client: HTTPClient

    /// Signs a user in.
    package init(user: UserID, token: String, ports: [UInt16], client: HTTPClient) {
        self.user = user
        self.token = token
        self.ports = ports
        self.client = client
    }

    /// Sends a request with the token.
    package func send(
        _ method: String, _ path: String, body: [UInt8]? = nil, fields: [(name: String, value: String)] = [],
        via place: Int = 0
    ) async throws -> HTTPAnswer {
        try await client.send(call(method, path, body: body, fields: fields), to: ports[place % ports.count])
    }

    /// A request with the token, and the media type of its body.
    package func call(
        _ method: String, _ path: String, body: [UInt8]? = nil, fields: [(name: String, value: String)] = []
    ) -> HTTPCall {
        var call = HTTPCall(method, path, fields: [("Authorization", "Bearer \(token)")] + fields, body: body)
        if body != nil, !fields.contains(where: { $0.name.lowercased() == "content-type" }) {
            call.fields.append(("Content-Type", "application/json"))
        }
        return call
    }

    /// Sends one workout.
    package func post(_ workout: JSON, via place: Int = 0) async throws -> HTTPAnswer {
        try await send("POST", "/v1/workouts", body: Array(workout.text.utf8), via: place)
    }

    /// Sends a batch.
    package func postBatch(_ workouts: [JSON], via place: Int = 0) async throws -> HTTPAnswer {
        let body = JSON.object(["workouts": .array(workouts)])
        return try await send("POST", "/v1/workouts/batch", body: Array(body.text.utf8), via: place)
    }

    /// Deletes a workout.
    package func delete(_ workoutID: Int, via place: Int = 0) async throws -> HTTPAnswer {
        try await send("DELETE", "/v1/workouts/\(workoutID)", via: place)
    }
}

/// A workout as a phone writes it.
///
/// - Parameters:
///   - start: local time or UTC with an offset, `2025-06-01T08:00:00Z`.
///   - zone: left out when nil.
package func workout(
    _ id: String = newRequestID(), from start: String, to end: String, steps: Int = 0, metres: JSON = 0,
    zone: String? = nil, status: String? = nil, device: String? = nil
) -> JSON {
    var members: [String: JSON] = [
        "requestId": .string(id), "start_time": .int(instant(start)), "end_time": .int(instant(end)),
        "steps": .int(steps), "distance": metres,
    ]
    if let zone { members["time_zone"] = .string(zone) }
    if let status { members["status"] = .string(status) }
    if let device { members["device_id"] = .string(device) }
    return .object(members)
}

/// A random UUID in lower case.
package func newRequestID() -> String { UUID().uuidString.lowercased() }

/// Milliseconds since 1970 of a text such as `2025-06-01T08:00:00Z` or `2025-06-01T08:00:00+02:00`; 0 when it is none,
/// which no workout may have.
package func instant(_ text: String) -> Int {
    guard let date = try? Date(text, strategy: .iso8601) else { return 0 }
    return Int((date.timeIntervalSince1970 * 1000).rounded())
}
