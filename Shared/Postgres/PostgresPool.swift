package import EventLoops

/// The connections of one loop: a fixed maximum, opened when needed, lent out one caller at a time.
///
/// Decisions are made by `PostgresPoolState`; this class carries them out. While the database is known to be down
/// callers are refused at once (`unavailable`) and one attempt at a time probes, 50 ms to 2 s apart.
///
/// Cost of a lease from idle and its return: a few table look-ups, no allocation in the steady state, no lock.
/// - Note: `@unchecked Sendable`: confined to `loop`; every entry checks `preconditionInLoop`.
package final class PostgresPool: @unchecked Sendable {
    /// The loop that the pool and its connections belong to.
    package let loop: EventLoop
    /// The most connections that exist at once.
    package let maximum: Int
    private let configuration: PostgresConfiguration
    private var state: PostgresPoolState
    private var connections: [PostgresPoolState.ConnectionID: PostgresConnection] = [:]
    private var waits: [PostgresPoolState.WaiterID: LoopWait<PostgresConnection>] = [:]
    private var nextNumber: UInt64 = 0
    /// Told of each loan that has ended, how long it was by the loop's clock.
    package var onReturn: ((Duration) -> Void)?
    private var retryTimer: LoopTimer?
    private var closing: LoopWait<Void>?
    private var random = SystemRandomNumberGenerator()

    /// How long the ROLLBACK of a transaction that a caller left open may take before the connection is dropped.
    private static let rollbackTimeout: Duration = .seconds(1)

    /// Makes a pool; nothing is opened before `start` or the first lease.
    package init(configuration: PostgresConfiguration, limits: PostgresPoolState.Limits, loop: EventLoop) {
        self.configuration = configuration
        self.loop = loop
        maximum = limits.maximum
        state = PostgresPoolState(limits: limits)
    }

    /// Begins to open the minimum; does not wait.
    package func start() {
        loop.preconditionInLoop()
        open(state.replenish())
    }

    /// False while the database is known to be down.
    ///
    /// In the loop only.
    package var isAvailable: Bool { state.isAvailable }

    /// The figures for metrics.
    ///
    /// In the loop only.
    package var counters: PostgresPoolCounters { state.counters }

    /// Lends a connection until `release`, for as long as the caller likes.
    ///
    /// - Parameter timeout: how long to wait for one; the pool's patience if nil.
    /// - Throws: `unavailable`, `poolExhausted` and `closed` at once; `timedOut` or `cancelled` after a wait; what
    ///   `connect` threw when the wait ended with the database found down.
    package func lease(
        _ urgency: QueueAdmission.Urgency = .live, timeout: Duration? = nil
    ) async throws(PostgresError) -> PostgresConnection {
        loop.preconditionInLoop()
        let waiter = PostgresPoolState.WaiterID(number: newNumber())
        switch state.lease(waiter, urgency, at: loop.now) {
        case .use(let id):
            guard let connection = connections[id] else { throw .lostConnection }
            connection.lentAt = loop.now
            return connection
        case .wait(let opening):
            if opening { open(1) }
            let wait = LoopWait<PostgresConnection>(loop: loop)
            waits[waiter] = wait
            let patience = timeout ?? state.limits.patience
            return try await wait.value(timeout: patience, late: .lateLease) { _ in
                self.waits[waiter] = nil
                _ = self.state.withdraw(waiter)
            }
        case .refuseClosed: throw .poolClosed
        case .refuseUnavailable: throw PostgresError(.unavailable, "PostgreSQL is known to be down")
        case .refuseFull: throw PostgresError(.poolExhausted, "too many callers wait for a connection")
        }
    }

    /// Takes a connection back; a second time, or after it ended, does nothing.
    ///
    /// A transaction that was left open is rolled back first. What is not provably idle is dropped.
    package func release(_ connection: PostgresConnection) {
        loop.preconditionInLoop()
        switch connection.transactionStatus {
        case .inTransaction, .inFailedTransaction:
            loop.submit {
                _ = try? await connection.exchange([.rollback], timeout: Self.rollbackTimeout)
                self.takeBack(connection)
            }
        case .idle, .unknown: takeBack(connection)
        }
    }

    /// Lends a connection for the time of `body`.
    package func withConnection<Value>(
        _ urgency: QueueAdmission.Urgency = .live, timeout: Duration? = nil,
        _ body: (PostgresConnection) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        let connection = try await lease(urgency, timeout: timeout)
        defer { release(connection) }
        return try await body(connection)
    }

    /// Refuses new callers, waits until what is lent out has come back, and closes everything.
    ///
    /// - Parameter patience: after this time connections that are still lent out are closed under their users.
    package func close(patience: Duration = .seconds(5)) async {
        loop.preconditionInLoop()
        let (idle, refused) = state.close()
        retryTimer?.close()
        retryTimer = nil
        for waiter in refused { waits.removeValue(forKey: waiter)?.resume(.failure(.poolClosed)) }
        for id in idle { discard(id) }
        if !state.isQuiet {
            let wait = LoopWait<Void>(loop: loop)
            closing = wait
            _ = try? await wait.value(timeout: patience, late: .poolClosed) { _ in }
            closing = nil
        }
        for id in connections.keys { discard(id) }
    }
}

extension PostgresPool {
    private func newNumber() -> UInt64 {
        nextNumber &+= 1
        return nextNumber
    }

    private func open(_ count: Int) {
        for _ in 0..<count {
            loop.submit {
                do throws(PostgresError) {
                    let time = self.configuration.connectTimeout * self.configuration.hosts.count
                    self.adopt(try await .connect(self.configuration, loop: self.loop, timeout: time))
                } catch {
                    self.connectFailed(error)
                }
            }
        }
    }

    private func adopt(_ connection: PostgresConnection) {
        let id = PostgresPoolState.ConnectionID(number: newNumber())
        connection.poolID = id
        connection.onEnd = { self.connectionEnded(id) }
        connections[id] = connection
        place(id, state.opened(id))
        // The attempt that probed succeeded; whoever waits behind it is served now.
        open(state.replenish())
    }

    private func connectFailed(_ error: PostgresError) {
        let action = state.openFailed(using: &random)
        for waiter in action.refuse { waits.removeValue(forKey: waiter)?.resume(.failure(error)) }
        if let delay = action.retryAfter {
            let timer = retryTimer ?? LoopTimer(loop: loop) { self.open(self.state.retryIsDue()) }
            retryTimer = timer
            timer.schedule(after: delay)
        }
        endIfQuiet()
    }

    private func takeBack(_ connection: PostgresConnection) {
        guard let id = connection.poolID else { return }
        if let begin = connection.lentAt {
            let duration = begin.duration(to: loop.now)
            state.served(in: duration)
            onReturn?(duration)
        }
        connection.lentAt = nil
        place(id, state.released(id, isReusable: connection.isProvablyIdle))
    }

    private func connectionEnded(_ id: PostgresPoolState.ConnectionID) {
        connections[id] = nil
        open(state.lost(id))
        endIfQuiet()
    }

    private func place(_ id: PostgresPoolState.ConnectionID, _ action: PostgresPoolState.FreeAction) {
        switch action {
        case .hand(let waiter):
            guard let connection = connections[id], let wait = waits.removeValue(forKey: waiter) else { break }
            connection.lentAt = loop.now
            wait.resume(.success(connection))
        case .keepIdle, .ignore: break
        case .close(let opening):
            discard(id)
            open(opening)
        }
        endIfQuiet()
    }

    private func discard(_ id: PostgresPoolState.ConnectionID) {
        let connection = connections.removeValue(forKey: id)
        connection?.onEnd = nil
        connection?.close()
    }

    private func endIfQuiet() {
        if state.isQuiet { closing?.resume(.success(())) }
    }
}

extension PostgresError {
    static let lateLease = PostgresError(.timedOut, "no connection of the pool became free in time")
    static let poolClosed = PostgresError(.closed, "the pool is closed")
}
