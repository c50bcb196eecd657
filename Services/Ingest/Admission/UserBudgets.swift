import EventLoops
import Models
import Redis
import Storage

/// Whether a user may send, counted for the fleet in Redis, or by this loop alone while Redis cannot count.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class UserBudgets: @unchecked Sendable {
    /// The budget that callers are told about.
    let budget: RateBudget
    private let counter: BudgetCounter
    private let loop: EventLoop
    private let metrics: IngestMetrics
    private var local: LocalBudgets

    init(counter: BudgetCounter, budget: RateBudget, loop: EventLoop, metrics: IngestMetrics) {
        self.counter = counter
        self.budget = budget
        self.loop = loop
        self.metrics = metrics
        local = LocalBudgets(budget: budget)
    }

    /// Asks for a number of workouts; zero only looks.
    func admit(_ workouts: Int, of user: UserID) async -> RateBudget.Decision {
        do {
            let decision = try await counter.admit(workouts, of: user)
            metrics.limited(byRedis: true)
            return decision
        } catch {
            metrics.limited(byRedis: false)
            return local.admit(workouts, of: user, at: loop.now)
        }
    }
}

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
    mutating func admit(_ workouts: Int, of user: UserID, at now: MonotonicInstant) -> RateBudget.Decision {
        let microseconds = Int64(clamping: now.milliseconds) * 1000
        if arrivals.count >= Self.limit { forget(before: microseconds) }
        var arrival = arrivals[user] ?? microseconds
        let decision = budget.admit(workouts, at: microseconds, arrival: &arrival)
        arrivals[user] = arrival
        return decision
    }

    /// Users whose whole burst is there again need no memory; should none be, everyone starts afresh.
    private mutating func forget(before now: Int64) {
        arrivals = arrivals.filter { $0.value > now }
        if arrivals.count >= Self.limit { arrivals.removeAll() }
    }
}
