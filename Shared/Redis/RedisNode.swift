import EventLoops

/// One Redis server of a client: one connection, shared by everything on the loop, that comes back by itself.
///
/// While there is no connection every call fails at once: nobody waits for a dead Redis. Confined to `loop`, as its
/// client is. `close` it before it is dropped.
/// States: idle → connecting → handshaking → ready → pausing → connecting …; closed for good.
/// Cost of an exchange: four small objects (ticket, two lists of commands, array of replies), what each
/// reply holds. All exchanges of one turn of the loop leave in one write.
final class RedisNode: @unchecked Sendable {
    enum State {
        case idle
        case connecting
        case handshaking(RedisConnection)
        case ready(RedisConnection)
        case pausing
        case closed
    }

    let loop: EventLoop
    let configuration: RedisConfiguration
    let meter: RedisMeter
    var scripts: RedisScriptTable
    var backoff: RedisBackoff
    var state = State.idle
    var pauseTimer: LoopTimer?
    var lastConnectError = RedisError.notConnected
    /// Where the current or last attempt went.
    var place: RedisPlace
    /// Finds the server before each attempt, by a deadline; nil: always that of the configuration.
    var locate: ((MonotonicInstant) async throws(RedisError) -> RedisPlace)?
    /// Told of each lost connection and each attempt that failed.
    var onTrouble: (() -> Void)?
    /// No attempt has ended yet.
    var isFresh = true

    /// A node that does nothing yet; `scripts` are loaded on every connect.
    init(configuration: RedisConfiguration, scripts: [RedisScript], loop: EventLoop, meter: RedisMeter) {
        self.loop = loop
        self.configuration = configuration
        self.scripts = RedisScriptTable(scripts)
        self.meter = meter
        place = RedisPlace(host: configuration.host, port: configuration.port)
        backoff = RedisBackoff(minimum: configuration.minimumBackoff, maximum: configuration.maximumBackoff)
    }

    /// Whether `send` would be tried now.
    var isConnected: Bool {
        if case .ready = state { true } else { false }
    }

    /// Commands, and their bytes, that wait for their replies now.
    var pending: (commands: Int, bytes: Int) {
        if case .ready(let connection) = state { (connection.pendingCommands, connection.pendingBytes) } else { (0, 0) }
    }

    /// Begins to connect, and to come back after every loss, until `close`.
    ///
    /// Does not wait; a second call does nothing.
    func start() {
        loop.preconditionInLoop()
        guard case .idle = state else { return }
        pauseTimer = LoopTimer(loop: loop) { [weak self] in self?.beginAttempt() }
        beginAttempt()
    }

    /// Waits for the end of the very first attempt, if that is still to come.
    func settle(until deadline: MonotonicInstant) async {
        while isFresh, loop.now < deadline {
            if case .closed = state { return }
            do { try await loop.sleep(for: .milliseconds(1)) } catch { return }
        }
    }

    /// Gives the connection up and connects again: the server is not the one that is wanted any more.
    func reconnect() {
        guard case .ready(let connection) = state else { return }
        connection.close()
        lost()
    }

    /// Ends the connection and stays away; callers that wait get `connectionLost`.
    ///
    /// Idempotent, and also right in the middle of an attempt to connect.
    func close() {
        loop.preconditionInLoop()
        pauseTimer?.close()
        pauseTimer = nil
        (locate, onTrouble) = (nil, nil)
        let last = state
        state = .closed
        switch last {
        case .handshaking(let connection), .ready(let connection): connection.close()
        case .idle, .connecting, .pausing, .closed: break
        }
    }
}
