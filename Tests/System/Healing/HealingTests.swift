import EventLoops
import Glibc
import Redis
import StrideTestSupport
import Testing

/// Processes that are killed or paused between the database and the cache, and a Redis that forgets.
@Suite(.serialized) struct HealingTests {
    @Test("C3: ingest and plan are killed between COMMIT and the cache; nobody calls, and in 5 s the cache is right")
    func killedBeforeTheCache() async throws {
        try await Fleet.run(ownRedis: true, now: Promise.now) { fleet in
            let (stores, anna) = (fleet.stores, try await Promise.warm(fleet))
            stores.redis.signal(SIGSTOP)
            async let post = anna.post(Promise.workout(at: "09", steps: 100))
            async let goal = anna.plan("PUT", "/v1/weekly_goal", ["steps": 70])
            try await eventually("both have committed", every: .milliseconds(1)) {
                let workouts = try await stores.database.number("select count(*) from workouts")
                let goals = try await stores.database.number("select count(*) from settings where goal_steps = 70")
                return workouts == 2 && goals == 1
            }
            fleet.ingest.kill()
            fleet.plan.kill()
            _ = try? await (post, goal)
            stores.redis.signal(SIGCONT)
            try await fleet.ingest.start()
            try await fleet.plan.start()
            try await Promise.expectKept(fleet)
            let summary = try await anna.summary()
            #expect(summary["currentDaySteps"] == 5100)
            #expect(try await anna.plan("GET", "/v1/weekly_goal").json["steps"] == 70)
        }
    }

    @Test("C1: ingest is paused after COMMIT, another writes newer, the hash is evicted, the paused one goes on")
    func pausedWriter() async throws {
        let loop = try EventLoop.start(name: "relay")
        try await TestStores.run(ownRedis: true) { stores in
            let fleet = try await Fleet.start(stores, now: Promise.now)
            defer { fleet.kill() }
            let relay = try await TCPRelay.start(to: stores.redis.port, on: loop)
            let slow = try await ServiceProcess.start(
                stores, .ingest, name: "slow",
                settings: [
                    "STRIDE_REDIS_URL": "redis://127.0.0.1:\(relay.port)",
                    "STRIDE_TEST_NOW": String(instant(Promise.now)),
                ])
            defer { slow.kill() }
            let anna = try await Promise.warm(fleet)
            let elsewhere = try stores.phone("nobody", ports: [slow.port])
            var paused = elsewhere
            paused.token = anna.phone.token
            let writer = paused
            try await relay.hold()
            async let post = writer.post(Promise.workout(at: "09", steps: 100))
            try await eventually("the slow one has committed and speaks to Redis", every: .milliseconds(1)) {
                let rows = try await stores.database.number("select count(*) from workouts")
                let pieces = try await relay.heldPieces()
                return rows == 2 && pieces > 0
            }
            slow.signal(SIGSTOP)
            #expect(try await anna.post(Promise.workout(at: "10", steps: 10)).status == 200)
            #expect(try await Promise.steps(of: anna) == 5110)
            try await stores.redis.send("UNLINK", TestRedis.daysKey(of: anna.phone.user))
            try await relay.release()
            #expect(try await Promise.steps(of: anna) == 5110)
            slow.signal(SIGCONT)
            _ = try? await post
            try await Promise.expectKept(fleet)
            #expect(try await Promise.steps(of: anna) == 5110)
        }
        await loop.stop()
    }

    /// How Redis loses what it had.
    enum Loss: String, CaseIterable, Sendable {
        case flushed, killedAndEmpty, backFromAnOldSnapshot
    }

    @Test(
        "C4, C8: Redis is flushed, starts again empty or from an old snapshot: 5000, then 100: 5100",
        arguments: Loss.allCases)
    func redisForgets(_ loss: Loss) async throws {
        try await Fleet.run(ownRedis: true, now: Promise.now) { fleet in
            let (stores, anna) = (fleet.stores, try await Promise.warm(fleet))
            let (bert, redis) = (try await Promise.warm(fleet, steps: 300), stores.redis)
            #expect(try await redis.send("SAVE").error == nil)
            // Bert's change is in PostgreSQL and shown, but not in the snapshot.
            #expect(try await bert.post(Promise.workout(at: "10", steps: 33)).status == 200)
            #expect(try await bert.follow("after", from: "2026-11-30", [["steps": 8]]).status == 201)
            try await eventually("no mark is left") {
                try await stores.database.number("select count(*) from cache_marks") == 0
            }
            switch loss {
            case .flushed: try await redis.send("FLUSHALL")
            case .killedAndEmpty:
                redis.kill()
                redis.forget()
                try await redis.start()
            case .backFromAnOldSnapshot:
                redis.kill()
                try await redis.start()
                #expect(try await redis.revisedDays(of: bert.phone.user)["2026-12-02"]?.figures.steps == 300)
            }
            #expect(try await anna.post(Promise.workout(at: "09", steps: 100)).status == 200)
            try await Promise.expectKept(fleet)
            #expect(try await Promise.steps(of: anna) == 5100)
            #expect(try await Promise.steps(of: bert) == 333)
            #expect(try await bert.summary()["planName"] == "after")
        }
    }

    @Test("C8: workouts of three weeks ago and deletions correct the right day, whoever was killed in between")
    func lateAndDeleted() async throws {
        try await Fleet.run(ownRedis: true, now: Promise.now) { fleet in
            let anna = try await Promise.warm(fleet)
            let late = workout(
                from: "2026-11-11T23:30:00Z", to: "2026-11-12T00:30:00Z", steps: 61, zone: "UTC")
            let target = "/v1/days?from=2026-11-11&to=2026-11-12"
            let number = try #require(try await anna.phone.post(late).json["workout_id"].int)
            // 30½ steps on each side of midnight: the odd one goes to the earlier day.
            #expect(try await anna.get(target).json["days"].elements.map { $0["steps"] } == [31, 30])
            fleet.ingest.kill()
            fleet.progress.kill()
            try await fleet.ingest.start()
            try await fleet.progress.start()
            #expect(try await anna.phone.delete(number).status == 204)
            #expect(try await anna.get(target).json["days"].elements.map { $0["steps"] } == [0, 0])
            #expect(try await Promise.steps(of: anna) == 5000)
            try await Promise.expectKept(fleet)
        }
    }
}
