import EventLoops
import Postgres
import Storage

/// Reads from PostgreSQL, so many at once and no more.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class StoreReads: @unchecked Sendable {
    private let pool: PostgresPool
    private let limit: Int
    private let metrics: LeaderboardMetrics
    private var running = 0

    init(pool: PostgresPool, limit: Int, metrics: LeaderboardMetrics) {
        self.pool = pool
        self.limit = limit
        self.metrics = metrics
    }

    /// Reads, or refuses at once.
    func read<Value>(
        _ body: (PostgresConnection) async throws(PostgresError) -> Value
    ) async throws(PostgresError) -> Value {
        guard running < limit else {
            metrics.refusedRead()
            throw .overload
        }
        running += 1
        defer { running -= 1 }
        metrics.readStore()
        return try await pool.transact(.live, body)
    }
}
