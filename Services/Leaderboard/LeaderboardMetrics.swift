import ServiceKit
import Telemetry

/// What the leaderboard counts on one loop.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class LeaderboardMetrics: @unchecked Sendable {
    /// How a look into the cache ended.
    enum CacheRead: String, CaseIterable {
        /// It had the board.
        case hit
        /// It had no board.
        case miss
        /// It was not looked at: the board is behind, and Redis refuses to take it on.
        case behind
        /// Redis did not answer.
        case error
    }

    private let shard: MetricShard
    private let cacheReads: [CacheRead: Counter]
    private let storeReads: Counter?
    private let refusedReads: Counter?
    private let builds: Counter?
    private let repairs: Counter?
    private let failures: Counter?

    init(_ resources: LoopResources) {
        let registry = resources.registry
        shard = resources.shard
        var cacheReads: [CacheRead: Counter] = [:]
        for result in CacheRead.allCases {
            cacheReads[result] = try? registry.counter(
                "stride_leaderboard_cache_reads_total", help: "Looks into the cache by how they ended.",
                labels: ["result": result.rawValue])
        }
        self.cacheReads = cacheReads
        storeReads = try? registry.counter(
            "stride_leaderboard_database_reads_total", help: "Answers that were read from PostgreSQL.")
        refusedReads = try? registry.counter(
            "stride_leaderboard_database_reads_refused_total",
            help: "Reads that were refused because as many ran as may run.")
        builds = try? registry.counter(
            "stride_leaderboard_board_builds_total", help: "Boards that were built in Redis.")
        repairs = try? registry.counter(
            "stride_leaderboard_board_repairs_total", help: "Boards that somebody had left behind.")
        failures = try? registry.counter(
            "stride_leaderboard_cache_write_failures_total", help: "Commits that could not be shown in Redis.")
    }

    func readCache(_ result: CacheRead) { cacheReads[result]?.increment(in: shard) }
    func readStore() { storeReads?.increment(in: shard) }
    func refusedRead() { refusedReads?.increment(in: shard) }
    func built() { builds?.increment(in: shard) }
    func repaired() { repairs?.increment(in: shard) }
    func failedToShow() { failures?.increment(in: shard) }
}
