import Models
import Postgres
import Storage
import Telemetry

/// Reads from PostgreSQL: from the standby when one is named and has everything of the user, else from the primary.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class StoreReads: @unchecked Sendable {
    private let primary: PostgresPool
    private let replica: ReadReplica?
    private let metrics: ProgressMetrics
    private let logger: Logger

    init(primary: PostgresPool, replica: ReadReplica?, metrics: ProgressMetrics, logger: Logger) {
        self.primary = primary
        self.replica = replica
        self.metrics = metrics
        self.logger = logger
    }

    /// Reads something of a user, with everything that was acknowledged before the call.
    ///
    /// - Parameters:
    ///   - begins: called before anything is asked: what is acknowledged from then on may be missing. Called again with each try.
    ///   - body: one trip, which sees one moment.
    func read<Value>(
        _ kind: ProgressMetrics.StoreRead, of user: UserID, begins: () -> Void = {},
        _ body: (PostgresConnection) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        do throws(PostgresError) {
            if let replica, replica.isFollowing {
                begins()
                let value = try await replica.read(of: user, body)
                metrics.readReplica(hasAnswered: value != nil)
                if let value { return value }
            }
            return try await primary.transact(kind.urgency) { connection throws(PostgresError) in
                begins()
                metrics.readStore(kind)
                return try await body(connection)
            }
        } catch {
            logger.warning("database_not_read", ["error": .describing(error), "kind": .string(kind.rawValue)])
            throw error
        }
    }
}
