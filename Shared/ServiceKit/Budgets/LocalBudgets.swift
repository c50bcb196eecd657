internal import EventLoops
internal import Models
internal import Storage

/// The budgets of the users that one loop has met lately, as far as this loop knows.
///
/// What the fleet has counted is learned with each decision, so that the loop can go on from there when Redis cannot count.
/// A fleet of N loops then admits up to N times what is earned, and a whole burst on each loop that has not met the user;
/// that is bounded, and better than refusing everyone.
struct LocalBudgets {
    private let budget: RateBudget
    private var arrivals: [UserID: Int64] = [:]
    private static let limit = 100_000

    init(budget: RateBudget) { self.budget = budget }

    /// How many users are remembered.
    var count: Int { arrivals.count }

    /// Decides as Redis would, on the loop's clock.
    mutating func admit(_ cells: Int, of user: UserID, at now: MonotonicInstant) -> RateBudget.Decision {
        let microseconds = now.microseconds
        var arrival = arrivals[user] ?? microseconds
        let decision = budget.admit(cells, at: microseconds, arrival: &arrival)
        remember(arrival, of: user, at: microseconds)
        return decision
    }

    /// What is known of a user; nothing is used.
    func recall(_ user: UserID, at now: MonotonicInstant) -> RateBudget.Decision {
        let microseconds = now.microseconds
        return budget.decision(admitted: 0, at: microseconds, arrival: arrivals[user] ?? microseconds)
    }

    /// Takes over what the fleet has decided.
    mutating func learn(_ decision: RateBudget.Decision, of user: UserID, at now: MonotonicInstant) {
        let microseconds = now.microseconds
        let ahead = Int64(decision.reset / .microseconds(1))
        remember(microseconds + ahead, of: user, at: microseconds)
    }

    private mutating func remember(_ arrival: Int64, of user: UserID, at now: Int64) {
        if arrivals.count >= Self.limit { forget(before: now) }
        arrivals[user] = arrival
    }

    /// Users whose whole burst is there again need no memory; should none be, everyone starts afresh.
    private mutating func forget(before now: Int64) {
        arrivals = arrivals.filter { $0.value > now }
        if arrivals.count >= Self.limit { arrivals.removeAll() }
    }
}
