import EventLoops
import Synchronization

@testable import HTTP

/// Feeds connections of a server without sockets, and writes down what each answered and ran.
///
/// Confined to the loop of its server.
final class ConnectionDriver: @unchecked Sendable {
    /// What became of the bytes of one connection.
    struct Outcome: Equatable {
        /// Each answer: status, `Connection`, and the body where a handler made it.
        var answers: [String] = []
        /// What the handlers were given.
        var calls: [String] = []
        /// Whether the connection ended once its client had.
        var hasEnded = false
    }

    private final class Calls: Sendable {
        private let list = Mutex<[String]>([])
        func note(_ request: HTTPRequest) {
            list.withLock { $0.append("\(request.method) \(request.path.raw) \(request.body)") }
        }
        func take() -> [String] {
            list.withLock { list in
                defer { list = [] }
                return list
            }
        }
    }

    private let calls: Calls
    private let server: HTTPServer

    /// In the loop only.
    init(loop: EventLoop) throws {
        let calls = Calls()
        self.calls = calls
        let routes = TestAPI.table.prefix(2).flatMap { path, methods in
            methods.map { method in
                HTTPRoute(method, path, takesJSON: method == .post) { request, _ in
                    calls.note(request)
                    return HTTPResponse(status: 200, contentType: "application/json", body: Array(#""ran""#.utf8))
                }
            }
        }
        let table = TestAPI.table.prefix(2).map { $0 }
        server = try HTTPServer(
            loop: loop, address: TestAPI.loopback,
            router: HTTPRouter(api: table, routes: routes, refusals: TestAPI.render))
    }

    /// Lets bytes come in pieces; between them handlers may run and answers leave, as the random numbers say.
    ///
    /// The client ends behind the last byte. A connection that has not ended 100 000 turns later hangs.
    func outcome(of bytes: [UInt8], pieces: [Int], _ random: inout some RandomNumberGenerator) async -> Outcome {
        let stream = MemoryStream(loop: server.loop)
        stream.holdsBack = Bool.random(using: &random)
        let connection = HTTPConnection(server: server, stream: stream, peer: nil)
        connection.start()
        var (start, piece) = (0, 0)
        while await isReading(stream), start < bytes.count {
            let end = min(bytes.count, start + max(1, pieces[min(piece, pieces.count - 1)]))
            let input = Array(bytes[start..<end])
            (start, piece) = (end, piece + 1)
            connection.streamReceived(input.span)
            if Bool.random(using: &random) { stream.flush() }
            if Bool.random(using: &random) { await Task.yield() }
        }
        if !stream.isClosed { connection.streamReceivedEnd() }
        var turns = 0
        while !stream.isClosed, turns < 100_000 {
            stream.flush()
            await Task.yield()
            turns += 1
        }
        let hasEnded = stream.isClosed
        connection.streamClosed(nil)
        return Outcome(answers: Self.answers(in: stream.written), calls: calls.take(), hasEnded: hasEnded)
    }

    private func isReading(_ stream: MemoryStream) async -> Bool {
        var turns = 0
        while stream.isPaused, !stream.isClosed, turns < 100_000 {
            stream.flush()
            await Task.yield()
            turns += 1
        }
        return !stream.isPaused && !stream.isClosed
    }

    private static func answers(in bytes: [UInt8]) -> [String] {
        RawResponse.all(in: String(decoding: bytes, as: UTF8.self)).map {
            "\($0.status) \($0["Connection"] ?? "-") \($0.status == 200 ? $0.body : "")"
        }
    }

    func drain() async { await server.drain(timeout: .seconds(2)) }
}
