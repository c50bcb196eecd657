package import EventLoops

/// Decides who gets which connection, when to open one and when to refuse.
///
/// No I/O, no clock of its own.
///
/// A connection is opening, idle, leased, or gone; it is in exactly one of them, and `opening + open` never exceeds the
/// maximum. A waiter is served in order of arrival.
package struct PostgresPoolState: Sendable {
    /// The bounds of a pool.
    package struct Limits: Hashable, Sendable {
        /// The most connections that exist at once.
        package var maximum: Int
        /// How many are kept open without demand.
        package var minimum: Int
        /// How many callers may wait beyond those for whom a connection is being opened.
        package var maximumWaiters: Int
        /// The longest that a caller waits who names no time of its own; who would wait half of it is refused at once.
        package var patience: Duration

        /// Makes bounds; a minimum above the maximum counts as the maximum.
        package init(
            maximum: Int, minimum: Int = 0, maximumWaiters: Int = 1000, patience: Duration = .seconds(2)
        ) {
            self.maximum = max(1, maximum)
            self.minimum = min(max(0, minimum), self.maximum)
            self.maximumWaiters = max(0, maximumWaiters)
            self.patience = patience
        }
    }

    /// A connection of the pool.
    package struct ConnectionID: Hashable, Sendable { package let number: UInt64 }
    /// A caller that waits.
    package struct WaiterID: Hashable, Sendable { package let number: UInt64 }

    /// What becomes of a request for a connection.
    package enum LeaseAction: Hashable, Sendable {
        /// Take this one.
        case use(ConnectionID)
        /// Wait; open a connection as well when `opening`.
        case wait(opening: Bool)
        /// The pool is closed.
        case refuseClosed
        /// The database is known to be down.
        case refuseUnavailable
        /// Too many wait already, or for too long.
        case refuseFull
    }

    /// What becomes of a connection that is free.
    package enum FreeAction: Hashable, Sendable {
        /// Give it to this waiter.
        case hand(WaiterID)
        /// Keep it.
        case keepIdle
        /// Close it; open this many others.
        case close(opening: Int)
        /// It was gone before.
        case ignore
    }

    /// What to do when opening failed.
    package struct FailureAction: Hashable, Sendable {
        /// Waiters to refuse, because nothing is open that could serve them.
        package var refuse: [WaiterID] = []
        /// When to try again; nil when that is settled already.
        package var retryAfter: Duration?
    }

    let limits: Limits
    private var idle: [ConnectionID] = []
    private var leased: Set<ConnectionID> = []
    private var opening = 0
    private var waiters: [(id: WaiterID, arrival: MonotonicInstant)] = []
    private var admission: QueueAdmission
    private var backoff = Backoff()
    private var isRetryScheduled = false
    private var isClosed = false
    private var openedTotal: UInt64 = 0
    private var droppedTotal: UInt64 = 0
    private var failedTotal: UInt64 = 0
    private var refusedTotal: UInt64 = 0

    /// An empty pool.
    package init(limits: Limits) {
        self.limits = limits
        admission = QueueAdmission(patience: limits.patience, width: limits.maximum)
    }

    private var open: Int { idle.count + leased.count }

    /// False from a failed attempt to connect, with nothing else open, until one succeeds.
    package var isAvailable: Bool { !isClosed && (open > 0 || !backoff.isBackingOff) }

    /// Whether nothing is lent out or being opened.
    package var isQuiet: Bool { leased.isEmpty && opening == 0 }

    /// The figures for metrics.
    package var counters: PostgresPoolCounters {
        PostgresPoolCounters(
            open: open, idle: idle.count, opening: opening, waiting: waiters.count, openedTotal: openedTotal,
            droppedTotal: droppedTotal, connectFailedTotal: failedTotal, refusedTotal: refusedTotal)
    }
}

extension PostgresPoolState {
    /// Somebody wants a connection.
    package mutating func lease(
        _ waiter: WaiterID, _ urgency: QueueAdmission.Urgency = .live, at now: MonotonicInstant
    ) -> LeaseAction {
        guard !isClosed else { return .refuseClosed }
        if let connection = idle.popLast() {
            leased.insert(connection)
            return .use(connection)
        }
        guard isAvailable else {
            refusedTotal += 1
            return .refuseUnavailable
        }
        let opens = canOpen && waiters.count >= opening
        guard waiters.count < limits.maximumWaiters + opening + (opens ? 1 : 0),
            opens || admission.admits(urgency, waiting: waiters.count, oldest: waiters.first?.arrival, at: now)
        else {
            refusedTotal += 1
            return .refuseFull
        }
        waiters.append((waiter, now))
        if opens { opening += 1 }
        return .wait(opening: opens)
    }

    /// A waiter gave up.
    ///
    /// False when it had been served or refused before.
    package mutating func withdraw(_ waiter: WaiterID) -> Bool {
        guard let index = waiters.firstIndex(where: { $0.id == waiter }) else { return false }
        waiters.remove(at: index)
        return true
    }

    /// A connection was opened.
    package mutating func opened(_ connection: ConnectionID) -> FreeAction {
        opening -= 1
        openedTotal += 1
        backoff.succeeded()
        guard !isClosed else { return .close(opening: 0) }
        return place(connection)
    }

    /// Opening failed.
    package mutating func openFailed(using generator: inout some RandomNumberGenerator) -> FailureAction {
        opening -= 1
        failedTotal += 1
        var action = FailureAction()
        guard !isClosed else { return action }
        if open == 0 && opening == 0 {
            action.refuse = waiters.map(\.id)
            refusedTotal += UInt64(waiters.count)
            waiters.removeAll()
        }
        if !isRetryScheduled {
            action.retryAfter = backoff.failed(using: &generator)
            isRetryScheduled = true
        }
        return action
    }

    /// The time to try again has come; how many to open.
    package mutating func retryIsDue() -> Int {
        isRetryScheduled = false
        guard !isClosed else { return 0 }
        // One that probes; the others follow when it has succeeded.
        guard open == 0, opening == 0 else { return replenish() }
        opening += 1
        return 1
    }

    /// Opens what is missing to the minimum and to serve the waiters; how many.
    package mutating func replenish() -> Int {
        guard !isClosed, !isRetryScheduled else { return 0 }
        let wanted = max(limits.minimum - open - opening, waiters.count - opening)
        let count = max(0, min(wanted, limits.maximum - open - opening))
        opening += count
        return count
    }

    /// A connection was lent out for so long.
    package mutating func served(in duration: Duration) { admission.served(in: duration) }

    /// A lent connection came back.
    package mutating func released(_ connection: ConnectionID, isReusable: Bool) -> FreeAction {
        guard leased.remove(connection) != nil else { return .ignore }
        guard isReusable, !isClosed else {
            droppedTotal += 1
            return .close(opening: replenish())
        }
        return place(connection)
    }

    /// A connection ended by itself, idle or lent; how many to open.
    package mutating func lost(_ connection: ConnectionID) -> Int {
        if let index = idle.firstIndex(of: connection) {
            idle.remove(at: index)
        } else if leased.remove(connection) == nil {
            return 0
        }
        droppedTotal += 1
        return replenish()
    }

    /// The pool closes: the idle connections to close and the waiters to refuse.
    package mutating func close() -> (idle: [ConnectionID], refuse: [WaiterID]) {
        isClosed = true
        defer {
            idle.removeAll()
            waiters.removeAll()
        }
        return (idle, waiters.map(\.id))
    }

    private var canOpen: Bool { !isRetryScheduled && open + opening < limits.maximum }

    private mutating func place(_ connection: ConnectionID) -> FreeAction {
        guard !waiters.isEmpty else {
            idle.append(connection)
            return .keepIdle
        }
        leased.insert(connection)
        return .hand(waiters.removeFirst().id)
    }
}
