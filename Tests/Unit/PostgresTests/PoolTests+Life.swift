import EventLoops
import StrideTestSupport
import Testing

@testable import Postgres

/// The pool's own life: down and back, what the server ends, and its close.
extension PoolTests {
    @Test("Down: the waiting fail, the next fail at once, and the pool comes back by itself")
    func downAndBack() async throws {
        let configuration = try serverConfiguration("stride-down")
        try await onLoop { loop in
            let relay = try await TCPRelay.start(to: configuration, on: loop)
            let pool = PostgresPool(
                configuration: relay.configuration(configuration), limits: .init(maximum: 2, minimum: 1), loop: loop)
            pool.start()
            try await eventually(loop, "the minimum is opened") { pool.counters.idle == 1 }
            try await relay.goAway()
            try await eventually(loop, "the loss is noticed") { !pool.isAvailable }
            let error = await failure { try await pool.lease(timeout: .seconds(20)) }
            #expect(error.code == .unavailable && error.disposition == .shed)
            try await relay.comeBack()
            try await eventually(loop, "the pool comes back without being asked") { pool.isAvailable }
            let number = try await pool.withConnection(timeout: .seconds(20)) { connection throws(PostgresError) in
                try await connection.number("SELECT 3::int8")
            }
            #expect(number == 3)
            #expect(pool.counters.connectFailedTotal > 0 && pool.counters.droppedTotal == 1)
            await pool.close()
            try await relay.goAway()
        }
    }

    @Test("A session ended by the server while idle is replaced to keep the minimum")
    func replaced() async throws {
        try await withPool("stride-replaced", .init(maximum: 2, minimum: 2)) { pool, watching in
            pool.start()
            try await eventually(pool.loop, "the minimum is opened") { pool.counters.idle == 2 }
            _ = try await watching.query(
                .simple(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'stride-replaced'"),
                timeout: .seconds(20))
            try await eventually(pool.loop, "both are replaced") {
                pool.counters.droppedTotal == 2 && pool.counters.idle == 2
            }
        }
    }

    @Test("Closing refuses the waiting, waits for what is lent out, and then closes it under its user")
    func closing() async throws {
        let configuration = try serverConfiguration("stride-closing")
        try await onLoop { loop in
            let pool = PostgresPool(configuration: configuration, limits: .init(maximum: 1), loop: loop)
            let lent = try await pool.lease(timeout: .seconds(20))
            let waiting = Task(executorPreference: loop) {
                await failure { try await pool.lease(timeout: .seconds(20)) }
            }
            try await loop.sleep(for: .milliseconds(50))
            let closing = Task(executorPreference: loop) { await pool.close(patience: .seconds(20)) }
            #expect(await waiting.value.code == .closed)
            #expect(try await lent.number("SELECT 4::int8") == 4)
            pool.release(lent)
            await closing.value
            #expect(lent.isClosed && pool.counters.open == 0)
            #expect(await failure { try await pool.lease(timeout: .seconds(1)) }.code == .closed)

            let hurried = PostgresPool(configuration: configuration, limits: .init(maximum: 1), loop: loop)
            let kept = try await hurried.lease(timeout: .seconds(20))
            await hurried.close(patience: .milliseconds(100))
            #expect(kept.isClosed)
            hurried.release(kept)
        }
    }
}
