import Foundation
import ServiceKit
import StrideTestSupport
import Testing

/// Who asks: the one answer to every missing or bad token, and secrets that are replaced while the service runs.
@Suite(.serialized) struct TokenTests {
    private static let walk = workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 1)

    @Test("Every missing or bad token is the same 401 on every route, and nothing is written or counted")
    func refused() async throws {
        try await Stand.run { stand in
            let tokens = stand.stores.tokens
            let good = try tokens.token(for: "walker")
            let parts = good.split(separator: ".")
            let now = instant(InProcessIngest.now) / 1000
            let fields: [String?] = [
                nil, "", "Bearer", "Bearer ", "Basic d2Fsa2VyOng=", good, "Bearer x", "Bearer \(good)x",
                "Bearer \(good) ", "Bearer \(parts[0]).\(parts[1]).", "Bearer \(parts[0]).\(parts[1])",
                "Bearer \(try tokens.token(for: "walker", secret: TestTokens.randomSecret()))",
                "Bearer \(try tokens.token(for: "walker", issuer: "someone-else"))",
                "Bearer \(try tokens.token(for: "walker", audience: "other"))",
                "Bearer \(try tokens.token(for: "walker", expires: now))",
                "Bearer \(try tokens.token(for: ""))",
                "Bearer \(try tokens.token(for: String(repeating: "u", count: 129)))",
                "Bearer \(String(repeating: "a", count: 9000))",
            ]
            let body = Array(Self.walk.text.utf8)
            var problems: Set<JSON> = []
            for field in fields {
                for (method, path) in [
                    ("POST", "/v1/workouts"), ("POST", "/v1/workouts/batch"), ("DELETE", "/v1/workouts/1"),
                ] {
                    var call = HTTPCall(method, path, body: method == "POST" ? body : nil)
                    call.fields = [("Content-Type", "application/json")]
                    if let field { call.fields.append(("Authorization", field)) }
                    let answer = try await stand.stores.client.send(call, to: stand.ingest.port)
                    // White space around a value is not part of it, so this one is good.
                    if field == "Bearer \(good) " {
                        #expect(answer.status != 401)
                        continue
                    }
                    #expect(answer.status == 401, "\(field ?? "no field")")
                    #expect(answer["WWW-Authenticate"] == "Bearer realm=\"stride\"")
                    #expect(answer["Content-Type"] == "application/problem+json")
                    #expect(answer["RateLimit"] == nil)
                    problems.insert(answer.json.without("instance"))
                }
            }
            #expect(problems.count == 1)
            #expect(problems.first?["code"] == "UNAUTHENTICATED")
            // Only the one with white space around it came in.
            #expect(try await stand.stores.database.number("select count(*) from workouts") == 1)
        }
    }

    @Test("A token counts up to the second of its expiry, and the scheme's case does not matter")
    func expiry() async throws {
        try await Stand.run { stand in
            let now = instant(InProcessIngest.now) / 1000
            var phone = try stand.phone("walker")
            phone.token = try stand.stores.tokens.token(for: "walker", expires: now + 1)
            #expect(try await phone.post(Self.walk).status == 201)
            for scheme in ["bearer", "BEARER", "bEaReR"] {
                var call = HTTPCall("POST", "/v1/workouts", body: Array(Self.walk.text.utf8))
                call.fields = [("Content-Type", "application/json"), ("Authorization", "\(scheme) \(phone.token)")]
                #expect(try await stand.stores.client.send(call, to: stand.ingest.port).status == 200)
            }
        }
    }

    @Test("S2: a secret that is added works beside the old one; one that is replaced stops working within a second")
    func secretReplaced() async throws {
        try await Stand.run { stand in
            let stores = stand.stores
            let secret = TestTokens.randomSecret()
            var (old, new) = (try stand.phone("walker"), try stand.phone("walker"))
            new.token = try stores.tokens.token(for: "walker", secret: secret)
            old.token = try stores.tokens.token(for: "walker")
            #expect(try await old.post(Self.walk).status == 201)
            #expect(try await new.post(Self.walk).status == 401)
            let first = try #require(readFirstLine(stores.tokens.file))
            try stores.folder.write("token-secret", "\(first)\n\(secret)\n")
            try await eventually("the new secret works", within: .seconds(20)) {
                try await new.post(Self.walk).status == 200
            }
            #expect(try await old.post(Self.walk).status == 200)
            try stores.folder.write("token-secret", "\(secret)\n")
            let clock = ContinuousClock()
            let begin = clock.now
            try await eventually("the old token stops working", within: .seconds(20), every: .milliseconds(10)) {
                try await old.post(Self.walk).status == 401
            }
            // 0.3 s between two looks; the rest is for a busy machine.
            #expect(clock.now - begin < .seconds(3))
            #expect(try await new.post(Self.walk).status == 200)
        }
    }

    @Test("S1: Forged tokens of each algorithm are the same 401, and nothing is written; a good one is taken")
    func forged() async throws {
        let folder = try TestFolder()
        let file = folder.path + "/jwks.json"
        try folder.write("jwks.json", Self.issuer(nil).keySet())
        try await Stand.run(settings: ["STRIDE_TOKEN_JWKS_FILE": file]) { stand in
            let issuer = try Self.issuer(stand)
            var problems: Set<JSON> = []
            var phone = try stand.phone("u1")
            for algorithm in TestKeyPair.Algorithm.allCases {
                // A line feed would end the field before any token is looked at.
                let forged = try issuer.forgedTokens(algorithm).filter { !$0.token.contains("\n") }
                #expect(forged.count >= 70)
                for row in forged {
                    phone.token = row.token
                    let answer = try await phone.post(Self.walk)
                    #expect(answer.status == 401, "\(algorithm): \(row.name)")
                    #expect(answer["WWW-Authenticate"] == "Bearer realm=\"stride\"")
                    problems.insert(answer.json.without("instance"))
                }
                #expect(try await stand.stores.database.number("select count(*) from workouts") == 0)
            }
            #expect(problems.count == 1)
            #expect(problems.first?["code"] == "UNAUTHENTICATED")
            // All algorithms mean the same user, so the workout is there from the second on.
            for (algorithm, status) in zip(TestKeyPair.Algorithm.allCases, [201, 200, 200]) {
                phone.token = try issuer.token(algorithm)
                #expect(try await phone.post(Self.walk).status == status, "\(algorithm)")
            }
        }
    }

    @Test("S2: a key that joins a key set works beside the old one; one that leaves it stops working within a second")
    func keySetReplaced() async throws {
        let folder = try TestFolder()
        try folder.write("jwks.json", Self.issuer(nil).keySet([.rs256]))
        try await Stand.run(settings: ["STRIDE_TOKEN_JWKS_FILE": folder.path + "/jwks.json"]) { stand in
            let issuer = try Self.issuer(stand)
            var (old, new) = (try stand.phone("u1"), try stand.phone("u1"))
            old.token = try issuer.token(.rs256)
            new.token = try issuer.token(.es256)
            #expect(try await old.post(Self.walk).status == 201)
            #expect(try await new.post(Self.walk).status == 401)
            try folder.write("jwks.json", issuer.keySet([.rs256, .es256]))
            try await eventually("the new key works", within: .seconds(20)) {
                try await new.post(Self.walk).status == 200
            }
            #expect(try await old.post(Self.walk).status == 200)
            try folder.write("jwks.json", issuer.keySet([.es256]))
            let clock = ContinuousClock()
            let begin = clock.now
            try await eventually("the old token stops working", within: .seconds(20), every: .milliseconds(10)) {
                try await old.post(Self.walk).status == 401
            }
            // 0.3 s between two looks; the rest is for a busy machine.
            #expect(clock.now - begin < .seconds(3))
            #expect(try await new.post(Self.walk).status == 200)
        }
    }

    @Test("A service may have a key set alone, and then takes no shared secret")
    func keySetAlone() async throws {
        let folder = try TestFolder()
        try folder.write("jwks.json", Self.issuer(nil).keySet())
        try await Stand.run { stand in
            let alone = try await InProcessIngest.start(
                stand.stores,
                settings: ["STRIDE_TOKEN_SECRET_FILE": "", "STRIDE_TOKEN_JWKS_FILE": folder.path + "/jwks.json"])
            var phone = try stand.phone("u1")
            phone.ports = [alone.port]
            #expect(try await phone.post(Self.walk).status == 401)
            phone.token = try Self.issuer(stand).token(.edDSA)
            #expect(try await phone.post(Self.walk).status == 201)
            await alone.stop()
        }
    }

    /// An issuer whose tokens a stand's services accept; without a stand one that only has keys.
    private static func issuer(_ stand: Stand?) throws -> TestIssuer {
        let policy = TokenPolicy(
            issuer: stand?.stores.tokens.issuer ?? "", audience: stand?.stores.tokens.audience ?? "")
        return try TestIssuer(policy: policy, now: instant(InProcessIngest.now) / 1000)
    }
}

private func readFirstLine(_ path: String) -> String? {
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    return text.split(separator: "\n").first.map(String.init)
}
