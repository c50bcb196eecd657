import EventLoops
import Glibc
import Testing

@testable import Postgres

/// The real server of the run, from `STRIDE_TEST_POSTGRES_URL`; a run without one fails.
///
/// It must be reached over TCP with a password (scram), by a role that may end other sessions.
func serverConfiguration(_ applicationName: String = "stride-tests") throws -> PostgresConfiguration {
    let url = try #require(
        getenv("STRIDE_TEST_POSTGRES_URL").map { String(cString: $0) }, "set STRIDE_TEST_POSTGRES_URL to a test server")
    return try PostgresConfiguration(url: url, applicationName: applicationName)
}

/// Runs a test on a loop of its own, which ends with it.
func onLoop<Value: Sendable>(
    _ body: @escaping @Sendable (EventLoop) async throws -> Value
) async throws -> Value {
    let loop = try EventLoop.start(name: "test")
    do {
        let value = try await loop.run { try await body(loop) }
        await loop.stop()
        return value
    } catch {
        await loop.stop()
        throw error
    }
}

/// Runs a test with one open connection.
func withServer(
    _ body: @escaping @Sendable (PostgresConnection) async throws -> Void
) async throws {
    let configuration = try serverConfiguration()
    try await onLoop { loop in
        let connection = try await PostgresConnection.connect(configuration, loop: loop, timeout: .seconds(20))
        do {
            try await body(connection)
        } catch {
            connection.close()
            throw error
        }
        connection.close()
    }
}

/// The error that something throws; its absence, or another kind of error, is recorded.
func failure<Value>(
    _ comment: Comment = "nothing was thrown", _ body: () async throws -> Value
) async -> PostgresError {
    do {
        _ = try await body()
        Issue.record(comment)
    } catch let error as PostgresError {
        return error
    } catch {
        Issue.record("another error: \(error)")
    }
    return PostgresError(.misuse, "nothing was thrown")
}

/// Waits until something holds, at most ten seconds.
func eventually(
    _ loop: EventLoop, _ comment: Comment, _ holds: () async throws -> Bool
) async throws {
    for _ in 0..<400 {
        if try await holds() { return }
        try await loop.sleep(for: .milliseconds(25))
    }
    Issue.record(comment)
}

extension PostgresConnection {
    /// One number that a statement gives.
    func number(_ sql: String, _ parameters: [PostgresValue] = []) async throws(PostgresError) -> Int64 {
        try await query(PostgresStatement("", sql, parameters), timeout: .seconds(20)).int64(0, 0)
    }

    /// A setting of the session, as the server shows it.
    func setting(_ name: String) async throws(PostgresError) -> String {
        try await query(.simple("SHOW \(name)"), timeout: .seconds(20)).text(0, 0)
    }

    /// Runs statements without results one after the other.
    func run(_ statements: String...) async throws(PostgresError) {
        for sql in statements { _ = try await query(.simple(sql), timeout: .seconds(20)) }
    }
}

/// A TCP relay between a test and the server, which can lose what the server says and cut connections.
///
/// - Note: `@unchecked Sendable`: confined to its loop.
final class Relay: @unchecked Sendable {
    private let loop: EventLoop
    private let server: SocketAddress
    private var listener: TCPListener?
    private var ends: [RelayEnd] = []
    private(set) var port: UInt16 = 0
    /// Whether answers of the server are lost on the way.
    var losesAnswers = false
    /// How many bytes of answers were lost.
    var lostBytes = 0

    init(loop: EventLoop, to configuration: PostgresConfiguration) async throws {
        self.loop = loop
        let host = configuration.hosts[0]
        let addresses = try await resolve(host: host.address ?? host.name, port: host.port, loop: loop)
        server = try #require(addresses.first)
        try open()
    }

    /// Accepts connections, on the same port as before.
    func open() throws {
        let address = try #require(SocketAddress(ip: "127.0.0.1", port: port))
        let listener = try TCPListener(loop: loop, address: address) { [weak self] in self?.accept($0) }
        port = listener.localAddress.port
        self.listener = listener
    }

    /// Refuses connections and cuts those there are.
    func close() {
        listener?.close()
        listener = nil
        cut()
    }

    /// Cuts all connections with a reset.
    func cut() {
        for end in ends { end.stream.reset() }
        ends = []
    }

    /// The same configuration through the relay.
    func configuration(_ original: PostgresConfiguration) -> PostgresConfiguration {
        var configuration = original
        configuration.hosts = [PostgresHost(name: "127.0.0.1", address: "127.0.0.1", port: port)]
        return configuration
    }

    private func accept(_ client: TCPStream) {
        let near = RelayEnd(client)
        ends.append(near)
        loop.submit {
            guard let stream = try? await TCPStream.connect(to: self.server, loop: self.loop, timeout: .seconds(5))
            else { return near.stream.reset() }
            let far = RelayEnd(stream)
            self.ends.append(far)
            near.forward = { far.stream.write($0) }
            near.onEnd = { far.stream.close() }
            far.forward = { bytes in
                if self.losesAnswers { self.lostBytes += bytes.count } else { near.stream.write(bytes) }
            }
            far.onEnd = { near.stream.close() }
            near.stream.resumeReading()
            far.stream.resumeReading()
        }
    }
}

/// One side of a relayed connection.
///
/// - Note: `@unchecked Sendable`: confined to its relay's loop.
private final class RelayEnd: ByteStreamDelegate, @unchecked Sendable {
    let stream: TCPStream
    var forward: ([UInt8]) -> Void = { _ in }
    var onEnd: () -> Void = {}

    init(_ stream: TCPStream) {
        self.stream = stream
        stream.delegate = self
    }

    func streamReceived(_ bytes: Span<UInt8>) {
        var copy: [UInt8] = []
        copy.reserveCapacity(bytes.count)
        for index in bytes.indices { copy.append(bytes[index]) }
        forward(copy)
    }
    func streamReceivedEnd() { onEnd() }
    func streamDrained() {}
    func streamClosed(_ error: StreamError?) {
        onEnd()
        forward = { _ in }
        onEnd = {}
    }
}
