package import EventLoops

/// A relay between a client and a server, which can lose what either says, keep it back, be away, or lead elsewhere.
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

    let loop: EventLoop
    private var server: SocketAddress
    private var listener: TCPListener?
    var ends: [End] = []
    var plan = Plan.pass
    var struck = 0
    var losesAnswers = false
    var lost = 0
    var isHolding = false
    var held: [() -> Void] = []
    var weather = Weather.clear
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

    /// Loses whatever the server says from now on.
    package func loseAnswers() async throws { try await loop.run { self.losesAnswers = true } }

    /// How many bytes of answers were lost that way.
    package func lostBytes() async throws -> Int { try await loop.run { self.lost } }

    /// Keeps back what clients say from now on, as a client that is paused before it writes.
    package func hold() async throws { try await loop.run { self.isHolding = true } }

    /// How many pieces are kept back.
    package func heldPieces() async throws -> Int { try await loop.run { self.held.count } }

    /// Lets what was kept back go on, in its order, and everything after it.
    package func release() async throws {
        try await loop.run {
            self.isHolding = false
            let held = self.held
            self.held = []
            for send in held { send() }
        }
    }

    /// Resets all connections; new ones are accepted.
    package func cut() async throws {
        try await loop.run {
            for end in self.ends { end.stream.reset() }
            self.ends = []
        }
    }

    /// Refuses connections and resets those there are.
    package func goAway() async throws {
        try await loop.run {
            self.listener?.close()
            self.listener = nil
        }
        try await cut()
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

    /// Leads to another port of this machine from now on; connections to the former one are reset.
    package func redirect(to port: UInt16) async throws {
        try await loop.run {
            guard let server = SocketAddress(ip: "127.0.0.1", port: port) else { throw NoAnswer("no address") }
            self.server = server
        }
        try await cut()
    }

    final class Admission { weak var relay: TCPRelay? }

    private func accept(_ client: TCPStream) {
        let near = End(client)
        ends.append(near)
        loop.submit {
            guard
                let stream = try? await TCPStream.connect(to: self.server, loop: self.loop, timeout: .seconds(10))
            else { return near.stream.reset() }
            let far = End(stream, isOfServer: true)
            self.ends.append(far)
            self.join(near, far)
        }
    }
}
