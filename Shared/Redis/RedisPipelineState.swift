package import EventLoops

/// Decides, without any I/O, which reply of one connection belongs to which waiting caller.
///
/// Redis answers in the order of the commands and names none of them, so the order is all there is. Every command has
/// one slot until its reply is here; a caller that gives up leaves its slots behind, and they swallow the replies
/// that come late. So no reply reaches another command, whatever is cancelled or times out (redis-py#2624 is the bug
/// that this excludes).
///
/// States: open (accepts, replies, deadlines) → lost (refuses everything, for good).
/// `Waiter` is handed back exactly once: by `received`, `woke`, `cancelled` or `lost`.
/// Cost: no allocation of its own per exchange beyond the array of replies.
package struct RedisPipelineState<Waiter> {
    /// Names one exchange of this connection; numbers are never used again.
    package typealias ExchangeID = UInt64

    struct Exchange {
        let commandCount: Int
        let byteCount: Int
        let deadline: MonotonicInstant
        /// Nil once the caller has gone; the slots stay.
        var waiter: Waiter?
        var replyCount = 0
        var replies: [RESPValue] = []
        var isComplete: Bool { replyCount == commandCount }
    }

    let maximumPendingBytes: Int
    let stallTimeout: Duration
    var exchanges = FirstInFirstOut<Exchange>()
    /// The number of the exchange at the front.
    var frontID: ExchangeID = 0
    /// How many exchanges from the front have been given to the socket.
    var flushedCount = 0
    /// When the server last showed life, or was first given something to do.
    var lastProgress = MonotonicInstant(milliseconds: 0)
    /// When `woke` is due; nil while nothing waits.
    var wakeAt: MonotonicInstant?
    var isLost = false

    /// Bytes of commands whose replies are not here yet.
    package internal(set) var pendingBytes = 0
    /// Commands whose replies are not here yet, those of callers that gave up included.
    package internal(set) var pendingCommands = 0

    /// A pipeline with nothing in it.
    package init(maximumPendingBytes: Int, stallTimeout: Duration) {
        self.maximumPendingBytes = maximumPendingBytes
        self.stallTimeout = stallTimeout
    }

    /// The number that the next accepted exchange gets.
    package var nextID: ExchangeID { frontID + UInt64(exchanges.count) }
}

extension RedisPipelineState {
    /// Whether an exchange may enter.
    package enum AdmissionAction: Equatable {
        /// Encode and `enqueue` it, now.
        case admit
        /// Answer the caller with this; nothing may be written.
        case refuse(RedisError)
    }

    /// Asks before anything is encoded, so that a refusal costs nothing.
    package func admission(byteCount: Int) -> AdmissionAction {
        if isLost { return .refuse(.notConnected) }
        let (sum, overflow) = pendingBytes.addingReportingOverflow(byteCount)
        return overflow || sum > maximumPendingBytes ? .refuse(.overloaded) : .admit
    }

    /// What follows a new exchange.
    package enum EnqueueAction: Equatable {
        /// The wake-up that is set comes early enough.
        case keepTimer
        /// `woke` must be called at this instant at the latest.
        case wake(at: MonotonicInstant)
    }

    /// Gives an admitted exchange of at least one command its place behind all others.
    package mutating func enqueue(
        _ waiter: Waiter, commandCount: Int, byteCount: Int, deadline: MonotonicInstant, now: MonotonicInstant
    ) -> EnqueueAction {
        if exchanges.isEmpty { lastProgress = now }
        exchanges.append(
            Exchange(commandCount: commandCount, byteCount: byteCount, deadline: deadline, waiter: waiter))
        pendingBytes += byteCount
        pendingCommands += commandCount
        let due = min(deadline, lastProgress.advanced(by: stallTimeout))
        if let wakeAt, wakeAt <= due { return .keepTimer }
        wakeAt = due
        return .wake(at: due)
    }

    /// Everything enqueued so far has been given to the socket; from here on a loss leaves its outcome unknown.
    package mutating func flushed() { flushedCount = exchanges.count }
}
