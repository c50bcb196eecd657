import Dispatch
import EventLoops
import HTTP
import Synchronization

/// A server on its own loop with a handful of routes, and a record of what its handlers were given.
final class TestServer: Sendable {
    let loop: EventLoop
    let server: HTTPServer
    let record: Record

    var port: UInt16 { server.localAddress.port }

    private init(loop: EventLoop, server: HTTPServer, record: Record) {
        self.loop = loop
        self.server = server
        self.record = record
    }

    /// Starts one, lets the test use it, drains it and stops its loop.
    static func run(
        limits: HTTPLimits = .quick, amend: HTTPRouter.Amendment? = nil,
        _ test: @escaping @Sendable (TestServer) async throws -> Void
    ) async throws {
        let loop = try EventLoop.start(name: "http-test")
        let record = Record()
        let router = TestAPI.router(loop: loop, record: record, amend: amend)
        let server = try await loop.run {
            try HTTPServer(
                loop: loop, address: TestAPI.loopback, router: router, limits: limits, observer: record)
        }
        let running = TestServer(loop: loop, server: server, record: record)
        do {
            try await test(running)
        } catch {
            await server.drain(timeout: .milliseconds(200))
            await loop.stop()
            throw error
        }
        await server.drain(timeout: .seconds(2))
        await loop.stop()
    }

    /// Sends bytes on a new connection and returns everything that came until the server closed it.
    func exchange(_ bytes: [UInt8], endWriting: Bool = false) async throws -> String? {
        try await offLoop { [port] in
            let client = try RawClient(port: port)
            client.send(bytes)
            if endWriting { client.endWriting() }
            return client.receiveAll()
        }
    }

    func exchange(_ text: String, endWriting: Bool = false) async throws -> String? {
        try await exchange(Array(text.utf8), endWriting: endWriting)
    }

    /// The responses to a text after which the server closes.
    func responses(to text: String, withoutBody: Set<Int> = []) async throws -> [RawResponse] {
        RawResponse.all(in: try await exchange(text) ?? "", withoutBody: withoutBody)
    }
}

/// Runs blocking socket calls on a thread of their own, so that they hold up neither a loop nor another test.
func offLoop<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
    try await withCheckedThrowingContinuation { continuation in
        DispatchQueue(label: "client").async { continuation.resume(with: Swift.Result { try body() }) }
    }
}

extension HTTPLimits {
    /// The defaults with waits that suit a test.
    static var quick: HTTPLimits {
        var limits = HTTPLimits()
        limits.drainGrace = .milliseconds(50)
        limits.lingerTimeout = .milliseconds(500)
        return limits
    }
}

/// What handlers and the observer saw.
final class Record: HTTPObserver {
    struct State {
        var calls: [String] = []
        var bodies: [[UInt8]] = []
        var exchanges: [HTTPExchange] = []
        var inFlight = 0
        var pieces = 0
        var isReleased = false
    }

    private let state = Mutex(State())

    var calls: [String] { state.withLock { $0.calls } }
    var bodies: [[UInt8]] { state.withLock { $0.bodies } }
    var exchanges: [HTTPExchange] { state.withLock { $0.exchanges } }
    /// The exchanges, once there are so many: the last is told after its client has seen the end.
    func exchanges(awaiting count: Int) async throws -> [HTTPExchange] {
        for _ in 0..<6000 where exchanges.count < count { try await Task.sleep(for: .milliseconds(10)) }
        return exchanges
    }
    /// How many pieces of streams were asked for.
    var pieces: Int { state.withLock { $0.pieces } }
    var inFlight: Int { state.withLock { $0.inFlight } }

    /// Whether a request to `/held` may be answered.
    var isReleased: Bool { state.withLock { $0.isReleased } }

    func release() { state.withLock { $0.isReleased = true } }

    func note(_ request: HTTPRequest) {
        state.withLock {
            $0.calls.append("\(request.method) \(request.path.raw)")
            $0.bodies.append(request.body)
        }
    }

    func notePiece() -> Int {
        state.withLock {
            $0.pieces += 1
            return $0.pieces
        }
    }

    func requestStarted() {
        state.withLock { $0.inFlight += 1 }
    }

    func requestFinished(_ exchange: HTTPExchange) {
        state.withLock {
            $0.inFlight -= 1
            $0.exchanges.append(exchange)
        }
    }
}
