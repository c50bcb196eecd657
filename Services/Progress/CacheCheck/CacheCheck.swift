import EventLoops
import Models
import Postgres
import ServiceKit
import Storage
import Telemetry

/// Compares what the cache would answer with PostgreSQL, one user at a time, for as long as the service runs.
///
/// It finds what nobody has thought of. A difference counts only if it is still there when the promised time is over; the
/// user's hash is then dropped, so that nobody is shown it any longer. Confined to its loop, hence `@unchecked Sendable`.
final class CacheCheck: @unchecked Sendable {
    private let loop: EventLoop
    private let pool: PostgresPool
    private let cache: HomeCache
    private let reader: HomeReader
    private let configuration: ProgressConfiguration
    private let metrics: ProgressMetrics
    private let logger: Logger
    private let clock: WallClock

    private static let timeout = Duration.seconds(1)

    private init(_ resources: LoopResources, _ configuration: ProgressConfiguration, metrics: ProgressMetrics) {
        loop = resources.loop
        pool = resources.postgres
        cache = resources.cache
        reader = HomeReader(timeout: Self.timeout)
        self.configuration = configuration
        self.metrics = metrics
        logger = resources.logger
        clock = resources.clock
    }

    /// Begins to check on the loop of the resources; nil when that is turned off.
    static func start(
        _ resources: LoopResources, _ configuration: ProgressConfiguration, metrics: ProgressMetrics
    ) -> Task<Void, Never>? {
        guard configuration.checkInterval > .zero else { return nil }
        let check = CacheCheck(resources, configuration, metrics: metrics)
        return Task(executorPreference: resources.loop) { await check.run() }
    }

    private func run() async {
        while !Task.isCancelled {
            do { try await loop.sleep(for: configuration.checkInterval) } catch { return }
            // A store that is away makes a comparison impossible, not wrong.
            try? await checkOne()
        }
    }

    private func checkOne() async throws {
        let timeout = Self.timeout
        let user = try await pool.withConnection(.upkeep, timeout: timeout) { connection throws(PostgresError) in
            try await UserSample.any(on: connection, timeout: timeout)
        }
        guard let user, let cached = try await cache.read(user) else { return }
        let first = try await stored(user)
        guard HomeComparison(first: first, last: first).isWrong(cached) else {
            return metrics.checked(isConsistent: true)
        }
        try await loop.sleep(for: configuration.checkPatience)
        guard let cached = try await cache.read(user) else { return metrics.checked(isConsistent: true) }
        let isWrong = HomeComparison(first: first, last: try await stored(user)).isWrong(cached)
        metrics.checked(isConsistent: !isWrong)
        guard isWrong else { return }
        logger.error("cache_inconsistent", ["user": .string(user.description)])
        try await cache.drop([user])
    }

    private func stored(_ user: UserID) async throws(PostgresError) -> HomeData {
        let (reader, day) = (reader, HomeReader.firstDay(at: clock.now))
        return try await pool.withConnection(.upkeep, timeout: Self.timeout) { connection throws(PostgresError) in
            try await reader.read(user, from: day, on: connection)
        }
    }
}
