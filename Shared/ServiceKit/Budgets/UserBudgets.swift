internal import EventLoops
package import Models
package import Storage
internal import Telemetry

/// Whether a user may send, counted for the fleet in Redis, or by this loop alone while Redis cannot count.
///
/// Confined to its loop, hence `@unchecked Sendable`.
package final class UserBudgets: @unchecked Sendable {
    /// The budget that callers are told about.
    package let budget: RateBudget
    private let counter: BudgetCounter
    private let loop: EventLoop
    private let shard: MetricShard
    private let byRedis: Counter?
    private let byLoop: Counter?
    private let byMemory: Counter?
    private var local: LocalBudgets

    /// The budgets of one kind on one loop, whose connection must have been given `BudgetCounter.scripts`.
    ///
    /// - Parameter service: `ingest`; decisions are counted as `stride_ingest_limiter_decisions_total`.
    package init(_ kind: BudgetKind, _ budget: RateBudget, service: String, _ resources: LoopResources) {
        self.budget = budget
        counter = BudgetCounter(kind, budget, redis: resources.budgetRedis)
        loop = resources.loop
        shard = resources.shard
        local = LocalBudgets(budget: budget)
        func decisions(_ mode: String) -> Counter? {
            try? resources.registry.counter(
                "stride_\(service)_limiter_decisions_total", help: "Budget decisions by who counted.",
                labels: ["mode": mode])
        }
        byRedis = decisions("fleet")
        byLoop = decisions("local")
        byMemory = decisions("known")
    }

    /// A wait that is shorter is asked about again: the clocks of Redis and of the loop are not read at the same moment.
    private static let certainWait = Duration.milliseconds(20)

    /// What this loop knows of a user's budget; asks nobody and uses nothing.
    package func recall(_ user: UserID) -> RateBudget.Decision { local.recall(user, at: loop.now) }

    /// Asks for a number of cells; zero only looks.
    ///
    /// A user whom the fleet has refused is refused by this loop alone until the next cell is earned, so that a flood costs
    /// Redis nothing.
    package func admit(_ cells: Int, of user: UserID) async -> RateBudget.Decision {
        let known = local.recall(user, at: loop.now)
        guard known.wait < Self.certainWait else {
            byMemory?.increment(in: shard)
            return known
        }
        do {
            let decision = try await counter.admit(cells, of: user)
            local.learn(decision, of: user, at: loop.now)
            byRedis?.increment(in: shard)
            return decision
        } catch {
            byLoop?.increment(in: shard)
            return local.admit(cells, of: user, at: loop.now)
        }
    }
}
