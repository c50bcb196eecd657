/// Whether a queue takes more, decided by how long a newcomer would wait; and when those who were refused should come back.
///
/// No rate is configured: while what waits is served in time everybody is let in, however many come, and when it is not,
/// nobody is until it is again. What can wait longest, the backlog of a phone that was offline, is refused first.
///
/// Who is refused gets a place in a line: each next one a moment later, at half the pace at which the queue is served. So
/// those who come back never come together, and while they do there is room for newcomers, who are served as usual however
/// long the line is. A pure value. Source of the first rule: control by sojourn time (CoDel, RFC 8289); the wait is foretold here, because one
/// that is only measured lets a spike pile up before it shows.
package struct QueueAdmission: Sendable {
    /// What kind of work somebody brings.
    package enum Urgency: Sendable {
        /// Somebody looks at a screen and waits.
        case live
        /// A backlog that may as well come later.
        case backfill
        /// What a service does for itself: little, and never to be crowded out.
        case upkeep
    }

    /// The longest that anyone waits.
    package let patience: Duration
    /// The longest wait that is begun, in nanoseconds: `admits` is asked for each call, and a `Duration` counts in 128 bits.
    private let prospect: Int64
    /// How many are served at once: a batch, or as many as there are connections.
    private let width: Int
    /// Smoothed time of serving so many in nanoseconds; one that was served late by far doubles it at most.
    private var turn: Int64 = 0
    /// When the last of those who were refused was told to come back.
    private var lastReturn: MonotonicInstant?
    private var surplus = Duration.zero

    /// The longest wait that anyone is told: what cannot be served by then is refused again.
    private let longestReturn: Duration
    /// What is slower counts as this, so that sums of turns stay far from the end of 64 bits.
    private static let longestTurn: Int64 = 3_600_000_000_000
    /// One in so many of those who are served is somebody who comes back.
    private static let share = 2
    /// The shortest wait that anyone is told: less than this is none for a phone.
    package static let shortestReturn = Duration.milliseconds(100)

    /// A queue in which nobody waits longer than `patience`, served by up to `width` at once.
    ///
    /// - Parameters:
    ///   - prospect: who would wait longer is not let in; half of the patience if nil.
    ///   - longestReturn: the end of the line. Somebody who looks at a screen tries again soon; what a phone keeps can wait.
    package init(
        patience: Duration, prospect: Duration? = nil, width: Int, longestReturn: Duration = .seconds(30)
    ) {
        self.longestReturn = longestReturn
        self.patience = patience
        self.prospect = (prospect ?? patience / 2).wholeNanoseconds
        self.width = max(1, width)
    }

    /// Whether a newcomer is let in: nobody waits, or the wait is shorter than the prospect, half of that for a backlog.
    ///
    /// - Parameters:
    ///   - waiting: how many wait.
    ///   - oldest: since when the one who came first has waited, there or on the way to the queue; nil when nobody waits.
    package func admits(_ urgency: Urgency, waiting: Int, oldest: MonotonicInstant?, at now: MonotonicInstant) -> Bool {
        guard let oldest, urgency != .upkeep else { return true }
        let limit = urgency == .live ? prospect : prospect / 2
        let milliseconds = Int64(clamping: now.milliseconds) - Int64(clamping: oldest.milliseconds)
        let waited = milliseconds.multipliedReportingOverflow(by: 1_000_000)
        guard !waited.overflow, waited.partialValue < limit else { return false }
        guard waiting > 0 else { return true }
        let ahead = turn.multipliedReportingOverflow(by: Int64(waiting))
        return !ahead.overflow && turn + ahead.partialValue / Int64(width) < limit
    }

    /// When the patience of somebody ends.
    package func expiry(of arrival: MonotonicInstant) -> MonotonicInstant { arrival.advanced(by: patience) }

    /// Some were served at once, within a time.
    package mutating func served(in duration: Duration) {
        let change = max(0, min(duration.wholeNanoseconds, Self.longestTurn)) - turn
        turn += (turn == 0 ? change : min(change, turn * 4)) / 4
    }

    /// When somebody who was refused should come back.
    ///
    /// Never sooner than the oldest has waited by now: while nothing moves, waits grow.
    package mutating func comeBack(_ count: Int, oldest: MonotonicInstant?, at now: MonotonicInstant) -> Duration {
        let latest = now.advanced(by: longestReturn)
        // Instants are whole milliseconds, a place in the line may be less.
        let step = surplus + Duration.nanoseconds(turn) * max(1, count) * Self.share / width
        let whole = Duration.milliseconds(Int64(step / .milliseconds(1)))
        surplus = step - whole
        let place = min(max(lastReturn ?? now, now).advanced(by: whole), latest)
        lastReturn = place
        let stall = oldest?.duration(to: now) ?? .zero
        return min(max(now.duration(to: place), stall, Self.shortestReturn), longestReturn)
    }
}
