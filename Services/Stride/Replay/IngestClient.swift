import Foundation
import FoundationNetworking

/// Sends batches to ingest.
struct IngestClient: Sendable {
    /// Nobody answered, or not in full; whether the batch was taken is not known.
    struct Unreachable: Error, CustomStringConvertible {
        let description: String
    }

    private let url: URL
    private let session: URLSession

    /// - Parameter base: as in `http://127.0.0.1:8081`; nil when it is no such address.
    init?(base: String) {
        guard let base = URL(string: base), base.host != nil, base.scheme == "http" || base.scheme == "https"
        else { return nil }
        url = base.appendingPathComponent("v1/workouts/batch")
        let configuration = URLSessionConfiguration.ephemeral
        configuration.timeoutIntervalForRequest = 30
        configuration.httpMaximumConnectionsPerHost = 16
        session = URLSession(configuration: configuration)
    }

    /// Posts a batch.
    func post(_ body: [UInt8], token: String) async throws(Unreachable) -> (status: Int, body: [UInt8]) {
        var request = URLRequest(url: url)
        request.httpMethod = "POST"
        request.httpBody = Data(body)
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
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
