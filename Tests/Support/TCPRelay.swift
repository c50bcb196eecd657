package import EventLoops

/// A relay between a service and PostgreSQL that can lose the answer to COMMIT, lose COMMIT itself, or be away.
///
/// Confined to its loop; the public entries go there by themselves, hence `@unchecked Sendable`.
package final class TCPRelay: @unchecked Sendable {
    /// What becomes of the next COMMIT that passes; afterwards everything passes again.
    package enum Plan: Sendable {
        /// Everything passes.
        case pass
        /// The server commits, its answer is lost, and the connection is reset.
        case loseAnswerToCommit
        /// COMMIT never reaches the server: the connection is reset in its place.
        case loseCommit
    }

    private let loop: EventLoop
    private let server: SocketAddress
    private var listener: TCPListener?
    private var ends: [End] = []
    private var plan = Plan.pass
    private var struck = 0
    private let listening: SocketAddress

    /// The relay's own port.
    package var port: UInt16 { listening.port }

    /// Starts to relay to a port of this machine.
    package static func start(to port: UInt16, on loop: EventLoop) async throws -> TCPRelay {
        try await loop.run { try TCPRelay(to: port, loop) }
    }

    private init(to port: UInt16, _ loop: EventLoop) throws {
        self.loop = loop
        guard let server = SocketAddress(ip: "127.0.0.1", port: port),
            let any = SocketAddress(ip: "127.0.0.1", port: 0)
        else { throw NoAnswer("no address") }
        self.server = server
        let admission = Admission()
        let listener = try TCPListener(loop: loop, address: any) { admission.relay?.accept($0) }
        listening = listener.localAddress
        self.listener = listener
        admission.relay = self
    }

    /// The same connection string through this relay.
    package func url(_ original: String) throws -> String {
        guard let at = original.lastIndex(of: "@"), let slash = original.lastIndex(of: "/"), at < slash else {
            throw TestRun.Missing(description: "a PostgreSQL URL without a host")
        }
        return original[...at] + "127.0.0.1:\(port)" + original[slash...]
    }

    /// Decides about the next COMMIT.
    package func strike(_ plan: Plan) async throws { try await loop.run { self.plan = plan } }

    /// How many COMMITs were struck.
    package func strikes() async throws -> Int { try await loop.run { self.struck } }

    /// Refuses connections and resets those there are.
    package func goAway() async throws {
        try await loop.run {
            self.listener?.close()
            self.listener = nil
            for end in self.ends { end.stream.reset() }
            self.ends = []
        }
    }

    /// Accepts connections again, on the same port.
    package func comeBack() async throws {
        try await loop.run {
            guard self.listener == nil else { return }
            self.listener = try TCPListener(loop: self.loop, address: self.listening) { [weak self] in
                self?.accept($0)
            }
        }
    }

    private final class Admission { weak var relay: TCPRelay? }

    private func accept(_ client: TCPStream) {
        let near = End(client)
        ends.append(near)
        loop.submit {
            guard
                let stream = try? await TCPStream.connect(to: self.server, loop: self.loop, timeout: .seconds(10))
            else { return near.stream.reset() }
            let far = End(stream)
            self.ends.append(far)
            self.join(near, far)
        }
    }

    private func join(_ near: End, _ far: End) {
        var losesAnswers = false
        near.forward = { [weak self] bytes in
            guard let self, hasCommit(bytes) else { return far.stream.write(bytes) }
            switch plan {
            case .pass: break
            case .loseAnswerToCommit: losesAnswers = true
            case .loseCommit:
                struck += 1
                plan = .pass
                near.stream.reset()
                far.stream.reset()
                return
            }
            if losesAnswers { plan = .pass }
            far.stream.write(bytes)
        }
        far.forward = { [weak self] bytes in
            guard losesAnswers else { return near.stream.write(bytes) }
            self?.struck += 1
            near.stream.reset()
            far.stream.close()
        }
        near.onEnd = { far.stream.close() }
        far.onEnd = { near.stream.close() }
        near.stream.resumeReading()
        far.stream.resumeReading()
    }

    /// Whether COMMIT is among the messages: by its text or by the name under which it is prepared.
    private func hasCommit(_ bytes: [UInt8]) -> Bool {
        let word = Array("commit\0".utf8)
        guard bytes.count >= word.count else { return false }
        return (0...(bytes.count - word.count)).contains { start in
            zip(bytes[start...], word).allSatisfy { ($0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0) == $1 }
        }
    }

    /// One side of a relayed connection; confined to the relay's loop, hence `@unchecked Sendable`.
    private final class End: ByteStreamDelegate, @unchecked Sendable {
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
}
