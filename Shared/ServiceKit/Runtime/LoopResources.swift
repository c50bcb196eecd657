package import EventLoops
internal import HTTP
package import Postgres
package import Redis
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
                maximum: configuration.postgresConnections, minimum: configuration.postgresConnections),
            loop: loop)
        redis = RedisClient(configuration: configuration.redis, scripts: scripts, loop: loop)
        authenticator = Authenticator(
            verifier: TokenVerifier(keys: keys, policy: configuration.tokenPolicy), clock: configuration.clock,
            logger: logger)
    }

    func start() {
        postgres.start()
        redis.start()
    }

    func close() async {
        await postgres.close()
        redis.close()
    }
}
