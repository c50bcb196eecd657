import HTTP
import Models
import Postgres
import ServiceKit
import Storage
import Telemetry

/// Puts the leaderboard together: configuration in, a running service out.
///
/// Tests start it the same way.
enum LeaderboardApplication {
    /// Starts the service; it listens when this returns.
    static func start(
        _ configuration: LeaderboardConfiguration, logger: Logger, registry: MetricRegistry
    ) async throws -> Service<LeaderboardLoop> {
        try await Service.start(
            name: "leaderboard", configuration: configuration.service,
            scripts: BoardCache.scripts + BudgetCounter.scripts, logger: logger, registry: registry
        ) { LeaderboardLoop($0, configuration) }
    }
}

/// The leaderboard on one loop: the cache first, PostgreSQL behind it.
///
/// Confined to its loop, like everything it holds; hence `@unchecked Sendable`.
final class LeaderboardLoop: ServicePart, @unchecked Sendable {
    /// What this part answers.
    let routes: [HTTPRoute]
    /// What is told of the budget where no handler answers.
    let refusalBudget: RefusalBudget?
    private let queue: ChangeQueue
    private let repair: Task<Void, Never>

    init(_ resources: LoopResources, _ configuration: LeaderboardConfiguration) {
        let metrics = LeaderboardMetrics(resources)
        let store = LeaderboardStore(timeout: configuration.statementTimeout)
        let (pool, generation) = (resources.postgres, resources.generation)
        let cache = BoardCache(redis: resources.redis) { generation.current }
        let repairs = BoardRepair(store: store, pool: pool, cache: cache, loop: resources.loop)
        let logger = resources.logger
        repair = Task(executorPreference: resources.loop) {
            await repairs.watch { challenge in
                metrics.repaired()
                logger.warning("board_behind", ["challenge": .string(challenge.text)])
            }
        }
        let builder = BoardBuilder(
            build: BoardBuild(store: store, pool: pool, cache: cache), loop: resources.loop, metrics: metrics,
            logger: logger)
        let source = BoardSource(
            cache: cache, reads: StoreReads(pool: pool, limit: configuration.reads, metrics: metrics),
            store: store, builder: builder, repair: repairs, metrics: metrics)
        let shows = CacheBoard(cache: cache, repair: repairs, metrics: metrics, logger: logger)
        let clock = resources.clock
        let queue = ChangeQueue(
            loop: resources.loop, limit: configuration.queue, patience: configuration.queuePatience
        ) { changes, issued, challenge async throws(PostgresError) in
            try await RecordChanges(store: store, pool: pool, shows: shows, clock: clock)
                .record(changes, issued: issued, of: challenge)
        }
        self.queue = queue
        let budgets = UserBudgets(.athletes, configuration.budget, service: "leaderboard", resources)
        let calls = CallGate(
            authenticator: resources.authenticator, budgets: budgets, policy: "leaderboard", logger: logger)
        refusalBudget = RefusalBudget(budgets, policy: calls.policy, resources)
        let top = TopPages(source: source, loop: resources.loop)
        routes =
            BoardRoutes(calls: calls, source: source, top: top, clock: clock).routes
            + AthleteRoutes(calls: calls, source: source, record: RecordAthletes(queue: queue)).routes
            + ChallengeRoutes(
                calls: calls, source: source, set: SetChallenge(store: store, pool: pool, shows: shows)
            ).routes
    }

    /// Every write ends with its request: nothing is left to finish.
    func finish() async { repair.cancel() }
}
