import EventLoops
import Redis

/// A TCP server on the test's own loop that answers what a test tells it to.
///
/// Confined to the loop: made, called and stopped there; `Sendable` only so that delayed answers may name it.
final class FakeRedis: @unchecked Sendable {
    typealias Handler = (_ command: [String], _ connection: FakeConnection) -> Void

    private let loop: EventLoop
    private var listener: TCPListener?
    private(set) var connections: [FakeConnection] = []
    let address: SocketAddress
    /// Answers everything but the handshake.
    var handler: Handler
    /// Answers the handshake: `OK` to everything, and a digest to `SCRIPT LOAD`.
    var handshake: Handler = { command, connection in
        connection.reply(command.prefix(2) == ["SCRIPT", "LOAD"] ? "$3\r\nsha\r\n" : "+OK\r\n")
    }

    init(loop: EventLoop, port: UInt16 = 0, handler: @escaping Handler) throws {
        self.loop = loop
        self.handler = handler
        guard let wanted = SocketAddress(ip: "127.0.0.1", port: port) else { throw FakeRedisError() }
        var accept: (TCPStream) -> Void = { _ in }
        let listener = try TCPListener(loop: loop, address: wanted) { accept($0) }
        self.listener = listener
        address = listener.localAddress
        accept = { [weak self] stream in
            guard let self else { return stream.close() }
            connections.append(FakeConnection(stream: stream, server: self))
        }
    }

    /// Ends everything, so that the next attempt to connect is refused.
    func stop() {
        listener?.close()
        listener = nil
        for connection in connections { connection.close() }
    }

    fileprivate func answer(_ command: [String], on connection: FakeConnection) {
        switch command.first {
        case "AUTH", "SELECT", "CLIENT", "SCRIPT": handshake(command, connection)
        default: handler(command, connection)
        }
    }

    func configuration() -> RedisConfiguration { .patient(host: address.ip, port: address.port) }
}

struct FakeRedisError: Error {}

/// One accepted connection; keeps the order of its answers whatever their delays, as Redis does.
final class FakeConnection: ByteStreamDelegate, @unchecked Sendable {
    private let stream: TCPStream
    private weak var server: FakeRedis?
    private let reader: RESPReader?
    private var answers: [(bytes: [UInt8], delay: Duration)] = []
    private var isAnswering = false
    private(set) var isClosed = false
    private(set) var commands: [[String]] = []

    fileprivate init(stream: TCPStream, server: FakeRedis) {
        self.stream = stream
        self.server = server
        reader = try? RESPReader()
        stream.delegate = self
        stream.resumeReading()
    }

    func reply(_ text: String) { answer(Array(text.utf8), after: .zero) }

    func reply(_ value: RESPValue, after delay: Duration = .zero) { answer(RESPText.bytes(value), after: delay) }

    /// Answers after everything that was delayed before, plus `delay`.
    private func answer(_ bytes: [UInt8], after delay: Duration) {
        guard isAnswering || delay > .zero else { return stream.write(bytes) }
        answers.append((bytes, delay))
        guard !isAnswering else { return }
        isAnswering = true
        stream.loop.submit { await self.answerDelayed() }
    }

    func close() {
        isClosed = true
        stream.close()
    }

    func reset() {
        isClosed = true
        stream.reset()
    }

    private func answerDelayed() async {
        while !answers.isEmpty {
            let next = answers.removeFirst()
            if next.delay > .zero { try? await stream.loop.sleep(for: next.delay) }
            if !isClosed { stream.write(next.bytes) }
        }
        isAnswering = false
    }

    func streamReceived(_ bytes: Span<UInt8>) {
        try? reader?.read(bytes) { value in
            let command = value.elements?.map { $0.text ?? "" } ?? []
            commands.append(command)
            server?.answer(command, on: self)
        }
    }

    func streamReceivedEnd() { close() }
    func streamDrained() {}
    func streamClosed(_ error: StreamError?) { isClosed = true }
}
