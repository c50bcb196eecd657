import Postgres
import Telemetry

/// Reads from PostgreSQL: a connection, one trip, and what a failure means.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class StoreReads: @unchecked Sendable {
    private let pool: PostgresPool
    private let metrics: ProgressMetrics
    private let logger: Logger

    private static let connectionWait = Duration.seconds(1)

    init(pool: PostgresPool, metrics: ProgressMetrics, logger: Logger) {
        self.pool = pool
        self.metrics = metrics
        self.logger = logger
    }

    /// Reads; a read that met the end of a session is tried once more on another one.
    func read<Value>(
        _ kind: ProgressMetrics.StoreRead,
        _ body: (PostgresConnection) async throws(PostgresError) -> Value
    ) async throws(ReadRefusal) -> Value {
        do throws(PostgresError) {
            return try await attempt(kind, body)
        } catch {
            guard error.disposition == .retry || error.disposition == .reconnect else { throw refusal(error, kind) }
        }
        do throws(PostgresError) { return try await attempt(kind, body) } catch { throw refusal(error, kind) }
    }

    private func attempt<Value>(
        _ kind: ProgressMetrics.StoreRead,
        _ body: (PostgresConnection) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        try await pool.withConnection(timeout: Self.connectionWait) { connection throws(PostgresError) in
            metrics.readStore(kind)
            return try await body(connection)
        }
    }

    private func refusal(_ error: PostgresError, _ kind: ProgressMetrics.StoreRead) -> ReadRefusal {
        logger.warning("database_not_read", ["error": .describing(error), "kind": .string(kind.rawValue)])
        return ReadRefusal(error)
    }
}
