import Glibc
import StrideTestSupport
import Testing

/// Services whose sessions belong to a pooler, which lends them for one transaction each.
@Suite(.serialized) struct PgBouncerTests {
    private static let walk = workout(from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 100)

    /// Lends a PostgreSQL, a pgbouncer before it and stores without a schema.
    private func run(_ body: @Sendable (TestStores, TestBouncer) async throws -> Void) async throws {
        let server = try await TestPostgres.start()
        let bouncer = try await TestBouncer.start(to: server)
        try await TestStores.run(ownRedis: true, migrated: false, postgres: server.url()) { stores in
            try await body(stores, bouncer)
        }
    }

    /// Runs `stride migrate` through the pooler.
    private func migrate(_ stores: TestStores, _ bouncer: TestBouncer, _ number: Int) async throws -> String {
        let tool = try ChildProcess(
            TestRun.executable("stride"), ["migrate"],
            environment: stores.environment(bouncer.settings(stores.database)),
            log: "\(stores.folder.path)/migrate-\(number)")
        #expect(try await tool.wait(within: .seconds(120)) == .exited(0), "\(tool.log)")
        return tool.log
    }

    @Test("P5: through pgbouncer everything works, migrations included, and sessions that end hurt nobody")
    func transactionMode() async throws {
        try await run { stores, bouncer in
            let logs = try await withThrowingTaskGroup(of: String.self) { group in
                for number in 0..<6 { group.addTask { try await migrate(stores, bouncer, number) } }
                return try await group.reduce(into: []) { $0.append($1) }
            }
            #expect(logs.filter { $0.contains("ran step 1:") }.count == 1)
            #expect(try await stores.database.number("select count(*) from pg_locks where locktype = 'advisory'") == 0)

            let fleet = try await Fleet.start(stores, now: Promise.now, settings: bouncer.settings(stores.database))
            defer { fleet.kill() }
            let anna = try await Promise.warm(fleet)
            let walk = Promise.workout(at: "09", steps: 100)
            let first = try await anna.phone.post(walk)
            #expect(first.status == 201)
            #expect(try await anna.phone.post(walk).json["workout_id"] == first.json["workout_id"])
            let other = try await anna.phone.post(Promise.workout(at: "10", steps: 30))
            #expect(try await anna.phone.delete(other.json["workout_id"].int ?? 0).status == 204)
            #expect(try await anna.plan("PUT", "/v1/weekly_goal", ["steps": 70]).status == 200)
            #expect(try await anna.get("/v1/changes").json["workouts"].elements.count == 3)
            #expect(try await anna.get("/v1/workouts").json.elements.count == 2)
            #expect(
                try await anna.get("/v1/days?from=2026-12-01&to=2026-12-03").json["days"].elements[1]["steps"] == 5100)
            #expect(try await Promise.steps(of: anna) == 5100)

            let load = RepeatingLoad(stores: stores, port: fleet.ingest.port, seed: 5)
            async let outcomes = load.run()
            let sessions = "pg_stat_activity where datname = current_database() and application_name <> 'stride-tests'"
            var ended = 0
            for round in 1...8 {
                try await eventually("the load goes on") {
                    try await stores.database.number("select count(*) from workouts") >= 3 + 20 * round
                }
                #expect(try await stores.database.number("select count(*) from \(sessions)") <= TestBouncer.sessions)
                ended += try await stores.database.number(
                    "select count(*) filter (where pg_terminate_backend(pid)) from \(sessions)")
            }
            load.stop()
            #expect(ended >= 8)
            for user in try await outcomes { try await user.expectRows(in: stores.database) }
            #expect(try await Promise.steps(of: anna) == 5100)
            try await Promise.expectKept(fleet)
        }
    }

    @Test("P5: a late statement is cancelled through pgbouncer, and its session serves the next")
    func cancelled() async throws {
        try await run { stores, bouncer in
            try await stores.database.migrate()
            let settings = bouncer.settings(stores.database).merging(["STRIDE_INGEST_STATEMENT_MS": "1500"]) { $1 }
            let ingest = try await ServiceProcess.start(stores, settings: settings)
            defer { ingest.kill() }
            let phone = try stores.phone("anna", ports: [ingest.port])
            let walk = Self.walk
            try await stores.database.whileLocked("workouts") { unlock in
                for _ in 0...TestBouncer.sessions { #expect(try await phone.post(walk).status == 503) }
                try await eventually("nothing waits in the server") { try await stores.database.waitingForLocks() == 0 }
                try await unlock()
                try await eventually("the workout is taken") { try await phone.post(walk).status < 300 }
            }
            #expect(try await stores.database.days(of: phone.user) == ["2025-06-10": DayFigures(100, 0, 1)])
        }
    }

    @Test("P5: the limits of the role hold behind pgbouncer: a killed service's statement does not wait for ever")
    func limits() async throws {
        try await run { stores, bouncer in
            try await stores.database.migrate()
            try await stores.database.run(
                "alter role stride in database \(stores.database.name) set lock_timeout = 2000")
            let settings = bouncer.settings(stores.database).merging(["STRIDE_INGEST_STATEMENT_MS": "60000"]) { $1 }
            let ingest = try await ServiceProcess.start(stores, settings: settings)
            defer { ingest.kill() }
            let phone = try stores.phone("anna", ports: [ingest.port])
            try await stores.database.whileLocked("workouts") { _ in
                #expect(try await phone.post(Self.walk).status == 503)
                #expect(ingest.logText.contains("55P03"))
                async let nobody = try? phone.post(Self.walk)
                try await eventually("it waits in the server") { try await stores.database.waitingForLocks() == 1 }
                ingest.kill()
                try await eventually("it no longer waits") { try await stores.database.waitingForLocks() == 0 }
                _ = await nobody
            }
            #expect(try await stores.database.workoutCount(of: phone.user) == 0)
        }
    }

    @Test("P5: a service that is not told of the pooler is refused by it and is not ready")
    func untold() async throws {
        try await run { stores, bouncer in
            try await stores.database.migrate()
            let settings = bouncer.settings(stores.database).merging(["STRIDE_POSTGRES_POOLER": "none"]) { $1 }
            let ingest = try await ServiceProcess.start(stores, settings: settings, untilReady: false)
            defer { ingest.kill() }
            try await eventually("the log says it") { ingest.logText.contains("schema_unknown") }
            #expect(await !ingest.isReady())
        }
    }
}
