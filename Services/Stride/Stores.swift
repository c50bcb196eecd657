import EventLoops
import Postgres
import Redis

/// Opens the stores for the time of one command, on a loop of its own.
enum Stores {
    /// Lends a connection to PostgreSQL.
    static func withPostgres<Result: Sendable>(
        _ configuration: PostgresConfiguration,
        _ body: @escaping @Sendable (PostgresConnection) async throws -> Result
    ) async throws -> Result {
        let loop = try EventLoop.start(name: "stride")
        let result = await Task(executorPreference: loop) {
            let connection = try await PostgresConnection.connect(configuration, loop: loop, timeout: .seconds(10))
            defer { connection.close() }
            return try await body(connection)
        }.result
        await loop.stop()
        return try result.get()
    }
}
