import EventLoops
import StrideTestSupport
import Testing

@testable import Postgres

/// Statements that make COMMIT itself take its time: a deferred trigger that sleeps, in a table of its own.
private func slowCommit(_ table: String) -> [String] {
    [
        "CREATE TABLE \(table) (id int8 PRIMARY KEY)",
        """
        CREATE FUNCTION \(table)_sleep() RETURNS trigger LANGUAGE plpgsql AS
        $$ BEGIN PERFORM pg_sleep(3); RETURN NULL; END $$
        """,
        """
        CREATE CONSTRAINT TRIGGER slow AFTER INSERT ON \(table) DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION \(table)_sleep()
        """,
    ]
}

private func remove(_ table: String) -> [String] {
    ["DROP TABLE IF EXISTS \(table)", "DROP FUNCTION IF EXISTS \(table)_sleep()"]
}

@Suite struct LossTests {
    /// Two connections: the one that suffers and the one that looks on.
    private func withTwo(
        _ body: @escaping @Sendable (PostgresConnection, PostgresConnection) async throws -> Void
    ) async throws {
        let configuration = try serverConfiguration()
        try await withServer { watching in
            let loop = watching.loop
            let suffering = try await PostgresConnection.connect(configuration, loop: loop, timeout: .seconds(20))
            defer { suffering.close() }
            try await body(suffering, watching)
        }
    }

    /// How many statements a session runs now.
    private static func active(_ process: Int32) -> PostgresStatement {
        PostgresStatement(
            "", "SELECT count(*) FROM pg_stat_activity WHERE pid = $1 AND state = 'active'", [.int4(process)])
    }

    @Test("A session ended by the server in mid-exchange is told by its SQLSTATE, and nothing was committed")
    func terminated() async throws {
        try await withTwo { suffering, watching in
            let process = suffering.serverProcess
            async let ended = failure {
                try await suffering.exchange(
                    [.begin, .simple("SELECT pg_sleep(20)"), .simple("CREATE TABLE never ()"), .commit],
                    timeout: .seconds(20))
            }
            try await watching.loop.sleep(for: .milliseconds(200))
            _ = try await watching.number("SELECT pg_terminate_backend($1)::int::int8", [.int4(process)])
            let error = await ended
            #expect(error.code == .server(.adminShutdown) && error.disposition == .reconnect)
            #expect(!error.isOutcomeUnknown && suffering.isClosed)
        }
    }

    @Test("A session ended while idle is noticed without being used")
    func terminatedIdle() async throws {
        try await withTwo { suffering, watching in
            let process = suffering.serverProcess
            _ = try await watching.number("SELECT pg_terminate_backend($1)::int::int8", [.int4(process)])
            try await eventually(watching.loop, "the loss is noticed") { suffering.isClosed }
            let error = await failure { try await suffering.number("SELECT 1::int8") }
            #expect(error.code == .connectionLost && error.disposition == .reconnect)
        }
    }

    @Test("P6: cancelled in BEGIN's exchange, in a pipeline and in COMMIT: closed, stopped on the server, outcome told")
    func cancelled() async throws {
        let table = "cancelled_commit"
        try await withServer { setup in
            for sql in remove(table) + slowCommit(table) { try await setup.run(sql) }
        }
        let put = PostgresStatement("put", "INSERT INTO \(table) VALUES (1)")
        let sleep = PostgresStatement.simple("SELECT pg_sleep(20)")
        let cases: [(statements: [PostgresStatement], isUnknown: Bool)] = [
            ([.begin, sleep], false), ([sleep, .simple("SELECT 1")], false), ([.begin, put, .commit], true),
        ]
        for (statements, isUnknown) in cases {
            for isLate in [false, true] {
                try await withTwo { suffering, watching in
                    let process = suffering.serverProcess
                    let task = Task(executorPreference: watching.loop) {
                        await failure {
                            try await suffering.exchange(
                                statements, timeout: isLate ? .milliseconds(300) : .seconds(20))
                        }
                    }
                    try await watching.loop.sleep(for: .milliseconds(300))
                    if !isLate { task.cancel() }
                    let error = await task.value
                    #expect(error.code == (isLate ? .timedOut : .cancelled))
                    #expect(error.isOutcomeUnknown == isUnknown)
                    #expect(suffering.isClosed && !suffering.isProvablyIdle)
                    try await eventually(watching.loop, "the server stops the statement") {
                        try await watching.query(Self.active(process), timeout: .seconds(20)).int64(0, 0) == 0
                    }
                }
            }
        }
        try await withServer { setup in
            // The cancel came in the trigger's sleep, before the commit: this time it did not happen.
            #expect(try await setup.number("SELECT count(*) FROM \(table)") == 0)
            for sql in remove(table) { try await setup.run(sql) }
        }
    }

    @Test("A task that is cancelled before anything was sent leaves the session as it is")
    func cancelledBefore() async throws {
        try await withServer { connection in
            let task = Task(executorPreference: connection.loop) {
                await withTaskCancellationHandler {
                    try? await connection.loop.sleep(for: .seconds(20))
                } onCancel: {
                }
                return await failure { try await connection.number("SELECT 1::int8") }
            }
            task.cancel()
            #expect(await task.value.code == .cancelled)
            #expect(connection.isProvablyIdle)
            let late = await failure {
                try await connection.query(.simple("SELECT 1"), timeout: .zero)
            }
            #expect(late.code == .timedOut && connection.isProvablyIdle)
        }
    }

    @Test("I5: the server ends the session while COMMIT runs: the outcome is unknown")
    func terminatedInCommit() async throws {
        let table = "terminated_commit"
        try await withTwo { suffering, watching in
            for sql in remove(table) + slowCommit(table) { try await watching.run(sql) }
            let process = suffering.serverProcess
            async let ended = failure {
                try await suffering.exchange(
                    [.begin, .simple("INSERT INTO \(table) VALUES (1)"), .commit], timeout: .seconds(20))
            }
            try await watching.loop.sleep(for: .milliseconds(300))
            _ = try await watching.number("SELECT pg_terminate_backend($1)::int::int8", [.int4(process)])
            let error = await ended
            #expect(error.code == .server(.adminShutdown) && error.isOutcomeUnknown && error.disposition == .shed)
            for sql in remove(table) { try await watching.run(sql) }
        }
    }

    @Test("I5: the answer to COMMIT is lost on the way: the outcome is unknown, and the row is there")
    func lostAnswer() async throws {
        let configuration = try serverConfiguration()
        try await withServer { watching in
            let loop = watching.loop
            try await watching.run("DROP TABLE IF EXISTS lost_answer", "CREATE TABLE lost_answer (id int8 PRIMARY KEY)")
            let relay = try await TCPRelay.start(to: configuration, on: loop)
            let suffering = try await PostgresConnection.connect(
                relay.configuration(configuration), loop: loop, timeout: .seconds(20))
            #expect(try await suffering.number("SELECT 1::int8") == 1)
            try await relay.loseAnswers()
            async let lost = failure {
                try await suffering.exchange(
                    [.begin, .simple("INSERT INTO lost_answer VALUES (1)"), .commit], timeout: .seconds(20))
            }
            try await eventually(loop, "the server answers") { try await relay.lostBytes() > 0 }
            try await relay.cut()
            let error = await lost
            #expect(error.code == .connectionLost && error.isOutcomeUnknown && error.disposition == .shed)
            #expect(suffering.isClosed)
            #expect(try await watching.number("SELECT count(*) FROM lost_answer") == 1)
            try await relay.goAway()
            try await watching.run("DROP TABLE lost_answer")
        }
    }
}
