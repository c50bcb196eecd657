import EventLoops
import ServiceKit
import Telemetry

/// What progress counts on one loop.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class ProgressMetrics: @unchecked Sendable {
    /// How a look into the cache ended.
    enum CacheRead: Int, CaseIterable {
        /// It had everything.
        case hit
        /// It had nothing, or not everything.
        case miss
        /// Redis did not answer.
        case error
        /// It had nothing, and the read from PostgreSQL was refused.
        case refused

        var label: String { "\(self)" }
    }

    /// What is read from the primary, each kind in one trip.
    enum StoreRead: String, CaseIterable {
        case home, days, workouts, changes, export

        /// Lists are read ahead of what anyone looks at; a screen is waited for.
        var urgency: QueueAdmission.Urgency {
            switch self {
            case .home, .days: .live
            case .workouts, .changes, .export: .backfill
            }
        }
    }

    private let shard: MetricShard
    private let cacheReads: [Counter?]
    private let storeReads: [StoreRead: Counter]
    private let replicaReads: [Bool: Counter]
    private let lostFills: Counter?
    private let fills: Gauge?
    private let waiting: Gauge?
    private let checks: Counter?
    private let inconsistent: Counter?

    init(_ resources: LoopResources) {
        let registry = resources.registry
        shard = resources.shard
        cacheReads = CacheRead.allCases.map { result in
            try? registry.counter(
                "stride_progress_cache_reads_total", help: "Looks into the cache by how they ended.",
                labels: ["result": result.label])
        }
        var storeReads: [StoreRead: Counter] = [:]
        for kind in StoreRead.allCases {
            storeReads[kind] = try? registry.counter(
                "stride_progress_database_reads_total", help: "Trips to PostgreSQL by what they read.",
                labels: ["kind": kind.rawValue])
        }
        self.storeReads = storeReads
        var replicaReads: [Bool: Counter] = [:]
        for hasAnswered in [true, false] {
            replicaReads[hasAnswered] = try? registry.counter(
                "stride_progress_replica_reads_total", help: "Reads that a standby was asked for, by who answered.",
                labels: ["answered_by": hasAnswered ? "replica" : "primary"])
        }
        self.replicaReads = replicaReads
        lostFills = try? registry.counter(
            "stride_progress_cache_fills_lost_total", help: "Homes read from PostgreSQL that Redis did not take.")
        fills = try? registry.gauge(
            "stride_progress_fills_in_flight", help: "Users whose home is being read from PostgreSQL.")
        waiting = try? registry.gauge(
            "stride_progress_fills_waiting", help: "Users who wait until their home may be read.")
        checks = try? registry.counter(
            "stride_cache_checks_total", help: "Users whose cache was compared with PostgreSQL.")
        inconsistent = try? registry.counter(
            "stride_cache_inconsistent_total",
            help: "Users whose cache differed from PostgreSQL for longer than promised.")
    }

    func readCache(_ result: CacheRead) { cacheReads[result.rawValue]?.increment(in: shard) }

    func readStore(_ kind: StoreRead) { storeReads[kind]?.increment(in: shard) }

    func readReplica(hasAnswered: Bool) { replicaReads[hasAnswered]?.increment(in: shard) }

    func lostFill() { lostFills?.increment(in: shard) }

    func filling(_ running: Int, waiting: Int) {
        fills?.set(Double(running), in: shard)
        self.waiting?.set(Double(waiting), in: shard)
    }

    func checked(isConsistent: Bool) {
        checks?.increment(in: shard)
        if !isConsistent { inconsistent?.increment(in: shard) }
    }
}
