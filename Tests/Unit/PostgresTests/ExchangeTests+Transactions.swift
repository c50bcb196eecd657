import EventLoops
import Testing

@testable import Postgres

/// What errors leave of a pipeline, a transaction and a commit.
extension ExchangeTests {
    @Test("An error in a pipeline keeps the rest from running and leaves the session usable")
    func errorInPipeline() async throws {
        try await withServer { connection in
            try await connection.run("CREATE TEMP TABLE t (id int8 CONSTRAINT only_once PRIMARY KEY)")
            let put = PostgresStatement("put", "INSERT INTO t VALUES ($1)", [.int8(1)])
            let error = await failure {
                try await connection.exchange([put, put, .simple("SELECT 1/0")], timeout: .seconds(20))
            }
            #expect(error.code == .server(.uniqueViolation) && error.constraint == "only_once")
            #expect(error.disposition == .fail && !error.isOutcomeUnknown)
            #expect(connection.isProvablyIdle)
            #expect(try await connection.number("SELECT count(*) FROM t") == 0)
        }
    }

    @Test("A transaction goes over several exchanges; after an error only ROLLBACK helps, and COMMIT says so")
    func transactions() async throws {
        try await withServer { connection in
            try await connection.run("CREATE TEMP TABLE t (id int8 PRIMARY KEY)")
            let put = PostgresStatement("put", "INSERT INTO t VALUES ($1)", [.int8(1)])
            _ = try await connection.exchange([.begin, put], timeout: .seconds(20))
            #expect(connection.transactionStatus == .inTransaction && !connection.isProvablyIdle)
            _ = try await connection.exchange([.commit], timeout: .seconds(20))
            #expect(connection.transactionStatus == .idle)
            let twice = await failure {
                try await connection.exchange([.begin, put], timeout: .seconds(20))
            }
            #expect(twice.code == .server(.uniqueViolation))
            #expect(connection.transactionStatus == .inFailedTransaction)
            let commit = await failure {
                try await connection.exchange([.commit], timeout: .seconds(20))
            }
            #expect(commit.code == .rolledBack && connection.isProvablyIdle)
            _ = try await connection.exchange([.begin, .rollback], timeout: .seconds(20))
            #expect(try await connection.number("SELECT count(*) FROM t") == 1)
        }
    }

    @Test("A commit that a deferred constraint refuses is an error, by COMMIT and by itself")
    func deferred() async throws {
        try await withServer { connection in
            try await connection.run(
                "CREATE TEMP TABLE t (id int8 UNIQUE DEFERRABLE INITIALLY DEFERRED)", "INSERT INTO t VALUES (1)")
            let put = PostgresStatement("put", "INSERT INTO t VALUES (1)")
            for statements in [[put], [.begin, put, .commit]] {
                let error = await failure {
                    try await connection.exchange(statements, timeout: .seconds(20))
                }
                #expect(error.code == .server(.uniqueViolation) && !error.isOutcomeUnknown)
                #expect(connection.isProvablyIdle)
                #expect(try await connection.number("SELECT count(*) FROM t") == 1)
            }
        }
    }
}
