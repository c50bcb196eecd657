import EventLoops
import Postgres
import StrideTestSupport
import Testing

@testable import Storage

/// How often a transaction is tried.
@Suite struct TransactTests {
    /// Lends a pool with a few sessions on a database of its own.
    private func withPool(
        sessions: Int, _ body: @escaping @Sendable (PostgresPool, TestDatabase) async throws -> Void
    ) async throws {
        try await TestStores.run(migrated: false) { stores in
            let configuration = try PostgresConfiguration(url: stores.database.url, applicationName: "stride-transact")
            try await stores.loop.run {
                let pool = PostgresPool(
                    configuration: configuration, limits: PostgresPoolState.Limits(maximum: sessions), loop: stores.loop
                )
                do { try await body(pool, stores.database) } catch {
                    await pool.close()
                    throw error
                }
                await pool.close()
            }
        }
    }

    @Test("As many ended sessions as a pool has are met one after the other, and then comes a new one")
    func endedSessions() async throws {
        try await withPool(sessions: 5) { pool, database in
            var tries = 0
            let answer = try await pool.transact { connection throws(PostgresError) -> Int64 in
                tries += 1
                if tries <= 5 {
                    let process = connection.serverProcess
                    try? await database.run("select pg_terminate_backend(\(process))")
                }
                return try await connection.query(.simple("select 7::int8"), timeout: .seconds(60)).int64(0, 0)
            }
            #expect(answer == 7)
            #expect(tries == 6)
        }
    }

    @Test("A session that ends with every try is not tried for ever")
    func alwaysEnded() async throws {
        try await withPool(sessions: 2) { pool, database in
            var tries = 0
            await #expect(throws: PostgresError.self) {
                try await pool.transact { connection throws(PostgresError) -> Int64 in
                    tries += 1
                    let process = connection.serverProcess
                    try? await database.run("select pg_terminate_backend(\(process))")
                    return try await connection.query(.simple("select 7::int8"), timeout: .seconds(60)).int64(0, 0)
                }
            }
            #expect(tries == 3)
        }
    }

    @Test("A lost race is tried three times, and what cannot succeed or is not known once")
    func races() async throws {
        let cases: [(code: String, tries: Int)] = [("40001", 3), ("40P01", 3), ("23505", 1), ("55P03", 1)]
        try await withPool(sessions: 2) { pool, _ in
            for (code, expected) in cases {
                var tries = 0
                await #expect(throws: PostgresError.self) {
                    try await pool.transact { connection throws(PostgresError) in
                        tries += 1
                        _ = try await connection.query(
                            .simple("do $$ begin raise exception 'no' using errcode = '\(code)'; end $$"),
                            timeout: .seconds(60))
                    }
                }
                #expect(tries == expected, "\(code)")
            }
        }
    }
}
