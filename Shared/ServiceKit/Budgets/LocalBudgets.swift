internal import EventLoops
internal import Models
internal import Storage

/// The budgets of the users that one loop has met lately, for the time in which Redis cannot count.
///
/// A fleet of N loops then admits up to N times the budget; that is bounded, and better than refusing everyone.
struct LocalBudgets {
    private let budget: RateBudget
    private var arrivals: [UserID: Int64] = [:]
    private static let limit = 100_000

    init(budget: RateBudget) { self.budget = budget }

    /// How many users are remembered.
    var count: Int { arrivals.count }

    /// Decides as Redis would, on the loop's clock.
    mutating func admit(_ cells: Int, of user: UserID, at now: MonotonicInstant) -> RateBudget.Decision {
        let microseconds = Int64(clamping: now.milliseconds) * 1000
        if arrivals.count >= Self.limit { forget(before: microseconds) }
        var arrival = arrivals[user] ?? microseconds
        let decision = budget.admit(cells, at: microseconds, arrival: &arrival)
        arrivals[user] = arrival
        return decision
    }

    /// Users whose whole burst is there again need no memory; should none be, everyone starts afresh.
    private mutating func forget(before now: Int64) {
        arrivals = arrivals.filter { $0.value > now }
        if arrivals.count >= Self.limit { arrivals.removeAll() }
    }
}
