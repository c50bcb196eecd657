import EventLoops
import Models
import ServiceKit
import Storage

/// Gathers the workouts of many requests into few transactions.
///
/// Single workouts of all users share the first lane: half as many lanes make batches twice as large, and at most rates the share
/// of a transaction is the larger part of what a workout costs. The users of batch calls, which are large by themselves, are dealt to the other
/// lanes; so nobody who looks at a screen waits behind them. Confined to its loop, hence `@unchecked Sendable`.
final class GroupCommitter: @unchecked Sendable {
    private let loop: EventLoop
    private let lanes: [CommitLane]
    private let shards: ShardBuckets

    init(
        _ resources: LoopResources, _ configuration: IngestConfiguration, writer: BatchWriter, cacheDays: CacheDays,
        metrics: IngestMetrics
    ) {
        loop = resources.loop
        shards = ShardBuckets(count: configuration.shardCount)
        lanes = (0..<configuration.lanes).map { _ in
            CommitLane(
                loop: resources.loop,
                state: CommitQueueState(
                    batchSize: configuration.batchSize, limit: configuration.queueLimit,
                    patience: configuration.queuePatience, buckets: configuration.shardCount),
                gathering: configuration.gathering, writer: writer, cacheDays: cacheDays, metrics: metrics,
                logger: resources.logger)
        }
    }

    /// Why workouts of a user would not be taken now; nil if they would.
    ///
    /// Costs next to nothing.
    func refusal(of urgency: QueueAdmission.Urgency, _ count: Int, from user: UserID) -> CommitRefusal? {
        place(of: user, urgency).lane.refusal(of: urgency, count)
    }

    /// Writes workouts of one user; all of them are answered, in order.
    ///
    /// - Parameter call: the id of the request, for the log.
    func commit(
        _ writes: [WorkoutWrite], _ urgency: QueueAdmission.Urgency, of call: String
    ) async -> [CommitAnswer] {
        guard let user = writes.first?.user else { return [] }
        let (lane, bucket) = place(of: user, urgency)
        return await lane.commit(writes, of: call, bucket: bucket)
    }

    private func place(of user: UserID, _ urgency: QueueAdmission.Urgency) -> (lane: CommitLane, bucket: Int) {
        let hash = shards.hash(of: user)
        let bucket = shards.bucket(of: hash)
        // On a distributed store a lane serves whole buckets.
        guard shards.count == 1 else { return (lanes[bucket % lanes.count], bucket) }
        guard urgency != .live, lanes.count > 1 else { return (lanes[0], bucket) }
        return (lanes[1 + Int(hash) % (lanes.count - 1)], bucket)
    }

    /// Writes what waits, takes no more, and returns when everyone is answered.
    func finish() async {
        for lane in lanes { lane.drain() }
        #if DEBUG
            FaultPoint.drain.reach()
        #endif
        while !lanes.allSatisfy(\.isQuiet) { try? await loop.sleep(for: .milliseconds(5)) }
        for lane in lanes { lane.close() }
    }
}
