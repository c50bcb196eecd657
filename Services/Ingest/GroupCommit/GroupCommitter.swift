import EventLoops
import Models
import ServiceKit
import Storage

/// Gathers the workouts of many requests into few transactions.
///
/// The users of a loop are dealt to a few lanes, each with one transaction under way, so that two transactions of one
/// loop never wait for the same user. Confined to its loop, hence `@unchecked Sendable`.
final class GroupCommitter: @unchecked Sendable {
    private let loop: EventLoop
    private let lanes: [CommitLane]
    private let shards: ShardBuckets

    init(
        _ resources: LoopResources, _ configuration: IngestConfiguration, writer: BatchWriter, shows: CacheDays,
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
                gathering: configuration.gathering, writer: writer, shows: shows, metrics: metrics,
                logger: resources.logger)
        }
    }

    /// Why workouts of a user would not be taken now; nil if they would.
    ///
    /// Costs next to nothing.
    func refusal(of urgency: QueueAdmission.Urgency, _ count: Int, from user: UserID) -> CommitRefusal? {
        place(of: user).lane.refusal(of: urgency, count)
    }

    /// Writes workouts of one user; all of them are answered, in order.
    ///
    /// - Parameter call: the id of the request, for the log.
    func commit(_ writes: [WorkoutWrite], of call: String) async -> [CommitAnswer] {
        guard let user = writes.first?.user else { return [] }
        let (lane, bucket) = place(of: user)
        return await lane.commit(writes, of: call, bucket: bucket)
    }

    private func place(of user: UserID) -> (lane: CommitLane, bucket: Int) {
        let hash = shards.hash(of: user)
        let bucket = shards.bucket(of: hash)
        // On a distributed store a lane serves whole buckets; on one machine the hash alone spreads the users.
        return (lanes[shards.count > 1 ? bucket % lanes.count : Int(hash) % lanes.count], bucket)
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
