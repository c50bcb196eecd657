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

    /// Runs the missing steps, each in a transaction of its own, while holding an advisory lock: two callers at once
    /// do the work once.
    ///
    /// - Returns: the steps that were run.
    /// - Throws: `PostgresError`; a step that fails leaves nothing behind. `lock_timeout` keeps a step from queueing
    ///   up behind a long transaction and blocking everybody behind itself.
    package static func migrate(
        _ connection: PostgresConnection, steps: [Migration] = Migration.all
    ) async throws(PostgresError) -> [Migration] {
        let patience = Duration.seconds(120)
        _ = try await connection.query(
            PostgresStatement("", "select pg_advisory_lock($1)", [.int8(lockKey)]), timeout: patience)
        _ = try await connection.query(
            .simple(
                """
                create table if not exists schema_migrations (
                    number integer primary key, name text not null, applied_at timestamptz not null default now())
                """), timeout: patience)
        let found = try await latestStep(connection)
        var done: [Migration] = []
        for step in steps where step.number > found {
            var exchange: [PostgresStatement] = [.begin, .simple("set local lock_timeout = '5s'")]
            exchange += step.statements.map { .simple($0) }
            exchange.append(
                PostgresStatement(
                    "", "insert into schema_migrations (number, name) values ($1, $2)",
                    [.int4(step.number), .text(step.name)]))
            exchange.append(.commit)
            _ = try await connection.exchange(exchange, timeout: patience)
            done.append(step)
        }
        _ = try await connection.query(
            PostgresStatement("", "select pg_advisory_unlock($1)", [.int8(lockKey)]), timeout: patience)
        return done
    }

    /// Looks at the schema without changing it.
    package static func state(_ connection: PostgresConnection) async throws(PostgresError) -> SchemaState {
        let table = try await connection.query(
            .simple("select to_regclass('schema_migrations') is not null"), timeout: .seconds(5))
        guard try table.bool(0, 0) else { return .behind(found: 0) }
        let found = try await latestStep(connection)
        return found >= Migration.latest ? .ready : .behind(found: found)
    }

    private static func latestStep(_ connection: PostgresConnection) async throws(PostgresError) -> Int32 {
        let result = try await connection.query(
            .simple("select coalesce(max(number), 0) from schema_migrations"), timeout: .seconds(5))
        return try result.int32(0, 0)
    }
}
