internal import EventLoops
internal import Postgres
internal import Storage
internal import Synchronization
internal import Telemetry

/// Whether a service accepts work: the schema was seen up to date, and it is not draining.
///
/// A database that goes away later does not change it: the service answers such times by itself, and taking every
/// instance out of the gateway at once would only hide its answer.
final class Readiness: Sendable {
    private let hasSchema = Atomic<Bool>(false)
    private let isDraining = Atomic<Bool>(false)

    var isReady: Bool { hasSchema.load(ordering: .relaxed) && !isDraining.load(ordering: .relaxed) }

    var isStopping: Bool { isDraining.load(ordering: .relaxed) }

    func beginDraining() { isDraining.store(true, ordering: .relaxed) }

    /// Looks at the schema until it is there; a service must not write into one that it does not know.
    ///
    /// - Parameter meetStores: what is still done, once, before the service calls itself ready.
    func watchSchema(
        _ pool: PostgresPool, loop: EventLoop, logger: Logger, meetStores: @Sendable () async -> Void
    ) async {
        while !isDraining.load(ordering: .relaxed) {
            do {
                let state = try await pool.withConnection(.upkeep, timeout: .seconds(5)) {
                    connection throws(PostgresError) in
                    try await Migrator.state(connection)
                }
                switch state {
                case .ready:
                    await meetStores()
                    return hasSchema.store(true, ordering: .relaxed)
                case .behind(let found):
                    logger.error(
                        "schema_behind",
                        [
                            "found": .number(Int(found)), "needed": .number(Int(Migration.latest)),
                            "mend": "stride migrate",
                        ])
                }
            } catch {
                logger.warning("schema_unknown", ["error": .describing(error)])
            }
            try? await loop.sleep(for: .milliseconds(500))
        }
    }
}
