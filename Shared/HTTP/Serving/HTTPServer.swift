package import EventLoops
internal import Glibc

/// An HTTP/1.1 server on one loop (RFC 9112).
///
/// Each loop has its own server with its own listening socket, so a request is read, handled and answered on one thread:
/// no lock, no hop. A handler runs as one task per request; when its client has gone, it finishes and its answer is dropped.
///
/// Confined to `loop`: everything but ``drain(timeout:)``, ``loop``, ``localAddress`` and ``limits`` is called there, checked by
/// `preconditionInLoop`; hence `@unchecked Sendable`.
package final class HTTPServer: @unchecked Sendable {
    /// Where the server runs.
    package let loop: EventLoop
    /// What it takes from clients.
    package let limits: HTTPLimits
    /// The bound address, with the real port when 0 was asked for.
    package let localAddress: SocketAddress

    let router: HTTPRouter
    private let observer: any HTTPObserver
    private let listener: TCPListener
    private let secure: ((TCPStream) -> (any ByteStream)?)?
    private let admission = Admission()
    private var date = HTTPDate()
    private var connections: [ObjectIdentifier: HTTPConnection] = [:]
    private var requestsInFlight = 0
    private var drainWaiters: [CheckedContinuation<Void, Never>] = []
    private var isDraining = false
    private var drainTimer: LoopTimer?

    /// The listener's way to the server, which is made after it.
    private final class Admission {
        weak var server: HTTPServer?
    }

    /// Binds, listens and serves.
    ///
    /// In the loop only. The owner keeps the server until it has drained; dropping it earlier leaves the socket open.
    /// Errors: `EventLoopError` when the address cannot be bound.
    ///
    /// - Parameter secure: puts TLS over an accepted connection, or closes it and gives nil. The handshake counts against
    ///   the time for the first head (``HTTPLimits/headTimeout``) and against the limit of connections.
    package init(
        loop: EventLoop, address: SocketAddress, router: HTTPRouter, limits: HTTPLimits = HTTPLimits(),
        observer: any HTTPObserver = SilentHTTPObserver(), secure: ((TCPStream) -> (any ByteStream)?)? = nil
    ) throws(EventLoopError) {
        loop.preconditionInLoop()
        self.loop = loop
        self.limits = limits
        self.router = router
        self.observer = observer
        self.secure = secure
        let admission = admission
        listener = try TCPListener(loop: loop, address: address, backlog: limits.backlog) { stream in
            admission.server?.accept(stream)
        }
        localAddress = listener.localAddress
        admission.server = self
    }

    /// Open connections; in the loop only.
    package var connectionCount: Int {
        loop.preconditionInLoop()
        return connections.count
    }

    /// Requests that are being answered; in the loop only.
    package var inFlightCount: Int {
        loop.preconditionInLoop()
        return requestsInFlight
    }

    private func accept(_ accepted: TCPStream) {
        let peer = accepted.peerAddress
        guard let stream = secure.map({ $0(accepted) }) ?? accepted else { return }
        let connection = HTTPConnection(server: self, stream: stream, peer: peer)
        connections[ObjectIdentifier(connection)] = connection
        if connections.count >= limits.connections { listener.pauseAccepting() }
        connection.start()
    }

    func closed(_ connection: HTTPConnection) {
        connections[ObjectIdentifier(connection)] = nil
        if !isDraining && connections.count == limits.connections - 1 { listener.resumeAccepting() }
        finishDrainIfDone()
    }

    func requestBegan() {
        requestsInFlight += 1
        observer.requestStarted()
    }

    func requestEnded(_ exchange: HTTPExchange) {
        requestsInFlight -= 1
        observer.requestFinished(exchange)
        finishDrainIfDone()
    }

    /// The `Date` field of this second.
    func dateLine() -> [UInt8] {
        date.line(at: Int64(time(nil)))
    }
}

// MARK: Draining

extension HTTPServer {
    /// Stops accepting, lets running requests end, and returns when all connections are closed.
    ///
    /// From any thread. Answers say `Connection: close` from now on; idle connections get ``HTTPLimits/drainGrace`` for a request that is under
    /// way. What is left after `timeout` is reset. Calling it again waits for the same end.
    package func drain(timeout: Duration) async {
        await withCheckedContinuation { continuation in
            loop.execute { self.beginDrain(timeout: timeout, continuation) }
        }
    }

    private func beginDrain(timeout: Duration, _ continuation: CheckedContinuation<Void, Never>) {
        drainWaiters.append(continuation)
        if !isDraining {
            isDraining = true
            listener.close()
            let timer = LoopTimer(loop: loop) { self.resetAll() }
            timer.schedule(after: timeout)
            drainTimer = timer
            for connection in connections.values { connection.drain() }
        }
        finishDrainIfDone()
    }

    private func resetAll() {
        for connection in connections.values { connection.stream.reset() }
        requestsInFlight = 0
        finishDrainIfDone()
    }

    private func finishDrainIfDone() {
        guard isDraining, connections.isEmpty, requestsInFlight <= 0 else { return }
        drainTimer?.close()
        drainTimer = nil
        let waiters = drainWaiters
        drainWaiters = []
        for waiter in waiters { waiter.resume() }
    }
}
