import EventLoops
import StrideTestSupport

@testable import TLS

/// Keeps what comes.
///
/// Confined to the loop of its test.
final class Collector: ByteStreamDelegate, @unchecked Sendable {
    private(set) var received: [UInt8] = []
    private(set) var hasEnded = false
    private(set) var closings: [StreamError?] = []
    var onBytes: () -> Void = {}

    func streamReceived(_ bytes: Span<UInt8>) {
        bytes.withUnsafeBufferPointer { received.append(contentsOf: $0) }
        onBytes()
    }
    func streamReceivedEnd() { hasEnded = true }
    func streamDrained() {}
    func streamClosed(_ error: StreamError?) { closings.append(error) }

    var text: String { String(decoding: received, as: UTF8.self) }
}

/// A TLS server on a loop that sends back whatever comes, holding the sender back while the receiver does not read.
///
/// Confined to its loop.
final class EchoServer: @unchecked Sendable {
    let port: UInt16
    let acceptor: TLSAcceptor
    private let listener: TCPListener
    private let record = Record()

    /// What the server has seen.
    final class Record {
        var handshakes: [TLSError?] = []
        var open = 0
        var most = 0
        var largestUnsent = 0
        var last: (any ByteStream)?
    }

    init(
        _ files: TLSServerFiles, loop: EventLoop, reads: Bool = true, below: @escaping (TCPStream) -> Void = { _ in }
    ) throws {
        let record = record
        acceptor = TLSAcceptor(context: try TLSContext(server: files)) { record.handshakes.append($0) }
        guard let address = SocketAddress(ip: "127.0.0.1", port: 0) else { throw Late("no address") }
        listener = try TCPListener(loop: loop, address: address) { [acceptor, record] stream in
            below(stream)
            guard let secured = acceptor.secure(stream) else { return }
            record.last = secured
            record.open += 1
            record.most = max(record.most, record.open)
            secured.delegate = Echo(stream: secured, record: record)
            if reads { secured.resumeReading() }
        }
        port = listener.localAddress.port
    }

    var handshakes: [TLSError?] { record.handshakes }
    var open: Int { record.open }
    var most: Int { record.most }
    var largestUnsent: Int { record.largestUnsent }
    var last: (any ByteStream)? { record.last }

    func close() { listener.close() }

    private final class Echo: ByteStreamDelegate {
        unowned let stream: any ByteStream
        let record: Record
        var endsWhenDrained = false
        init(stream: any ByteStream, record: Record) {
            self.stream = stream
            self.record = record
        }
        func streamReceived(_ bytes: Span<UInt8>) {
            stream.write(bytes.withUnsafeBufferPointer { Array($0) })
            record.largestUnsent = max(record.largestUnsent, stream.unsentBytes)
            if stream.unsentBytes > 1 << 18 { stream.pauseReading() }
        }
        func streamReceivedEnd() { if stream.unsentBytes == 0 { stream.close() } else { endsWhenDrained = true } }
        func streamDrained() { if endsWhenDrained { stream.close() } else { stream.resumeReading() } }
        func streamClosed(_ error: StreamError?) { record.open -= 1 }
    }
}

/// Runs a test's body on a loop of its own, which ends with it.
func onLoop(_ body: @escaping @Sendable (EventLoop) async throws -> Void) async throws {
    let loop = try EventLoop.start(name: "tls-test")
    do {
        try await loop.run { try await body(loop) }
        await loop.stop()
    } catch {
        await loop.stop()
        throw error
    }
}

/// Waits on the loop until something holds, at most a minute.
func eventually(_ loop: EventLoop, _ what: String, _ holds: () -> Bool) async throws {
    let deadline = loop.now.advanced(by: .seconds(60))
    while !holds() {
        guard loop.now < deadline else { throw Late(what) }
        try await loop.sleep(for: .milliseconds(2))
    }
}

/// A plain connection to a port of this machine.
func dial(_ port: UInt16, on loop: EventLoop) async throws -> TCPStream {
    guard let address = SocketAddress(ip: "127.0.0.1", port: port) else { throw Late("no address") }
    return try await TCPStream.connect(to: address, loop: loop, timeout: .seconds(30))
}

/// A protected connection to a port of this machine.
func dial(
    _ port: UInt16, trusting context: TLSContext, name: String = "localhost", on loop: EventLoop,
    scratch: TLSScratch = TLSScratch()
) async throws -> TLSStream {
    try await TLSStream.connect(
        over: dial(port, on: loop), context: context, serverName: name, scratch: scratch, timeout: .seconds(60))
}

/// Why a protected connection is not made; nil when it is.
func refusal(
    _ port: UInt16, trusting context: TLSContext, name: String = "localhost", on loop: EventLoop,
    within patience: Duration = .seconds(60)
) async -> TLSError? {
    do {
        let stream = try await TLSStream.connect(
            over: dial(port, on: loop), context: context, serverName: name, scratch: TLSScratch(), timeout: patience)
        stream.close()
        return nil
    } catch {
        return error as? TLSError
    }
}
