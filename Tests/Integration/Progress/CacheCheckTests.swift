import EventLoops
import Models
import Redis
import StrideTestSupport
import Testing

@testable import ProgressService
@testable import Storage

/// The check that looks for what nobody has thought of.
@Suite(.serialized)
struct CacheCheckTests {
    static let checks = "stride_cache_checks_total"
    static let inconsistent = "stride_cache_inconsistent_total"

    static var options: World.Options {
        var options = World.Options()
        options.settings = ["STRIDE_PROGRESS_CHECK_MS": "20"]
        options.tune = { $0.checkPatience = .milliseconds(200) }
        return options
    }

    @Test("a cache that agrees is never counted, also while writers are at work")
    func agreeing() async throws {
        var options = Self.options
        // As long as a writer on a busy machine may take from its commit to the cache.
        options.tune = { $0.checkPatience = .seconds(5) }
        try await World.run(options) { world in
            try await ConsistencyTests.warm(world)
            let before = world.metric(Self.checks)
            for _ in 0..<200 { try await world.write([world.workout("anna", at: "2026-12-02T09:00:00Z", steps: 1)]) }
            try await world.eventually("it has looked ten times") { world.metric(Self.checks) >= before + 10 }
            #expect(world.metric(Self.inconsistent) == 0)
        }
    }

    @Test("a day that was spoilt by hand is counted and dropped, and the next answer is right")
    func spoilt() async throws {
        try await World.run(Self.options) { world in
            try await ConsistencyTests.warm(world)
            let key = CacheKey.home(of: try world.user("anna"))
            for value in ["1:4999:0:1", "9:9999:0:1"] {
                let before = world.metric(Self.inconsistent)
                _ = try await world.redis.send(RedisCommand("HSET", key, "2026-12-02", value))
                try await world.eventually("it is found") { world.metric(Self.inconsistent) > before }
                try await world.eventually("it is right") { try await ConsistencyTests.steps(world) == 5000 }
            }
            _ = try await world.redis.send(RedisCommand("HDEL", key, "2026-12-02"))
            try await world.eventually("a day that is missing is found") {
                try await ConsistencyTests.steps(world) == 5000
            }
        }
    }

    @Test("what lags behind a commit is no difference; what stays behind, is ahead or says otherwise is one")
    func decisions() throws {
        let (day, user) = (Day(number: 20_789), UserID(UUIDValue(high: 0, low: 1)))
        func home(_ revision: Int64?, _ steps: Int64 = 0, goal: Int64 = 0) -> HomeData {
            let row = revision.map {
                DayTotalsRow(user: user, day: day, totals: DayTotals(steps: steps), revision: $0)
            }
            return HomeData(
                days: HomeDays(row.map { [$0] } ?? []), firstDay: day.advanced(by: -41),
                plan: Revised(revision: 0, value: nil), goal: Revised(revision: goal, value: WeeklyGoal(steps: goal)),
                profile: Revised(revision: 0, value: nil))
        }
        let steady = HomeComparison(first: home(5, 50), last: home(5, 50))
        #expect(!steady.isWrong(home(5, 50)))
        #expect(steady.isWrong(home(4, 40)))
        #expect(steady.isWrong(home(5, 51)))
        #expect(steady.isWrong(home(6, 50)))
        #expect(steady.isWrong(home(nil)))
        let moving = HomeComparison(first: home(5, 50), last: home(7, 70))
        #expect(!moving.isWrong(home(5, 50)))
        #expect(!moving.isWrong(home(6, 60)))
        #expect(!moving.isWrong(home(7, 70)))
        #expect(moving.isWrong(home(4, 40)))
        #expect(moving.isWrong(home(8, 80)))
        #expect(steady.isWrong(home(5, 50, goal: 1)))
        let new = HomeComparison(first: home(nil), last: home(1, 10))
        #expect(!new.isWrong(home(nil)))
        #expect(!new.isWrong(home(1, 10)))
    }
}
