internal import EventLoops

/// `ingest --health` and `ingest --ready`: a process that asks the service beside it, for those who run a command instead of calling a port.
///
/// So an image needs no other program to be watched. It asks the admin listener, as a probe would, and knows its port only from
/// the environment: nothing else of the service is read, no secret is needed.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class HealthCheck: ByteStreamDelegate, @unchecked Sendable {
    /// What an argument asks for; nil for an argument that asks nothing.
    static func path(for argument: String?) -> String? {
        switch argument {
        case "--health": "/livez"
        case "--ready": "/readyz"
        default: nil
        }
    }

    /// Asks, and tells whether the answer is 200.
    ///
    /// - Parameters:
    ///   - name: `ingest`; its port stands in `STRIDE_INGEST_ADMIN_PORT`.
    ///   - patience: above the second that a loop has to show that it turns.
    static func passes(
        _ path: String, name: String, _ settings: inout Settings, within patience: Duration = .seconds(3)
    ) async throws -> Bool {
        let port = settings.integer("STRIDE_\(name.uppercased())_ADMIN_PORT", default: 0, in: 1...65_535)
        if port == 0 { settings.refuse("STRIDE_\(name.uppercased())_ADMIN_PORT is missing") }
        let bind = settings.text("STRIDE_BIND", default: "127.0.0.1")
        let wildcards = ["0.0.0.0": "127.0.0.1", "::": "::1"]
        let address = SocketAddress(ip: wildcards[bind] ?? bind, port: UInt16(port))
        if address == nil { settings.refuse("STRIDE_BIND must be a numeric address") }
        try settings.finish()
        guard let address else { return false }

        let loop = try EventLoop.start(name: "\(name)-health")
        let answer = try? await loop.run {
            let stream = try await TCPStream.connect(to: address, loop: loop, timeout: patience)
            return await HealthCheck(stream).ask(path, within: patience)
        }
        await loop.stop()
        return (answer ?? []).starts(with: "HTTP/1.1 200 ".utf8)
    }

    private let stream: TCPStream
    private var answer: [UInt8] = []
    private var waiter: CheckedContinuation<Void, Never>?

    private init(_ stream: TCPStream) {
        self.stream = stream
        stream.delegate = self
    }

    /// What has come until the other side closed, or until the time was up.
    private func ask(_ path: String, within patience: Duration) async -> [UInt8] {
        let timer = LoopTimer(loop: stream.loop) { self.stream.close() }
        timer.schedule(after: patience)
        stream.write(Array("GET \(path) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n".utf8))
        stream.resumeReading()
        await withCheckedContinuation { waiter = $0 }
        timer.close()
        return answer
    }

    func streamReceived(_ bytes: Span<UInt8>) {
        for index in bytes.indices { answer.append(bytes[index]) }
    }

    func streamReceivedEnd() { stream.close() }

    func streamDrained() {}

    func streamClosed(_ error: StreamError?) {
        waiter?.resume()
        waiter = nil
    }
}
