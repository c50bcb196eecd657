package import EventLoops
internal import HTTP
internal import Models
package import Postgres
package import Redis
package import Storage
package import Telemetry

/// What a service has on each of its loops: its own connections, caches and counters, so that loops share nothing.
///
/// Confined to `loop`; made there and handed to the part of the service that lives there, hence `@unchecked Sendable`.
package final class LoopResources: @unchecked Sendable {
    /// The loop.
    package let loop: EventLoop
    /// What the service was told.
    package let configuration: ServiceConfiguration
    /// Connections to PostgreSQL.
    package let postgres: PostgresPool
    /// The connection to Redis.
    package let redis: RedisClient
    /// The connection over which budgets are counted; mostly the same.
    package let budgetRedis: RedisClient
    /// What the home screens are made from.
    package let cache: HomeCache
    /// Commits that the cache has seen.
    package let marks: MarkBook
    /// Which users were erased lately.
    package let erasures: ErasureBook
    /// Who asks.
    package let authenticator: Authenticator
    /// Time zones by name.
    package let zones = ZoneCatalogue()
    /// The server's idea of now.
    package let clock: WallClock
    /// This loop's share of the metrics.
    package let shard: MetricShard
    /// Where metrics are registered.
    package let registry: MetricRegistry
    /// The log.
    package let logger: Logger
    /// What the HTTP server tells.
    package let requestMetrics: RequestMetrics
    /// Which users were here within the last minute.
    let users = DistinctWindow()

    /// Which servers the cache speaks of.
    package let generation: CacheGeneration
    private var watches: [Task<Void, Never>] = []

    init(
        loop: EventLoop, name: String, configuration: ServiceConfiguration, scripts: [RedisScript], keys: TokenKeys,
        registry: MetricRegistry, logger: Logger
    ) {
        loop.preconditionInLoop()
        self.loop = loop
        self.configuration = configuration
        clock = configuration.clock
        self.registry = registry
        self.logger = logger
        shard = registry.makeShard()
        requestMetrics = RequestMetrics(registry: registry, shard: shard, service: name)
        postgres = PostgresPool(
            configuration: configuration.postgres,
            limits: PostgresPoolState.Limits(
                maximum: configuration.postgresConnections, minimum: configuration.postgresConnections,
                patience: configuration.postgresPatience),
            loop: loop)
        redis = RedisClient(configuration: configuration.redis, scripts: scripts, loop: loop)
        budgetRedis =
            configuration.budgetRedis.map { RedisClient(configuration: $0, scripts: BudgetCounter.scripts, loop: loop) }
            ?? redis
        let generation = CacheGeneration(redis: redis, postgres: postgres, loop: loop)
        self.generation = generation
        cache = HomeCache(redis: redis) { generation.current }
        marks = MarkBook(pool: postgres, loop: loop)
        let clock = configuration.clock
        let erasures = ErasureBook(
            pool: postgres, loop: loop, reach: configuration.tokenLife, now: { clock.now })
        self.erasures = erasures
        authenticator = Authenticator(
            verifier: TokenVerifier(keys: keys, policy: configuration.tokenPolicy), erasures: erasures,
            clock: configuration.clock, logger: logger
        ) { [users] user in
            // The id is part of a digest, so its last 62 bits are as good as any hash.
            users.see(user.value.low, at: loop.now.milliseconds)
        }
    }

    func start() {
        postgres.start()
        redis.start()
        budgetRedis.start()
        let repair = MarkRepair(pool: postgres, cache: cache, generation: generation, loop: loop)
        let metrics = StoreMetrics(self)
        watches = [
            Task(executorPreference: loop) { await self.generation.watch() },
            Task(executorPreference: loop) { await repair.watch { metrics.repaired($0) } },
            Task(executorPreference: loop) { await metrics.watch() },
            Task(executorPreference: loop) { await self.erasures.watch() },
        ]
    }

    /// Learns who was erased, and which servers the cache speaks of, so that the first commit can be shown; gives up on what is away.
    func meetStores() async {
        let generation = generation
        try? await loop.run {
            await self.erasures.look()
            try? await self.redis.waitUntilReady(timeout: .milliseconds(500))
            for _ in 0..<10 where generation.current == nil && self.redis.isConnected { await generation.look() }
        }
    }

    func close() async {
        for watch in watches { watch.cancel() }
        await marks.sweep()
        await postgres.close()
        redis.close()
        budgetRedis.close()
    }
}
