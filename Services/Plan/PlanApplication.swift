import HTTP
import ServiceKit
import Storage
import Telemetry

/// Puts the plan service together: configuration in, a running service out.
///
/// Tests start it the same way.
enum PlanApplication {
    /// Starts the service; it listens when this returns.
    static func start(
        _ configuration: PlanConfiguration, logger: Logger, registry: MetricRegistry
    ) async throws -> Service<PlanLoop> {
        try await Service.start(
            name: "plan", configuration: configuration.service, scripts: HomeCache.scripts + BudgetCounter.scripts,
            logger: logger, registry: registry
        ) { PlanLoop($0, configuration) }
    }
}

/// The plan service on one loop.
///
/// Confined to its loop, like everything it holds; hence `@unchecked Sendable`.
final class PlanLoop: ServicePart, @unchecked Sendable {
    /// What this part answers.
    let routes: [HTTPRoute]
    /// What is told of the budget where no handler answers.
    let refusalBudget: RefusalBudget?

    init(_ resources: LoopResources, _ configuration: PlanConfiguration) {
        let store = PlanStore(timeout: configuration.statementTimeout)
        let pool = resources.postgres
        let shows = CacheSettings(resources)
        let budgets = UserBudgets(.plans, configuration.budget, service: "plan", resources)
        let calls = CallGate(
            authenticator: resources.authenticator, budgets: budgets, policy: "plans", logger: resources.logger)
        refusalBudget = RefusalBudget(budgets, policy: calls.policy, resources)
        let read = ReadSettings(store: store, pool: pool)
        let create = CreatePlan(
            store: store, pool: pool, shows: shows, zones: resources.zones, clock: resources.clock)
        let change = ChangeSettings(store: store, pool: pool, shows: shows)
        routes =
            PlanRoutes(calls: calls, read: read, create: create, change: change).routes
            + SettingsRoutes(calls: calls, read: read, change: change, zones: resources.zones).routes
    }

    /// Every write ends with its request: nothing is left to finish.
    func finish() async {}
}
