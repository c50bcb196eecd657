internal import EventLoops
package import Postgres

/// Brings a database to the latest schema, and tells whether it is there.
package enum Migrator {
    /// What a service finds when it looks at the schema.
    package enum SchemaState: Hashable, Sendable {
        /// At the latest step, or beyond it (a newer build has migrated; steps are compatible with the build before).
        case ready
        /// Steps are missing: `stride migrate` has to run.
        case behind(found: Int32)
    }

    /// Any number that no other program uses for its advisory locks: "stride" in ASCII.
    private static let lockKey: Int64 = 0x7374_7269_6465
    /// How long a trip may take.
    private static let patience = Duration.seconds(120)

    /// Runs the missing steps, each in a transaction of its own that holds an advisory lock: two callers at once do the
    /// work once.
    ///
    /// The lock ends with the transaction, never with the session: behind a pooler nobody could give back the session's.
    ///
    /// - Returns: the steps that were run.
    /// - Throws: `PostgresError`; a step that fails leaves nothing behind, and the session in the failed transaction.
    ///   A lock that cannot be had in twenty tries, about ten seconds, is `lockNotAvailable`.
    package static func migrate(
        _ connection: PostgresConnection, steps: [Migration] = Migration.all
    ) async throws(PostgresError) -> [Migration] {
        var done: [Migration] = []
        while let step = try await next(of: steps, on: connection) {
            done.append(step)
        }
        return done
    }

    /// Runs the next step that is missing, and tries again while somebody else holds a lock that it needs.
    ///
    /// Whoever comes after a step that waits for its lock waits too, and calls that would wait a quarter of a second are refused: so
    /// a try is shorter, and between two the queue that has formed has time to go on.
    private static func next(
        of steps: [Migration], on connection: PostgresConnection
    ) async throws(PostgresError) -> Migration? {
        var tries = 20
        while true {
            do throws(PostgresError) {
                return try await run(steps, on: connection)
            } catch {
                tries -= 1
                guard error.sqlState == .lockNotAvailable, tries > 0 else { throw error }
                _ = try await connection.query(.rollback, timeout: patience)
                try? await connection.loop.sleep(for: .milliseconds(400))
            }
        }
    }

    /// Runs the first step that is missing, if there is one.
    private static func run(
        _ steps: [Migration], on connection: PostgresConnection
    ) async throws(PostgresError) -> Migration? {
        let found = try await open(connection)
        guard let step = steps.first(where: { $0.number > found }) else {
            _ = try await connection.query(.commit, timeout: patience)
            return nil
        }
        var exchange: [PostgresStatement] = [.simple("set local lock_timeout = '100ms'")]
        exchange += step.statements.map { .simple($0) }
        exchange.append(
            PostgresStatement(
                "", "insert into schema_migrations (number, name) values ($1, $2)",
                [.int4(step.number), .text(step.name)]))
        exchange.append(.commit)
        _ = try await connection.exchange(exchange, timeout: patience)
        return step
    }

    /// Opens the transaction of one step, waits for its turn and tells the latest step that was run.
    ///
    /// Limits of the role are for services: neither the turn nor a step is done within them.
    private static func open(_ connection: PostgresConnection) async throws(PostgresError) -> Int32 {
        let results = try await connection.exchange(
            [
                .begin, .simple("set local statement_timeout = 0"), .simple("set local lock_timeout = 0"),
                PostgresStatement("", "select pg_advisory_xact_lock($1)", [.int8(lockKey)]),
                .simple(
                    """
                    create table if not exists schema_migrations (
                        number integer primary key, name text not null, applied_at timestamptz not null default now())
                    """), latestStep,
            ], timeout: patience)
        guard let latest = results.last else { return 0 }
        return try latest.int32(0, 0)
    }

    /// Looks at the schema without changing it.
    package static func state(_ connection: PostgresConnection) async throws(PostgresError) -> SchemaState {
        let table = try await connection.query(
            .simple("select to_regclass('schema_migrations') is not null"), timeout: .seconds(5))
        guard try table.bool(0, 0) else { return .behind(found: 0) }
        let found = try await connection.query(latestStep, timeout: .seconds(5)).int32(0, 0)
        return found >= Migration.latest ? .ready : .behind(found: found)
    }

    private static let latestStep = PostgresStatement.simple(
        "select coalesce(max(number), 0) from schema_migrations")
}
