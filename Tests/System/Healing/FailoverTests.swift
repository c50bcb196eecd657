import EventLoops
import Redis
import StrideTestSupport
import Testing

/// A store is lost and its lagging copy takes over: the cache or the database is behind the other.
@Suite(.serialized) struct FailoverTests {
    @Test(
        "C2: PostgreSQL is killed and a standby that lags behind the cache is promoted: right in 5 s, new writes count")
    func promotedStandby() async throws {
        let loop = try EventLoop.start(name: "relay")
        let primary = try await TestPostgres.start()
        let relay = try await TCPRelay.start(to: primary.port, on: loop)
        let standby = try await primary.startStandby()
        try await TestStores.run(ownRedis: true, postgres: primary.url(through: relay.port)) { stores in
            let fleet = try await Fleet.start(stores, now: Promise.now)
            defer { fleet.kill() }
            let anna = try await Promise.warm(fleet)
            try await eventually("the standby has what was written") {
                let count = try? await standby.sql("select count(*) from workouts", in: stores.database.name)
                return count == "1"
            }
            try await standby.stopFollowing()
            // Acknowledged and shown, and lost with the primary: three workouts, a plan, a goal, a profile, a person.
            for hour in ["09", "10", "11"] {
                #expect(try await anna.post(Promise.workout(at: hour, steps: 100)).status == 200)
            }
            #expect(try await anna.follow("lost", from: "2026-12-01", [["steps": 7]]).status == 201)
            #expect(try await anna.plan("PUT", "/v1/weekly_goal", ["steps": 70]).status == 200)
            #expect(try await anna.live(in: "Pacific/Kiritimati").status == 200)
            let ahead = try await anna.get("/v1/progressSummary?time_zone=UTC")
            #expect(ahead["X-Stride-Source"] == "cache")
            #expect(ahead.json["currentDaySteps"] == 5300)
            #expect(ahead.json["planName"] == "lost")
            let lost = try await Promise.warm(fleet, steps: 44)

            primary.kill()
            try await standby.promote()
            try await relay.redirect(to: standby.port)
            try await Promise.expectKept(fleet)

            let healed = try await anna.summary()
            #expect(healed["currentDaySteps"] == 5000)
            #expect(healed["planName"] == "before")
            #expect(healed["time_zone"] == "UTC")
            #expect(try await Promise.steps(of: lost) == 0)
            // New revisions are numbers that the lost ones had; they count all the same.
            #expect(try await anna.post(Promise.workout(at: "11", steps: 7)).status == 200)
            #expect(try await Promise.steps(of: anna) == 5007)
            #expect(try await anna.follow("after", from: "2026-11-30", [["steps": 8]]).status == 201)
            #expect(try await anna.summary()["planName"] == "after")
            try await Promise.expectAgreement(fleet)
        }
        await loop.stop()
    }

    @Test("C4: Redis is killed and a replica that lags behind the database is promoted: right in 5 s")
    func promotedReplica() async throws {
        let loop = try EventLoop.start(name: "relay")
        try await TestStores.run(ownRedis: true) { stores in
            let relay = try await TCPRelay.start(to: stores.redis.port, on: loop)
            let replica = try await TestRedis.own(on: loop)
            defer { replica.end() }
            try await replica.send("REPLICAOF", "127.0.0.1", "\(stores.redis.port)")
            let settings = ["STRIDE_REDIS_URL": "redis://127.0.0.1:\(relay.port)"]
            let fleet = try await Fleet.start(stores, now: Promise.now, settings: settings)
            defer { fleet.kill() }
            let anna = try await Promise.warm(fleet)
            let key = TestRedis.daysKey(of: anna.phone.user)
            try await eventually("the replica has the day") {
                let isComplete = try await replica.send("HEXISTS", key, "complete").number == 1
                let day = try await replica.revisedDays(of: anna.phone.user)["2026-12-02"]
                return isComplete && day?.figures.steps == 5000
            }
            // It stays a replica, of a server that is not there.
            try await replica.send("REPLICAOF", "127.0.0.1", "1")
            #expect(try await anna.post(Promise.workout(at: "09", steps: 100)).status == 200)
            #expect(try await anna.follow("after", from: "2026-11-30", [["steps": 8]]).status == 201)
            #expect(try await Promise.steps(of: anna) == 5100)
            // Long enough for the mark to be taken away: nothing but the replica is behind now.
            try await eventually("no mark is left") {
                try await stores.database.number("select count(*) from cache_marks") == 0
            }
            stores.redis.kill()
            try await replica.send("REPLICAOF", "NO", "ONE")
            #expect(try await replica.revisedDays(of: anna.phone.user)["2026-12-02"]?.figures.steps == 5000)
            try await relay.redirect(to: replica.port)
            try await Promise.expectKept(fleet)
            let healed = try await anna.summary()
            #expect(healed["currentDaySteps"] == 5100)
            #expect(healed["planName"] == "after")
            try await eventually("the replica that was promoted answers") {
                try await anna.get("/v1/progressSummary")["X-Stride-Source"] == "cache"
            }
            try await Promise.expectAgreement(fleet)
        }
        await loop.stop()
    }
}
