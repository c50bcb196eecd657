import EventLoops
import Models
import Postgres
import Redis
import StrideTestSupport
import Testing

@testable import ProgressService
@testable import Storage

/// Where answers come from, and what happens when a store is away.
@Suite(.serialized)
struct SourceTests {
    static let routes = ["/v1/progressSummary", "/v1/progress", "/v1/days?from=2026-11-26&to=2026-12-02"]
    static let homeReads = #"stride_progress_database_reads_total{kind="home"}"#

    @Test("a cold read comes from the database and a warm one from the cache, with the same body")
    func coldAndWarm() async throws {
        try await World.run { world in
            try await AnswerTests.someone(world)
            for route in Self.routes {
                try await world.cache().drop([try world.user("anna")])
                let cold = try await world.get(route, as: "anna")
                #expect(cold.source == "database", "\(route)")
                let warm = try await world.get(route, as: "anna")
                #expect(warm.source == "cache", "\(route)")
                #expect(warm.text == cold.text)
                #expect(cold.text.contains("3600"))
            }
        }
    }

    @Test(
        "a damaged field of a complete hash is a miss, not a zero, and the fill mends it",
        arguments: ["", "1:", "1:x:0:1", "x"])
    func damaged(_ value: String) async throws {
        try await World.run { world in
            try await world.write([world.workout("anna", at: "2026-12-02T08:00:00Z", steps: 5000)])
            for field in ["2026-12-02", "plan", "profile"] {
                #expect(try await world.get("/v1/progressSummary", as: "anna").status == 200)
                #expect(try await world.get("/v1/progressSummary", as: "anna").source == "cache")
                let set = RedisCommand(
                    "HSET", CacheKey.home(of: try world.user("anna")), field, field == "2026-12-02" ? value : "7:x")
                #expect(try await world.redis.send(set).number == 0)
                let answer = try await world.get("/v1/progressSummary", as: "anna")
                #expect(answer.numbers("currentDaySteps") == [5000], "\(field)")
                #expect(answer.source == "database", "\(field)")
            }
            #expect(try await world.get("/v1/progressSummary", as: "anna").source == "cache")
        }
    }

    @Test("50 cold reads of one user at once make one query, and all get the same")
    func oneQuery() async throws {
        try await World.run { world in
            try await AnswerTests.someone(world)
            for _ in 0..<5 {
                try await world.cache().drop([try world.user("anna")])
                let before = world.metric(Self.homeReads)
                let bodies = try await withThrowingTaskGroup(of: Answer.self) { group in
                    for _ in 0..<50 { group.addTask { try await world.get("/v1/progressSummary", as: "anna") } }
                    var bodies: [Answer] = []
                    for try await answer in group { bodies.append(answer) }
                    return bodies
                }
                #expect(bodies.count == 50)
                #expect(Set(bodies.map(\.text)).count == 1)
                #expect(bodies.allSatisfy { $0.status == 200 })
                #expect(world.metric(Self.homeReads) == before + 1)
            }
        }
    }

    @Test("more users at once than may be read wait; more than may wait are sent away with overload")
    func overload() async throws {
        var options = World.Options()
        options.settings = [
            "STRIDE_PROGRESS_FILLS": "1", "STRIDE_PROGRESS_FILL_QUEUE": "2", "STRIDE_PROGRESS_FILL_QUEUE_MS": "300",
        ]
        let refused = #"stride_progress_cache_reads_total{result="refused"}"#
        try await World.run(options) { world in
            // On a busy machine the first caller of all may have been sent away.
            let before = world.metric(refused)
            // A table that is locked holds up the one fill that is allowed.
            let locker = try await World.connect(world.database, world.loop)
            defer { locker.close() }
            _ = try await locker.exchange(
                [.begin, .simple("lock table daily_totals in access exclusive mode")], timeout: .seconds(20))
            let users = (0..<5).map { "user-\($0)" }
            let answers = try await withThrowingTaskGroup(of: (Int, Answer).self) { group in
                for (number, user) in users.enumerated() {
                    group.addTask {
                        // One after the other, so that it is known who waits.
                        try await world.loop.sleep(for: .milliseconds(60 * number))
                        return (number, try await world.get("/v1/progressSummary", as: user))
                    }
                }
                var answers: [Int: Answer] = [:]
                for try await (number, answer) in group {
                    answers[number] = answer
                    if answers.count == 4 { _ = try await locker.query(.commit, timeout: .seconds(20)) }
                }
                return answers
            }
            #expect(answers[0]?.status == 200)
            for number in 1..<5 {
                let answer = try #require(answers[number])
                #expect(answer.status == 503, "\(number)")
                #expect(answer.code == "TRY_AGAIN_LATER")
                #expect(answer.reason == "overload")
                #expect(answer["Retry-After"] != nil)
            }
            try await world.eventually("the fill ends") { world.metric("stride_progress_fills_in_flight") == 0 }
            #expect(world.metric(refused) == before + 4)
            #expect(try await world.get("/v1/progressSummary", as: "user-4").status == 200)
        }
    }

    @Test("without Redis every answer comes from the database, and from the cache again when Redis is back")
    func withoutRedis() async throws {
        let redis = try await TestRedis.own()
        try await World.run(World.Options(redisURL: redis.url)) { world in
            try await AnswerTests.someone(world)
            let usual = try await world.get("/v1/progressSummary", as: "anna")
            redis.kill()
            for _ in 0..<3 {
                let answer = try await world.get("/v1/progressSummary", as: "anna")
                #expect(answer.status == 200)
                #expect(answer.source == "database")
                #expect(answer.text == usual.text)
            }
            try await world.write([world.workout("anna", at: "2026-12-02T09:00:00Z", steps: 1)], shown: false)
            #expect(try await world.get("/v1/progressSummary", as: "anna").numbers("currentDaySteps") == [121])
            try await redis.start()
            try await world.eventually("the cache answers again") {
                try await world.get("/v1/progressSummary", as: "anna").source == "cache"
            }
            #expect(try await world.get("/v1/progressSummary", as: "anna").numbers("currentDaySteps") == [121])
        }
    }

    @Test("without PostgreSQL the cache answers for whom it has, the others and the lists get store_unavailable")
    func withoutPostgres() async throws {
        let postgres = try await TestPostgres.start()
        try await World.run(World.Options(postgresURL: postgres.url())) { world in
            try await AnswerTests.someone(world)
            let usual = try await world.get("/v1/progressSummary", as: "anna")
            _ = try await world.get("/v1/progressSummary", as: "anna")
            try await postgres.stop()
            for route in Self.routes {
                let answer = try await world.get(route, as: "anna")
                #expect(answer.status == 200, "\(route)")
                #expect(answer.source == "cache")
            }
            #expect(try await world.get("/v1/progressSummary", as: "anna").text == usual.text)
            let missing = [
                ("/v1/progressSummary", "otto"), ("/v1/workouts", "anna"), ("/v1/changes", "anna"),
                ("/v1/days?from=2025-01-01&to=2025-01-02", "anna"), ("/v1/days?from=2026-01-01&to=2026-12-02", "anna"),
            ]
            for (route, user) in missing {
                let answer = try await world.get(route, as: user)
                #expect(answer.status == 503, "\(route)")
                #expect(answer.reason == "store_unavailable")
                #expect((answer.numbers("retry_after_ms").first ?? 0) >= 2000)
            }
            try await postgres.start()
            try await world.eventually("the database answers again") {
                try await world.get("/v1/workouts", as: "anna").status == 200
            }
            #expect(try await world.get("/v1/progressSummary", as: "anna").text == usual.text)
        }
    }
}
