import EventLoops

struct NoSuchAddress: Error {}

func loopback(_ port: UInt16) throws -> SocketAddress {
    guard let address = SocketAddress(ip: "127.0.0.1", port: port) else { throw NoSuchAddress() }
    return address
}

/// Streams that a test's listener has accepted.
///
/// Confined to the loop of its test.
final class Accepted { var streams: [TCPStream] = [] }

/// Sends back whatever comes, holding the sender back while the receiver does not read.
final class EchoServer {
    private let accepted = Accepted()
    private let listener: TCPListener
    var address: SocketAddress { listener.localAddress }

    init(loop: EventLoop) throws {
        listener = try TCPListener(loop: loop, address: loopback(0)) { [accepted] stream in
            accepted.streams.append(stream)
            stream.delegate = Echo(stream: stream)
            stream.resumeReading()
        }
    }

    func close() { listener.close() }

    private final class Echo: ByteStreamDelegate {
        unowned let stream: TCPStream
        init(stream: TCPStream) { self.stream = stream }
        func streamReceived(_ bytes: Span<UInt8>) {
            stream.write(bytes.withUnsafeBufferPointer { Array($0) })
            if stream.unsentBytes > 1 << 20 { stream.pauseReading() }
        }
        func streamReceivedEnd() { stream.shutdownWriting() }
        func streamDrained() { stream.resumeReading() }
        func streamClosed(_ error: StreamError?) {}
    }
}

/// Keeps what comes.
///
/// Confined to the loop of its test.
final class Collector: ByteStreamDelegate {
    private let loop: EventLoop
    private(set) var received: [UInt8] = []
    private(set) var closings: [StreamError?] = []
    private var hasEnded = false

    init(loop: EventLoop) { self.loop = loop }
    func streamReceived(_ bytes: Span<UInt8>) { bytes.withUnsafeBufferPointer { received.append(contentsOf: $0) } }
    func streamReceivedEnd() { hasEnded = true }
    func streamDrained() {}
    func streamClosed(_ error: StreamError?) { closings.append(error) }

    func waitForEnd() async throws { while !hasEnded { try await loop.sleep(for: .milliseconds(1)) } }
    func waitForClose() async throws { while closings.isEmpty { try await loop.sleep(for: .milliseconds(1)) } }
}
