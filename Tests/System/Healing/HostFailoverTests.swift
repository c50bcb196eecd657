import StrideTestSupport
import Testing

/// Services that are told of two servers and find the one that accepts writes by themselves.
@Suite(.serialized) struct HostFailoverTests {
    /// Lends services over a primary and a standby that has every transaction before it is answered.
    private func run(
        settings: [String: String] = [:], _ body: @Sendable (Fleet, TestPostgres, TestPostgres) async throws -> Void
    ) async throws {
        let primary = try await TestPostgres.start()
        let standby = try await primary.startStandby()
        try await primary.waitForStandbyAtCommit()
        try await TestStores.run(ownRedis: true, postgres: primary.url(or: standby)) { stores in
            let fleet = try await Fleet.start(stores, now: Promise.now, settings: settings)
            defer { fleet.kill() }
            try await body(fleet, primary, standby)
        }
    }

    @Test(
        "P4: the primary is killed under load and the standby promoted: writes again in 10 s, nothing lost or doubled")
    func promoted() async throws {
        try await run { fleet, primary, standby in
            let database = fleet.stores.database
            let anna = try await Promise.warm(fleet)
            let walk = Promise.workout(at: "09", steps: 100)
            let before = try await anna.phone.post(walk)
            #expect(before.status == 201)
            let load = RepeatingLoad(stores: fleet.stores, port: fleet.ingest.port, seed: 4)
            async let outcomes = load.run()
            try await eventually("the load is under way") {
                try await database.number("select count(*) from workouts") > 100
            }
            primary.kill()
            try await standby.promote()
            let clock = ContinuousClock()
            let begin = clock.now
            let next = Promise.workout(at: "10", steps: 20)
            try await eventually("ingest writes again", within: .seconds(10)) {
                try await anna.phone.post(next).status < 300
            }
            let writing = clock.now - begin
            try await eventually("plan writes again", within: .seconds(10)) {
                try await anna.follow("after", from: "2026-11-30", [["steps": 8]]).status == 201
            }
            print("failover: ingest writes \(writing) after the promotion, plan \(clock.now - begin)")
            #expect(try await anna.phone.post(walk).json["workout_id"] == before.json["workout_id"])
            let count = try await rows(fleet)
            try await eventually("the load goes on") { try await rows(fleet) > count + 100 }
            load.stop()
            let users = try await outcomes
            #expect(users.count == RepeatingLoad.users)
            for user in users { try await user.expectRows(in: database) }
            try await Promise.expectKept(fleet)
            #expect(try await Promise.steps(of: anna) == 5120)
            #expect(try await anna.summary()["planName"] == "after")
        }
    }

    @Test("P4: what the synchronous standby does not have is acknowledged to nobody, however often it is repeated")
    func unacknowledged() async throws {
        let short = ["INGEST", "PLAN", "PROGRESS"].map { ("STRIDE_\($0)_STATEMENT_MS", "1000") }
        try await run(settings: Dictionary(uniqueKeysWithValues: short)) { fleet, primary, standby in
            let anna = try await Promise.warm(fleet)
            try await standby.stopFollowing()
            let walk = Promise.workout(at: "09", steps: 100)
            let plan = newRequestID()
            for _ in 1...2 {
                #expect(try await anna.phone.post(walk).status == 503)
                let answer = try await anna.follow("after", from: "2026-11-30", [["steps": 8]], requestID: plan)
                #expect(answer.status == 503)
                #expect(try await anna.live(in: "Europe/Paris").status == 503)
                #expect(try await anna.plan("PUT", "/v1/weekly_goal", ["steps": 70]).status == 503)
            }
            primary.kill()
            try await standby.promote()
            try await eventually("ingest writes again", within: .seconds(10)) {
                try await anna.phone.post(walk).status < 300
            }
            try await eventually("plan writes again", within: .seconds(10)) {
                try await anna.live(in: "UTC").status == 200
            }
            try await Promise.expectKept(fleet)
            let summary = try await anna.summary()
            #expect(summary["currentDaySteps"] == 5100)
            #expect(summary["planName"] == "before")
        }
    }

    /// How many workouts there are, asked of the new primary; its connection may have to be found first.
    private func rows(_ fleet: Fleet) async throws -> Int {
        var count = 0
        try await eventually("the new primary answers") {
            guard let found = try? await fleet.stores.database.number("select count(*) from workouts") else {
                return false
            }
            count = found
            return true
        }
        return count
    }
}
