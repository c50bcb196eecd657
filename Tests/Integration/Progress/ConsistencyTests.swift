import EventLoops
import Models
import Postgres
import Redis
import StrideTestSupport
import Testing

@testable import ProgressService
@testable import Storage

/// Within five seconds what progress answers equals PostgreSQL, without traffic of the user in between.
@Suite(.serialized)
struct ConsistencyTests {
    /// What is promised.
    static let promise = Duration.seconds(5)

    static func steps(_ world: World, _ name: String = "anna") async throws -> Int64? {
        try await world.get("/v1/progressSummary", as: name).numbers("currentDaySteps").first
    }

    /// A user with 5 000 steps today, in the cache.
    static func warm(_ world: World) async throws {
        try await world.write([world.workout("anna", at: "2026-12-02T08:00:00Z", steps: 5000)])
        #expect(try await steps(world) == 5000)
        #expect(try await world.get("/v1/progressSummary", as: "anna").source == "cache")
    }

    @Test("C1, C3: a writer that stops between COMMIT and the cache; nobody asks for five seconds, then it is right")
    func stoppedWriter() async throws {
        try await World.run { world in
            try await Self.warm(world)
            try await world.write([world.workout("anna", at: "2026-12-02T09:00:00Z", steps: 100)], shown: false)
            try await world.loop.sleep(for: Self.promise)
            #expect(try await Self.steps(world) == 5100)
        }
    }

    @Test("C1: the paused writer resumes after a newer write and an eviction, and does no harm")
    func resumedWriter() async throws {
        try await World.run { world in
            try await Self.warm(world)
            let paused = try await world.store.write(
                [world.workout("anna", at: "2026-12-02T09:00:00Z", steps: 100)], on: world.connection)
            try await world.write([world.workout("anna", at: "2026-12-02T10:00:00Z", steps: 10)])
            try await world.cache().drop([try world.user("anna")])
            try await world.cache().show(paused.days)
            // The evicted hash holds the old day alone and is not complete: PostgreSQL is asked.
            #expect(try await Self.steps(world) == 5110)
            try await world.cache().show(paused.days)
            #expect(try await Self.steps(world) == 5110)
        }
    }

    @Test("C1: a reader paused before its fill does not bring back what a repair has dropped")
    func pausedFill() async throws {
        try await World.run { world in
            try await Self.warm(world)
            let (cache, user) = (try await world.cache(), try world.user("anna"))
            try await cache.drop([user])
            let lease = try await cache.lease(user)
            let old = try await HomeReader(timeout: .seconds(20)).read(
                user, from: HomeReader.firstDay(at: world.now), on: world.connection)
            try await world.write([world.workout("anna", at: "2026-12-02T09:00:00Z", steps: 100)], shown: false)
            try await cache.drop([user])
            try await cache.fill(old, under: lease)
            #expect(try await Self.steps(world) == 5100)
        }
    }

    @Test("a reader who comes after a write does not share a snapshot from before it")
    func olderSnapshot() async throws {
        try await World.run { world in
            try await Self.warm(world)
            try await world.cache().drop([try world.user("anna")])
            // The days are read first: with the settings locked, the snapshot is out and its answer is not.
            let locker = try await World.connect(world.database, world.loop)
            defer { locker.close() }
            _ = try await locker.exchange(
                [.begin, .simple("lock table settings in access exclusive mode")], timeout: .seconds(20))
            let early = Task(executorPreference: world.loop) { try await Self.steps(world) }
            try await world.eventually("the early reader waits") {
                let sql = "select count(*) from pg_locks where not granted and relation = 'settings'::regclass"
                return try await world.connection.query(.simple(sql), timeout: .seconds(20)).int64(0, 0) == 1
            }
            try await world.write([world.workout("anna", at: "2026-12-02T09:00:00Z", steps: 100)])
            let late = Task(executorPreference: world.loop) { try await Self.steps(world) }
            try await world.loop.sleep(for: .milliseconds(100))
            _ = try await locker.query(.commit, timeout: .seconds(20))
            #expect(try await early.value == 5000)
            #expect(try await late.value == 5100)
        }
    }

    @Test("what is acknowledged while others read is in the writer's next read")
    func readYourWrites() async throws {
        try await World.run { world in
            try await Self.warm(world)
            for round in 1...20 {
                try await world.cache().drop([try world.user("anna")])
                let reads = (0..<8).map { _ in
                    Task(executorPreference: world.loop) { try await world.get("/v1/progressSummary", as: "anna") }
                }
                try await world.write([world.workout("anna", at: "2026-12-02T09:00:00Z", steps: 1)])
                #expect(try await Self.steps(world) == 5000 + Int64(round))
                for read in reads { #expect(try await read.value.status == 200) }
            }
        }
    }

    @Test("C4: Redis is flushed, or starts again empty, and the next answer is right")
    func emptyRedis() async throws {
        let redis = try await TestRedis.own()
        try await World.run(World.Options(redisURL: redis.url)) { world in
            try await Self.warm(world)
            _ = try await world.redis.send(RedisCommand("FLUSHALL"))
            #expect(try await Self.steps(world) == 5000)
            #expect(try await world.get("/v1/progressSummary", as: "anna").source == "cache")
            try await world.write([world.workout("anna", at: "2026-12-02T09:00:00Z", steps: 100)], shown: false)
            redis.kill()
            try await redis.start()
            try await world.waitForRedis()
            try await world.loop.sleep(for: Self.promise)
            #expect(try await Self.steps(world) == 5100)
        }
    }

    @Test("C4: Redis starts again from an old snapshot; five seconds later the answer is right")
    func oldSnapshot() async throws {
        let redis = try await TestRedis.own()
        try await World.run(World.Options(redisURL: redis.url)) { world in
            try await Self.warm(world)
            #expect(try await world.redis.send(RedisCommand("SAVE")).error == nil)
            // Shown, and its mark taken away: only the snapshot is behind now.
            try await world.write([world.workout("anna", at: "2026-12-02T09:00:00Z", steps: 100)])
            #expect(try await Self.steps(world) == 5100)
            redis.kill()
            try await redis.start()
            try await world.waitForRedis()
            let held = try await world.redis.send(RedisCommand("EXISTS", CacheKey.home(of: try world.user("anna"))))
            #expect(held.number == 1, "the snapshot has not come back")
            try await world.loop.sleep(for: Self.promise)
            #expect(try await Self.steps(world) == 5100)
        }
    }

    @Test("C2: PostgreSQL comes back with lower revisions; five seconds later it is believed, and new writes count")
    func lowerRevisions() async throws {
        let postgres = try await TestPostgres.start()
        try await World.run(World.Options(postgresURL: postgres.url())) { world in
            try await Self.warm(world)
            for _ in 0..<3 { try await world.write([world.workout("anna", at: "2026-12-02T09:00:00Z", steps: 100)]) }
            #expect(try await Self.steps(world) == 5300)
            // As a backup from before the last three writes would have it.
            try await world.sql(
                "delete from workouts where revision > 1", "update users set revision = 1",
                "update daily_totals set steps = 5000, workouts = 1, revision = 1")
            #expect(try await Self.steps(world) == 5300, "the cache is ahead now")
            try await postgres.stop()
            try await postgres.start()
            world.connection = try await World.connect(world.database, world.loop)
            try await world.loop.sleep(for: Self.promise)
            #expect(try await Self.steps(world) == 5000)
            try await world.write([world.workout("anna", at: "2026-12-02T10:00:00Z", steps: 7)])
            #expect(try await Self.steps(world) == 5007)
        }
    }

    @Test("C8: post 5000, flush, post 100: 5100")
    func flushBetween() async throws {
        let redis = try await TestRedis.own()
        try await World.run(World.Options(redisURL: redis.url)) { world in
            try await Self.warm(world)
            _ = try await world.redis.send(RedisCommand("FLUSHALL"))
            try await world.write([world.workout("anna", at: "2026-12-02T09:00:00Z", steps: 100)])
            #expect(try await Self.steps(world) == 5100)
        }
    }

    @Test("C8: deletions and workouts that come three weeks late correct the right day")
    func lateAndDeleted() async throws {
        try await World.run { world in
            try await Self.warm(world)
            let late = try world.workout("anna", at: "2026-11-11T23:30:00Z", minutes: 60, steps: 60)
            let number = try #require(try await world.write([late]).first?.workoutID)
            let target = "/v1/days?from=2026-11-11&to=2026-11-12"
            let days = try await world.get(target, as: "anna")
            #expect(days.source == "cache")
            #expect(days.numbers("steps") == [30, 30])
            try await world.delete(number, of: "anna")
            let after = try await world.get(target, as: "anna")
            #expect(after.source == "cache")
            #expect(after.numbers("steps") == [0, 0])
            #expect(after.numbers("workouts") == [0, 0])
            #expect(try await Self.steps(world) == 5000)
        }
    }
}
