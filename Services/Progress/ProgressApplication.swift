import HTTP
import Postgres
import ServiceKit
import Storage
import Telemetry

/// Puts progress together: configuration in, a running service out.
///
/// Tests start it the same way.
enum ProgressApplication {
    /// Starts the service; it listens when this returns.
    static func start(
        _ configuration: ProgressConfiguration, logger: Logger, registry: MetricRegistry
    ) async throws -> Service<ProgressLoop> {
        try await Service.start(
            name: "progress", configuration: configuration.service, scripts: HomeCache.scripts, logger: logger,
            registry: registry
        ) { ProgressLoop($0, configuration) }
    }
}

/// Progress on one loop: who asks, the cache first, PostgreSQL behind it.
///
/// Confined to its loop, like everything it holds; hence `@unchecked Sendable`.
final class ProgressLoop: ServicePart, @unchecked Sendable {
    /// What this part answers.
    let routes: [HTTPRoute]
    private let fills: HomeFills
    private let replica: ReadReplica?
    private let replicaWatch: Task<Void, Never>?
    private let check: Task<Void, Never>?

    init(_ resources: LoopResources, _ configuration: ProgressConfiguration) {
        let metrics = ProgressMetrics(resources)
        let reader = HomeReader(timeout: configuration.statementTimeout)
        let replica = configuration.makeReplica(resources)
        let store = StoreReads(
            primary: resources.postgres, replica: replica, metrics: metrics, logger: resources.logger)
        let clock = resources.clock
        fills = HomeFills(
            loop: resources.loop, cache: resources.cache,
            state: FillState(
                limit: configuration.fills, queueLimit: configuration.fillQueue, patience: configuration.fillPatience),
            metrics: metrics
        ) { user, begins async throws(PostgresError) in
            try await store.read(.home, of: user, begins: begins) { connection throws(PostgresError) in
                try await reader.read(user, from: HomeReader.firstDay(at: clock.now), on: connection)
            }
        }
        let homes = HomeSource(cache: resources.cache, fills: fills, metrics: metrics)
        let days = DaySource(store: store, reader: DayTotalsReader(timeout: configuration.statementTimeout))
        let moments = Moments(zones: resources.zones, clock: clock)
        routes =
            ProgressRoutes(
                authenticator: resources.authenticator, zones: resources.zones,
                summary: ShowSummary(homes: homes, days: days, moments: moments),
                progress: ShowProgress(homes: homes, days: days, moments: moments),
                days: ShowDays(homes: homes, days: days, clock: clock),
                workouts: ListWorkouts(store: store, pages: WorkoutPages(timeout: configuration.statementTimeout)),
                changes: ListChanges(store: store, reader: ChangesReader(timeout: configuration.statementTimeout)),
                export: ExportEverything(
                    loop: resources.loop, store: store, reader: ExportReader(timeout: configuration.statementTimeout),
                    limit: configuration.exports, clock: { clock.now })
            ).routes
        self.replica = replica
        replicaWatch = replica.map { replica in
            Task(executorPreference: resources.loop) { await replica.watch() }
        }
        check = CacheCheck.start(resources, configuration, metrics: metrics)
    }

    /// Whoever still waits is sent away; the reads under way have their own deadlines.
    func finish() async {
        check?.cancel()
        replicaWatch?.cancel()
        fills.close()
        await replica?.close()
    }
}
