/// What an instance says of itself in Redis, each second and each minute; the raw value is the name of the field.
///
/// Documented in `docs/redis.md`, which a test compares with this list. Where a service has no such thing the field is absent.
package enum StatisticsField: String, CaseIterable, Sendable {
    /// The milliseconds that the counts below are of: about 1000, or about 60 000.
    case span = "span_ms"
    /// Calls that were answered.
    case requests
    /// Ingest: workouts that were written, new or as the next state of one under way. Others: calls answered with 2xx or 3xx.
    case accepted
    /// Workouts that were known already.
    case duplicates
    /// Workouts with faults or other content under a known id; calls answered with another 4xx than 429.
    case faulty
    /// Calls that failed by a fault of ours: 5xx other than 503.
    case failed
    /// Refused because the user's own budget is used up.
    case refusedUserRate = "refused_user_rate"
    /// Refused because more waits than can be served in time.
    case refusedOverload = "refused_overload"
    /// Refused because PostgreSQL does not answer.
    case refusedStore = "refused_store_unavailable"
    /// Refused because the instance is stopping.
    case refusedDraining = "refused_draining"
    /// Calls that took so long or less, half of them, from their last byte to the answer.
    case requestMedian = "request_p50_us"
    /// The same for 99 of 100.
    case requestHigh = "request_p99_us"
    /// Transactions of workouts.
    case batches
    /// Workouts of one transaction, on average.
    case batchSize = "batch_size"
    /// What waits for a transaction now.
    case queued
    /// How long half of the calls waited at most before their transaction began.
    case queueMedian = "queue_p50_us"
    /// The same for 99 of 100.
    case queueHigh = "queue_p99_us"
    /// Half of the transactions took so long at most.
    case commitMedian = "commit_p50_us"
    /// The same for 99 of 100.
    case commitHigh = "commit_p99_us"
    /// Looks into the cache that found everything.
    case cacheHits = "cache_hits"
    /// Looks into the cache that found nothing, or not everything.
    case cacheMisses = "cache_misses"
    /// Looks into the cache that Redis did not answer.
    case cacheErrors = "cache_errors"
    /// About how many users were seen within the last minute.
    case users
    /// Pieces of the fleet's budget that were fetched.
    case leases
    /// Budget decisions that loops took alone, because Redis could not count.
    case localDecisions = "local_decisions"
    /// Event loops.
    case loops
    /// Loops that can reach Redis.
    case redisConnected = "redis_connected"
    /// 99 of 100 exchanges with Redis took so long at most.
    case redisHigh = "redis_p99_us"
    /// Connections to PostgreSQL.
    case postgresConnections = "postgres_connections"
    /// Those of them that nobody uses.
    case postgresIdle = "postgres_idle"
    /// Callers that wait for a connection.
    case postgresWaiting = "postgres_waiting"
    /// 99 of 100 loans of a connection, a transaction each, took so long at most.
    case postgresHigh = "postgres_p99_us"
}

extension StatisticsField {
    /// How the values of several instances, or of several minutes, become one.
    package enum Merge: Sendable {
        /// They are added.
        case sum
        /// The largest counts: a percentile of percentiles does not exist, and the worst is what one looks for.
        case worst
        /// Their mean, weighted by another field.
        case mean(by: StatisticsField)
    }

    /// How values become one.
    ///
    /// `users` of several instances are joined by their sketches, not by this.
    package var merge: Merge {
        switch self {
        case .span, .requestMedian, .requestHigh, .queueMedian, .queueHigh, .commitMedian, .commitHigh, .redisHigh,
            .postgresHigh, .users:
            .worst
        case .batchSize: .mean(by: .batches)
        case .requests, .accepted, .duplicates, .faulty, .failed, .refusedUserRate, .refusedOverload, .refusedStore,
            .refusedDraining, .batches, .queued, .cacheHits, .cacheMisses, .cacheErrors, .leases, .localDecisions,
            .loops, .redisConnected, .postgresConnections, .postgresIdle, .postgresWaiting:
            .sum
        }
    }

    /// Whether it counts what happened within the time, and so is larger when that time is.
    var isCount: Bool {
        switch self {
        case .requests, .accepted, .duplicates, .faulty, .failed, .refusedUserRate, .refusedOverload, .refusedStore,
            .refusedDraining, .batches, .cacheHits, .cacheMisses, .cacheErrors, .leases, .localDecisions:
            true
        case .span, .requestMedian, .requestHigh, .batchSize, .queued, .queueMedian, .queueHigh, .commitMedian,
            .commitHigh, .users, .loops, .redisConnected, .redisHigh, .postgresConnections, .postgresIdle,
            .postgresWaiting, .postgresHigh:
            false
        }
    }

    /// The refusals, in the order in which they are shown.
    package static let refusals: [StatisticsField] = [
        .refusedUserRate, .refusedOverload, .refusedStore, .refusedDraining,
    ]
}
