import EventLoops
import StrideTestSupport
import Testing

@testable import Postgres

@Suite struct PoolTests {
    /// Runs a test with a pool of its own and a connection beside it.
    func withPool(
        _ name: String, _ limits: PostgresPoolState.Limits,
        _ body: @escaping @Sendable (PostgresPool, PostgresConnection) async throws -> Void
    ) async throws {
        let configuration = try serverConfiguration(name)
        try await withServer { watching in
            // How long users wait on a busy machine is not what is tested here.
            var limits = limits
            limits.patience = .seconds(600)
            let pool = PostgresPool(configuration: configuration, limits: limits, loop: watching.loop)
            do {
                try await body(pool, watching)
            } catch {
                await pool.close()
                throw error
            }
            await pool.close()
            #expect(pool.counters.open == 0)
        }
    }

    static func echo(_ number: Int64) -> PostgresStatement {
        PostgresStatement("echo", "SELECT $1", [.int8(number)])
    }

    @Test("Fifty users at once share five connections, and each gets its own answer")
    func fiftyUsers() async throws {
        try await withPool("stride-fifty", .init(maximum: 5)) { pool, watching in
            try await withThrowingTaskGroup(of: Void.self) { group in
                for user in 0..<50 {
                    group.addTask {
                        for round in 0..<20 {
                            let number = Int64(user * 1000 + round)
                            let back = try await pool.withConnection(timeout: .seconds(20)) {
                                connection throws(PostgresError) in
                                try await connection.exchange(
                                    [.begin, Self.echo(number), .commit], timeout: .seconds(20))[1]
                                    .int64(0, 0)
                            }
                            #expect(back == number)
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(pool.counters.open == 5 && pool.counters.idle == 5 && pool.counters.openedTotal == 5)
            let sessions = "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'stride-fifty'"
            #expect(try await watching.number(sessions) == 5)
        }
    }

    @Test("P6: users that cancel and run late at random never leave an answer to the next")
    func randomCancels() async throws {
        try await withPool("stride-cancels", .init(maximum: 4)) { pool, _ in
            var random = SplitMix(state: 6)
            let outcomes = await withTaskGroup(of: Bool.self) { group in
                for user in 0..<40 {
                    let seed = random.next()
                    group.addTask {
                        var random = SplitMix(state: seed)
                        var answered = false
                        for round in 0..<8 {
                            let number = Int64(user * 1000 + round)
                            let seconds = ["0", "0.002", "0.02"][Int(random.next() % 3)]
                            let limit = Duration.milliseconds(5 + Int64(random.next() % 60))
                            let isCancelled = random.next() % 2 == 0
                            let task = Task(executorPreference: pool.loop) {
                                try await pool.withConnection(timeout: .seconds(20)) {
                                    connection throws(PostgresError) in
                                    try await connection.exchange(
                                        [.begin, .simple("SELECT pg_sleep(\(seconds))"), Self.echo(number), .commit],
                                        timeout: isCancelled ? .seconds(20) : limit)[2].int64(0, 0)
                                }
                            }
                            if isCancelled {
                                try? await pool.loop.sleep(for: .milliseconds(Int64(random.next() % 30)))
                                task.cancel()
                            }
                            do {
                                let back = try await task.value
                                #expect(back == number, "another's answer")
                                answered = true
                            } catch let error as PostgresError {
                                // A cancel that reached the server in time also shows as 57014; nothing else may happen.
                                #expect(
                                    error.code == .cancelled || error.code == .timedOut, "\(error.debugDescription)")
                            } catch {
                                Issue.record("another error")
                            }
                        }
                        return answered
                    }
                }
                return await group.reduce(into: [Bool]()) { $0.append($1) }
            }
            #expect(outcomes.contains(true))
            #expect(pool.counters.droppedTotal > 0)
            for number in 0..<20 as Range<Int64> {
                let back = try await pool.withConnection(timeout: .seconds(20)) { connection throws(PostgresError) in
                    try await connection.query(Self.echo(number), timeout: .seconds(20)).int64(0, 0)
                }
                #expect(back == number)
            }
            #expect(pool.counters.open <= 4)
        }
    }

    @Test("P7: a table is locked: every request ends at its deadline, and the pool lives on")
    func lockedTable() async throws {
        try await withPool("stride-locked", .init(maximum: 3)) { pool, watching in
            try await watching.run(
                "DROP TABLE IF EXISTS locked", "CREATE TABLE locked (id int8)", "BEGIN",
                "LOCK TABLE locked IN ACCESS EXCLUSIVE MODE")
            let start = pool.loop.now
            let codes = await withTaskGroup(of: PostgresError.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        await failure {
                            try await pool.withConnection(timeout: .milliseconds(500)) {
                                connection throws(PostgresError) in
                                try await connection.query(
                                    PostgresStatement("put", "INSERT INTO locked VALUES (1)"),
                                    timeout: .milliseconds(500))
                            }
                        }
                    }
                }
                return await group.reduce(into: []) { $0.append($1) }
            }
            #expect(codes.count == 20)
            #expect(codes.allSatisfy { $0.code == .timedOut && $0.disposition == .shed })
            #expect(start.duration(to: pool.loop.now) < .seconds(30))
            let waiting = """
                SELECT count(*) FROM pg_stat_activity
                WHERE application_name = 'stride-locked' AND wait_event_type = 'Lock'
                """
            try await eventually(pool.loop, "the server stops those who wait for the lock") {
                try await watching.number(waiting) == 0
            }
            try await watching.run("COMMIT")
            let rows = try await pool.withConnection(timeout: .seconds(20)) { connection throws(PostgresError) in
                try await connection.number("SELECT count(*) FROM locked")
            }
            #expect(rows == 0)
            try await watching.run("DROP TABLE locked")
        }
    }

    @Test("Nobody waits when too many wait already, and a wait ends at its deadline")
    func bounded() async throws {
        try await withPool("stride-bounded", .init(maximum: 1, maximumWaiters: 1)) { pool, _ in
            let lent = try await pool.lease(timeout: .seconds(20))
            let second = Task(executorPreference: pool.loop) {
                await failure { try await pool.lease(timeout: .seconds(3)) }
            }
            try await eventually(pool.loop, "the second waits") { pool.counters.waiting == 1 }
            let third = await failure { try await pool.lease(timeout: .seconds(20)) }
            #expect(third.code == .poolExhausted)
            #expect(await second.value.code == .timedOut)
            #expect(pool.counters.waiting == 0)
            pool.release(lent)
            #expect(try await pool.lease(timeout: .seconds(20)) === lent)
            pool.release(lent)
            pool.release(lent)
            #expect(pool.counters.idle == 1)
        }
    }

    @Test("A transaction that a caller left open is rolled back, and the session goes on")
    func leftOpen() async throws {
        try await withPool("stride-left-open", .init(maximum: 1)) { pool, _ in
            try await pool.withConnection(timeout: .seconds(20)) { connection throws(PostgresError) in
                _ = try await connection.exchange(
                    [.begin, .simple("CREATE TABLE left_open ()")], timeout: .seconds(20))
            }
            let failed = await failure {
                try await pool.withConnection(timeout: .seconds(20)) { connection throws(PostgresError) in
                    #expect(connection.transactionStatus == .idle)
                    return try await connection.exchange([.begin, .simple("SELECT 1/0")], timeout: .seconds(20))
                }
            }
            #expect(failed.sqlState?.rawValue == "22012")
            let left = try await pool.withConnection(timeout: .seconds(20)) { connection throws(PostgresError) in
                try await connection.number("SELECT count(*) FROM pg_class WHERE relname = 'left_open'")
            }
            #expect(left == 0 && pool.counters.openedTotal == 1 && pool.counters.droppedTotal == 0)
        }
    }
}
