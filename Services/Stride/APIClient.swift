import Foundation
import FoundationNetworking
import Models

/// Calls the API as a phone does.
struct APIClient: Sendable {
    /// Nobody answered, or not in full; whether the call was taken is not known.
    struct Unreachable: Error, CustomStringConvertible {
        let description: String
    }

    private let base: URL
    private let session: URLSession

    /// - Parameter base: as in `http://127.0.0.1:8080`; nil when it is no such address.
    init?(base: String) {
        guard let base = URL(string: base), base.host != nil, base.scheme == "http" || base.scheme == "https"
        else { return nil }
        self.base = base
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 30
        configuration.httpMaximumConnectionsPerHost = 16
        session = URLSession(configuration: configuration)
    }

    /// Posts a batch of workouts.
    func post(_ body: [UInt8], token: String) async throws(Unreachable) -> (status: Int, body: [UInt8]) {
        try await send("POST", "v1/workouts/batch", body, token: token)
    }

    /// Sends one call.
    ///
    /// - Parameter path: without a slash in front; what is special in a path is encoded.
    func send(
        _ method: String, _ path: String, _ body: [UInt8]? = nil, token: String
    ) async throws(Unreachable) -> (status: Int, body: [UInt8]) {
        var request = URLRequest(url: base.appendingPathComponent(path))
        request.httpMethod = method
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
        if let body {
            request.httpBody = Data(body)
            request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        }
        do {
            let (data, response) = try await session.data(for: request)
            guard let response = response as? HTTPURLResponse else { throw Unreachable(description: "no HTTP answer") }
            return (response.statusCode, Array(data))
        } catch let error as Unreachable {
            throw error
        } catch {
            throw Unreachable(description: error.localizedDescription)
        }
    }
}

extension APIClient {
    /// The API said no, or asked too often to come again.
    struct Refused: Error, CustomStringConvertible {
        let description: String
    }

    /// Sends a call that may be repeated, until there is an answer other than to come again, and reads its document.
    func document(
        _ method: String, _ path: String, _ body: [UInt8]? = nil, token: String, attempts: Int = 10
    ) async throws -> JSONValue {
        var attempt = 1
        while true {
            let (status, answer) = try await send(method, path, body, token: token)
            let document = (try? JSONValue.parse(answer)) ?? .null
            if (200..<300).contains(status) { return document }
            guard status == 429 || status == 503, attempt < attempts else {
                throw Refused(description: "\(method) /\(path) was answered with \(status): \(document.detail)")
            }
            attempt += 1
            try await Task.sleep(for: .milliseconds(min(max(document.wait, 50), 5000)))
        }
    }
}

extension JSONValue {
    fileprivate var detail: String {
        if case .string(let text)? = self[member: "detail"] { text } else { "no detail" }
    }

    fileprivate var wait: Int64 {
        if case .number(let number)? = self[member: "retry_after_ms"] { number.exactInteger ?? 1000 } else { 1000 }
    }
}
