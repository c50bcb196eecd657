internal import EventLoops
internal import Storage
internal import Telemetry

/// How much the whole fleet takes from everybody together, so that many instances do not ask more of one database than it can.
///
/// Redis counts, in pieces that each loop fetches ahead (`FleetLease`), so that no call waits for the fleet's count unless a piece
/// runs out. While Redis cannot count each loop takes the whole rate: a fleet of N loops then takes up to N times as much, and the
/// queue of each bounds what it writes at once. Confined to its loop, hence `@unchecked Sendable`.
package final class FleetBudget: @unchecked Sendable {
    private let counter: FleetCounter
    private let budget: RateBudget
    private let loop: EventLoop
    private let shard: MetricShard
    private let pieces: Counter?
    private var lease: FleetLease
    private var localArrival: Int64 = 0
    private var waiting: [CheckedContinuation<Void, Never>] = []

    /// The fleet's budget on one loop, whose connection must have been given `BudgetCounter.scripts`; nil when there is none.
    ///
    /// - Parameter perSecond: cells a second, as many again at once; 0 for no limit.
    package init?(perSecond: Int, service: String, _ resources: LoopResources) {
        guard perSecond > 0 else { return nil }
        budget = RateBudget(perMinute: perSecond * 60, burst: perSecond)
        counter = FleetCounter(budget, redis: resources.budgetRedis)
        loop = resources.loop
        shard = resources.shard
        lease = FleetLease(perSecond: perSecond)
        pieces = try? resources.registry.counter(
            "stride_\(service)_fleet_leases_total", help: "Pieces of the fleet's budget that were fetched.")
    }

    /// Takes cells; nil when they are there, else how long to wait until some are.
    package func take(_ cells: Int) async -> Duration? {
        while true {
            switch lease.ask(cells, at: loop.now) {
            case .admit(let fetches):
                if fetches { loop.submit { await self.fetch(cells) } }
                return nil
            case .refuse(let wait): return wait
            case .wait(let fetches):
                if fetches {
                    await fetch(cells)
                } else {
                    await withCheckedContinuation { waiting.append($0) }
                }
            }
        }
    }

    private func fetch(_ cells: Int) async {
        let wanted = max(cells, lease.piece)
        let decision: RateBudget.Decision
        do {
            decision = try await counter.take(wanted)
            pieces?.increment(in: shard)
        } catch {
            decision = budget.admit(wanted, at: loop.now.microseconds, arrival: &localArrival)
        }
        lease.fetched(decision, at: loop.now)
        let callers = waiting
        waiting = []
        for caller in callers { caller.resume() }
    }
}
