import Models
import ServiceKit
import Storage
import Telemetry

/// What ingest counts on one loop.
///
/// Names follow `stride_ingest_…`; units are in the names.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class IngestMetrics: @unchecked Sendable {
    private let shard: MetricShard
    private let queue: Gauge?
    private let queueTime: Histogram?
    private let batchSize: Histogram?
    private let commitTime: Histogram?
    private let cacheFailures: Counter?
    private let workouts: [String: Counter]
    private let refusedItems: [Problem.Reason: Counter]
    private var queuedNow = 0

    init(_ resources: LoopResources) {
        let registry = resources.registry
        shard = resources.shard
        queue = try? registry.gauge("stride_ingest_queued_workouts", help: "Workouts that wait for a transaction.")
        queueTime = try? registry.histogram(
            "stride_ingest_queue_duration_seconds",
            help: "From the arrival of a call's workouts to their transaction, or until they were given up.",
            bounds: Histogram.secondsBounds)
        batchSize = try? registry.histogram(
            "stride_ingest_batch_size", help: "Workouts of one transaction.", bounds: Histogram.countBounds)
        commitTime = try? registry.histogram(
            "stride_ingest_commit_duration_seconds", help: "From the start of a transaction to its end.",
            bounds: Histogram.secondsBounds)
        cacheFailures = try? registry.counter(
            "stride_ingest_cache_write_failures_total", help: "Commits whose days could not be shown in Redis.")
        var workouts: [String: Counter] = [:]
        for result in Self.results {
            workouts[result] = try? registry.counter(
                "stride_ingest_workouts_total", help: "Workouts by what became of them.", labels: ["result": result])
        }
        self.workouts = workouts
        var refusedItems: [Problem.Reason: Counter] = [:]
        for reason in Problem.Reason.allCases {
            refusedItems[reason] = try? registry.counter(
                "stride_refused_items_total",
                help: "Items of batches answered 200 whose client is to send them again, by the reason.",
                labels: ["service": "ingest", "reason": reason.rawValue])
        }
        self.refusedItems = refusedItems
    }

    private static let results =
        ["created", "duplicate", "updated", "conflict", "faulty", "user_rate"] + CommitRefusal.names

    func queued(_ change: Int) {
        queuedNow += change
        queue?.set(Double(queuedNow), in: shard)
    }

    func waited(_ duration: Duration) { queueTime?.observe(duration, in: shard) }

    func committed(_ workouts: Int, in duration: Duration, _ outcome: BatchWriter.Outcome) {
        guard outcome.hasWritten else { return }
        batchSize?.observe(Double(workouts), in: shard)
        commitTime?.observe(duration, in: shard)
    }

    func cacheWriteFailed() { cacheFailures?.increment(in: shard) }

    func refused(_ items: RefusedItems) {
        for (reason, count) in items.counts { refusedItems[reason]?.increment(by: UInt64(count), in: shard) }
    }

    func decided(_ outcome: AcceptWorkouts.Outcome) {
        let result =
            switch outcome {
            case .written(.created): "created"
            case .written(.duplicate): "duplicate"
            case .written(.updated): "updated"
            case .written(.conflict): "conflict"
            case .written(.refused): "erased"
            case .faulty: "faulty"
            case .overBudget: "user_rate"
            case .refused(let refusal): refusal.name
            }
        workouts[result]?.increment(in: shard)
    }
}
