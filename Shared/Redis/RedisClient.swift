package import EventLoops

/// A client of one Redis server: one connection, shared by everything on the loop, that comes back by itself.
///
/// Confined to `loop`: every entry is called there, checked by `preconditionInLoop`, by a task that prefers the loop
/// (`submit`, `run`, or `executorPreference`), so there is no lock and no hop to another thread; `Sendable` only so that
/// closures that run on the loop may name it. While there is no connection every call fails at once: nobody waits for a
/// dead Redis. `close` it before it is dropped.
/// Cost of an exchange: four small objects (ticket, two lists of commands, array of replies), what each
/// reply holds. All exchanges of one turn of the loop leave in one write.
package final class RedisClient: @unchecked Sendable {
    enum State {
        case idle
        case connecting
        case handshaking(RedisConnection)
        case ready(RedisConnection)
        case pausing
        case closed
    }

    /// The loop on which everything happens.
    package let loop: EventLoop
    let configuration: RedisConfiguration
    let meter = RedisMeter()
    var scripts: RedisScriptTable
    var backoff: RedisBackoff
    var state = State.idle
    var pauseTimer: LoopTimer?
    var lastConnectError = RedisError.notConnected

    /// A client that does nothing yet; `scripts` are loaded on every connect.
    package init(configuration: RedisConfiguration, scripts: [RedisScript] = [], loop: EventLoop) {
        self.loop = loop
        self.configuration = configuration
        self.scripts = RedisScriptTable(scripts)
        backoff = RedisBackoff(minimum: configuration.minimumBackoff, maximum: configuration.maximumBackoff)
    }

    /// Whether `send` would be tried now.
    package var isConnected: Bool {
        if case .ready = state { true } else { false }
    }

    /// What has been seen so far, and what is in flight now.
    package var counters: RedisCounters {
        var counters = meter.counters
        if case .ready(let connection) = state {
            counters.inFlight = connection.pendingCommands
            counters.pendingBytes = connection.pendingBytes
        }
        return counters
    }

    /// Begins to connect, and to come back after every loss, until `close`.
    ///
    /// Does not wait; a second call does nothing.
    package func start() {
        loop.preconditionInLoop()
        guard case .idle = state else { return }
        pauseTimer = LoopTimer(loop: loop) { [weak self] in self?.beginAttempt() }
        beginAttempt()
    }

    /// Waits for a connection, for the start of a service: everybody else asks and is refused at once.
    ///
    /// Throws the reason of the last failed attempt when the time is over, `cancelled` when the task is.
    package func waitUntilReady(timeout: Duration) async throws(RedisError) {
        loop.preconditionInLoop()
        let deadline = loop.now.advanced(by: timeout)
        while !isConnected {
            if case .closed = state { throw .notConnected }
            guard loop.now < deadline else { throw lastConnectError }
            do { try await loop.sleep(for: .milliseconds(5)) } catch { throw .cancelled }
        }
    }

    /// Ends the connection and stays away; callers that wait get `connectionLost`.
    ///
    /// Idempotent, and also right in the middle of an attempt to connect.
    package func close() {
        loop.preconditionInLoop()
        pauseTimer?.close()
        pauseTimer = nil
        let last = state
        state = .closed
        switch last {
        case .handshaking(let connection), .ready(let connection): connection.close()
        case .idle, .connecting, .pausing, .closed: break
        }
    }
}
