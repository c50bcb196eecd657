import Foundation
import Postgres
import Redis
import ServiceKit
import Storage

/// What ingest is told, beyond what every service is.
struct IngestConfiguration: Sendable {
    /// Addresses, stores, tokens, limits.
    var service: ServiceConfiguration
    /// `STRIDE_USER_RATE_PER_MINUTE` (60) and `STRIDE_USER_BURST` (1000): workouts of one user.
    var budget: RateBudget
    /// `STRIDE_INGEST_FLEET_RATE`: workouts a second that all instances take together, a second's worth at once; 0 (the default) for no limit.
    var fleetRate: Int
    /// `STRIDE_INGEST_LANES` (3): transactions that one loop has under way at once: one of single workouts, the others of batch calls.
    ///
    /// Few make large batches, which cost everybody less for each workout; with two for batch calls, one gathers work while the other waits for the disk.
    var lanes: Int
    /// `STRIDE_INGEST_GATHER_MS` (2): how long a lane gathers before a transaction that will not be alone; 0 for never.
    var gathering: Duration
    /// `STRIDE_INGEST_BATCH`: the most workouts of one transaction.
    var batchSize: Int
    /// `STRIDE_INGEST_QUEUE`: the most workouts that wait in one lane; more are refused at once.
    var queueLimit: Int
    /// `STRIDE_INGEST_QUEUE_MS`: the longest that a workout waits before its transaction begins; what would wait an eighth of it
    /// is refused at once, a sixteenth for a batch.
    var queuePatience: Duration
    /// `STRIDE_INGEST_STATEMENT_MS`: the longest that one trip to PostgreSQL takes.
    var statementTimeout: Duration
    /// `STRIDE_INGEST_LOCK_MS`: the longest that a batch waits for the rows of its users; who is still locked then is left out.
    var lockTimeout: Duration
    /// `STRIDE_SHARD_COUNT`: shards of a distributed store; 1 on plain PostgreSQL.
    var shardCount: Int

    /// Reads the settings.
    ///
    /// - Throws: `Settings.Fault` with every fault at once.
    init(from settings: inout Settings) throws(Settings.Fault) {
        budget = RateBudget(
            perMinute: settings.integer("STRIDE_USER_RATE_PER_MINUTE", default: 60, in: 1...60_000_000),
            burst: settings.integer("STRIDE_USER_BURST", default: 1000, in: 1...1_000_000))
        fleetRate = settings.integer("STRIDE_INGEST_FLEET_RATE", default: 0, in: 0...10_000_000)
        // A second's worth is all that there can be at once, and two full batch calls should fit.
        if (1..<1000).contains(fleetRate) { settings.refuse("STRIDE_INGEST_FLEET_RATE must be 0 or at least 1000") }
        lanes = settings.integer("STRIDE_INGEST_LANES", default: 3, in: 1...64)
        gathering = settings.milliseconds("STRIDE_INGEST_GATHER_MS", default: 2, in: 0...1000)
        batchSize = settings.integer("STRIDE_INGEST_BATCH", default: 500, in: 1...5000)
        queueLimit = settings.integer("STRIDE_INGEST_QUEUE", default: 5000, in: 1...1_000_000)
        queuePatience = settings.milliseconds("STRIDE_INGEST_QUEUE_MS", default: 2000, in: 10...60_000)
        statementTimeout = settings.milliseconds("STRIDE_INGEST_STATEMENT_MS", default: 5000, in: 100...60_000)
        lockTimeout = settings.milliseconds("STRIDE_INGEST_LOCK_MS", default: 500, in: 10...60_000)
        shardCount = settings.integer("STRIDE_SHARD_COUNT", default: 1, in: 1...4096)
        let redisPatience = settings.milliseconds("STRIDE_INGEST_REDIS_MS", default: 20, in: 1...60_000)
        service = try ServiceConfiguration(
            name: "ingest", defaultPort: 8081, from: &settings, cores: ProcessInfo.processInfo.activeProcessorCount)
        // A workout waits for Redis no longer than for the disk.
        service.redis.commandTimeout = redisPatience
        service.budgetRedis?.commandTimeout = redisPatience
        service.postgresConnections = max(service.postgresConnections, lanes + 1)
        service.postgres.lockTimeout = min(lockTimeout, statementTimeout)
        service.postgres.statementTimeout = statementTimeout
    }
}
