import HTTP
import ServiceKit
import Storage
import Telemetry

/// Puts ingest together: configuration in, a running service out.
///
/// Tests start it the same way.
enum IngestApplication {
    /// Starts the service; it listens when this returns.
    static func start(
        _ configuration: IngestConfiguration, logger: Logger, registry: MetricRegistry
    ) async throws -> Service<IngestLoop> {
        try await Service.start(
            name: "ingest", configuration: configuration.service,
            scripts: HomeCache.scripts + BudgetCounter.scripts + BoardCache.scripts, logger: logger, registry: registry
        ) { IngestLoop($0, configuration) }
    }
}

/// Ingest on one loop: who asks, may they, write it, show it.
///
/// Confined to its loop, like everything it holds; hence `@unchecked Sendable`.
final class IngestLoop: ServicePart, @unchecked Sendable {
    /// What this part answers.
    let routes: [HTTPRoute]
    /// What is told of the budget where no handler answers.
    let refusalBudget: RefusalBudget?
    private let committer: GroupCommitter
    private let erasing: ErasureWork
    private let rescue: Task<Void, Never>

    init(_ resources: LoopResources, _ configuration: IngestConfiguration) {
        let metrics = IngestMetrics(resources)
        let cacheDays = CacheDays(
            cache: resources.cache, marks: resources.marks, metrics: metrics, logger: resources.logger)
        let zones = resources.zones
        let store = WorkoutStore(timeout: configuration.statementTimeout, clock: { zones.clock(of: $0) })
        let budgets = UserBudgets(.workouts, configuration.budget, service: "ingest", resources)
        refusalBudget = RefusalBudget(budgets, policy: WorkoutAnswers.policy, resources)
        let writer = BatchWriter(
            store: store, pool: resources.postgres, patience: min(configuration.statementTimeout, .seconds(5)))
        committer = GroupCommitter(resources, configuration, writer: writer, cacheDays: cacheDays, metrics: metrics)
        let accept = AcceptWorkouts(
            budgets: budgets,
            fleet: FleetBudget(perSecond: configuration.fleetRate, service: "ingest", resources), committer: committer,
            zones: zones,
            profiles: ProfileZones(resources, store: PlanStore(timeout: configuration.statementTimeout)),
            clock: resources.clock, metrics: metrics)
        let delete = DeleteWorkout(
            budgets: budgets, store: store, pool: resources.postgres, cacheDays: cacheDays, logger: resources.logger)
        let answers = WorkoutAnswers(budget: configuration.budget, clock: resources.clock)
        let erasing = ErasureWork(resources, timeout: configuration.statementTimeout)
        self.erasing = erasing
        let rescues = ErasureRescue(resources, work: erasing)
        rescue = Task(executorPreference: resources.loop) { await rescues.watch() }
        routes =
            WorkoutRoutes(
                authenticator: resources.authenticator, accept: accept, delete: delete, answers: answers,
                metrics: metrics, logger: resources.logger
            ).routes
            + ErasureRoutes(
                authenticator: resources.authenticator,
                erase: EraseUser(budgets: budgets, work: erasing, logger: resources.logger),
                answers: answers
            ).routes
    }

    /// Writes what is still queued, and leaves erasures to others.
    func finish() async {
        rescue.cancel()
        await committer.finish()
        await erasing.stop()
    }
}
