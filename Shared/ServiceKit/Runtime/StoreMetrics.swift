internal import EventLoops
internal import Postgres
internal import Redis
internal import Storage
internal import Telemetry

/// What the connections of one loop to PostgreSQL and Redis are doing, in the metrics once a second.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class StoreMetrics: @unchecked Sendable {
    private let loop: EventLoop
    private let postgres: PostgresPool
    private let redis: RedisClient
    private let shard: MetricShard
    private let gauges: [(gauge: Gauge, value: (Seen) -> Int)]
    private let counters: [(counter: Counter, value: (Seen) -> UInt64)]
    private let repairedUsers: Counter?
    private let backlogAge: Gauge?
    private var last: Seen

    /// Both at one moment.
    private struct Seen {
        let pool: PostgresPoolCounters
        let redis: RedisCounters
        let isConnected: Bool
    }

    init(_ resources: LoopResources) {
        loop = resources.loop
        postgres = resources.postgres
        redis = resources.redis
        shard = resources.shard
        let registry = resources.registry
        func gauge(_ name: String, _ help: String, _ value: @escaping (Seen) -> Int) -> (Gauge, (Seen) -> Int)? {
            (try? registry.gauge(name, help: help)).map { ($0, value) }
        }
        func counter(
            _ name: String, _ help: String, _ value: @escaping (Seen) -> UInt64
        ) -> (Counter, (Seen) -> UInt64)? {
            (try? registry.counter(name, help: help)).map { ($0, value) }
        }
        gauges = [
            gauge("stride_loops", "Event loops.") { _ in 1 },
            gauge("stride_postgres_connections", "Connections that are open.") { $0.pool.open },
            gauge("stride_postgres_idle_connections", "Open connections that nobody uses.") { $0.pool.idle },
            gauge("stride_postgres_waiting", "Callers that wait for a connection.") { $0.pool.waiting },
            gauge("stride_redis_connected", "Loops that can reach Redis.") { $0.isConnected ? 1 : 0 },
            gauge("stride_redis_commands_in_flight", "Commands that wait for their replies.") { $0.redis.inFlight },
        ].compactMap(\.self)
        counters = [
            counter("stride_postgres_refused_total", "Callers that got no connection.") { $0.pool.refusedTotal },
            counter("stride_postgres_connect_failures_total", "Attempts to connect that failed.") {
                $0.pool.connectFailedTotal
            },
            counter("stride_postgres_dropped_total", "Connections that ended otherwise than by a stop.") {
                $0.pool.droppedTotal
            },
            counter("stride_redis_commands_total", "Commands sent.") { UInt64($0.redis.commands) },
            counter("stride_redis_timeouts_total", "Exchanges that were not answered in time.") {
                UInt64($0.redis.timeouts)
            },
            counter("stride_redis_losses_total", "Connections that were lost.") { UInt64($0.redis.losses) },
            counter("stride_redis_breaker_openings_total", "How often Redis was too slow to be asked.") {
                UInt64($0.redis.breakerOpenings)
            },
        ].compactMap(\.self)
        repairedUsers = try? registry.counter(
            "stride_cache_repaired_users_total",
            help: "Users whose cache was dropped because a writer had left it behind.")
        backlogAge = try? registry.gauge(
            "stride_cache_backlog_age_seconds",
            help: "Age of the oldest commit that the cache should have seen and has not.", merge: .maximum)
        last = Seen(pool: postgres.counters, redis: redis.counters, isConnected: false)
        observeTimes(resources)
    }

    /// Counts how long exchanges and loans take, to the millisecond, as the loop's clock goes.
    private func observeTimes(_ resources: LoopResources) {
        let (registry, shard) = (resources.registry, shard)
        if let times = try? registry.histogram(
            "stride_redis_exchange_duration_seconds", help: "From the sending of commands to their last reply.",
            bounds: Histogram.secondsBounds)
        {
            redis.onAnswer = { times.observe(Double($0) / 1000, in: shard) }
        }
        if let times = try? registry.histogram(
            "stride_postgres_loan_duration_seconds",
            help: "From the lending of a connection to its return, mostly a transaction.",
            bounds: Histogram.secondsBounds)
        {
            postgres.onReturn = { times.observe($0, in: shard) }
        }
    }

    /// What a look for changes that the cache has not seen has found.
    func repaired(_ finding: MarkRepair.Finding) {
        repairedUsers?.increment(by: UInt64(finding.repairedUsers), in: shard)
        backlogAge?.set(Double(finding.oldestMilliseconds) / 1000, in: shard)
    }

    /// Looks until it is cancelled.
    func watch() async {
        while !Task.isCancelled {
            look()
            try? await loop.sleep(for: .seconds(1))
        }
    }

    private func look() {
        let seen = Seen(pool: postgres.counters, redis: redis.counters, isConnected: redis.isConnected)
        for (gauge, value) in gauges { gauge.set(Double(value(seen)), in: shard) }
        for (counter, value) in counters { counter.increment(by: value(seen) &- value(last), in: shard) }
        last = seen
    }
}
