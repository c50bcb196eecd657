import Models
import Redis
import ServiceKit
import Storage
import Telemetry

/// Shows what a commit has changed in the cache, before its caller is answered.
///
/// A cache that cannot be reached costs the caller nothing but this wait, 200 ms at most: the rows are safe, and the
/// commit's mark stays, by which the cache is mended later. Confined to its loop, hence `@unchecked Sendable`.
final class CacheSettings: @unchecked Sendable {
    private let cache: HomeCache
    private let marks: MarkBook
    private let shard: MetricShard
    private let failures: Counter?
    private let logger: Logger

    init(_ resources: LoopResources) {
        cache = resources.cache
        marks = resources.marks
        shard = resources.shard
        logger = resources.logger
        failures = try? resources.registry.counter(
            "stride_plan_cache_write_failures_total", help: "Commits whose change could not be shown in Redis.")
    }

    /// Shows the current plan.
    ///
    /// - Parameter mark: nil after a repeat, which has changed nothing.
    func show(_ plan: Revised<WorkoutPlan>, of user: UserID, mark: CacheMark?) async {
        await show(mark) { () throws(RedisError) in try await cache.show(plan, of: user) }
    }

    /// Shows the recurring goal.
    func show(_ goal: Revised<WeeklyGoal>, of user: UserID, mark: CacheMark?) async {
        await show(mark) { () throws(RedisError) in try await cache.show(goal, of: user) }
    }

    /// Shows the profile.
    func show(_ profile: Revised<Profile>, of user: UserID, mark: CacheMark?) async {
        await show(mark) { () throws(RedisError) in try await cache.show(profile, of: user) }
    }

    private func show(_ mark: CacheMark?, _ write: () async throws(RedisError) -> Void) async {
        do throws(RedisError) {
            try await write()
            marks.forget(mark)
        } catch {
            failures?.increment(in: shard)
            logger.warning("cache_not_written", ["error": .describing(error)])
        }
    }
}
