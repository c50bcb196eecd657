import Models
import Redis
import StrideTestSupport
import Testing

@testable import Storage

/// The days in Redis: equal to PostgreSQL after every kind of write, and never set back.
@Suite(.serialized, .stand())
struct CacheTests {
    private static func walk(_ day: String, steps: Int = 10, device: String? = nil) -> JSON {
        workout(from: "\(day)T08:00:00Z", to: "\(day)T09:00:00Z", steps: steps, metres: 1, device: device)
    }

    @Test("After every kind of write Redis shows what PostgreSQL holds, revision for revision")
    func everyWrite() async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let open = Self.walk("2025-06-10").with(["status": "IN_PROGRESS"])
        // `days` compares the two stores each time.
        _ = try await phone.post(open)
        #expect(try await stand.days(of: phone) == ["2025-06-10": DayFigures(10, 1000, 1)])
        _ = try await phone.post(open.with(["steps": 20]))
        #expect(try await stand.days(of: phone) == ["2025-06-10": DayFigures(20, 1000, 1)])
        _ = try await phone.post(open)
        #expect(try await stand.days(of: phone) == ["2025-06-10": DayFigures(20, 1000, 1)])
        _ = try await phone.post(open.with(["steps": 30, "status": "COMPLETE"]))
        #expect(try await stand.days(of: phone) == ["2025-06-10": DayFigures(30, 1000, 1)])
        let batch = ["2025-06-11", "2025-06-12", "2025-06-11"].map { Self.walk($0, device: "a") }
        let results = try await phone.postBatch(batch).json["results"].elements
        #expect(
            try await stand.days(of: phone) == [
                "2025-06-10": DayFigures(30, 1000, 1), "2025-06-11": DayFigures(20, 2000, 2),
                "2025-06-12": DayFigures(10, 1000, 1),
            ])
        _ = try await phone.post(Self.walk("2025-06-11", steps: 5, device: "b"))
        #expect(try await stand.days(of: phone)["2025-06-11"] == DayFigures(20, 2000, 3))
        _ = try await phone.delete(results[0]["workout_id"].int ?? 0)
        #expect(try await stand.days(of: phone)["2025-06-11"] == DayFigures(10, 1000, 2))
        _ = try await phone.delete(results[0]["workout_id"].int ?? 0)
        #expect(try await stand.days(of: phone)["2025-06-11"] == DayFigures(10, 1000, 2))
        // Refusals change neither.
        #expect(try await phone.post(open.with(["steps": 7, "source": "manual"])).status == 422)
        #expect(try await stand.days(of: phone).count == 3)
    }

    @Test("C8: late workouts and deletions correct the right day, also one that Redis has lost")
    func lateAndLost() async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        _ = try await phone.post(Self.walk("2025-11-30", steps: 5000))
        _ = try await phone.post(Self.walk("2025-11-09", steps: 300))
        #expect(try await stand.stores.redis.send("DEL", TestRedis.daysKey(of: phone.user)).number == 1)
        _ = try await phone.post(Self.walk("2025-11-30", steps: 100))
        let shown = try await stand.stores.redis.revisedDays(of: phone.user)
        #expect(shown.mapValues(\.figures) == ["2025-11-30": DayFigures(5100, 2000, 2)])
        // A repeat shows the day that was lost.
        let late = Self.walk("2025-11-09", steps: 1)
        _ = try await phone.post(late)
        _ = try await stand.stores.redis.send("DEL", TestRedis.daysKey(of: phone.user))
        #expect(try await phone.post(late).json["duplicate"] == true)
        let repeated = try await stand.stores.redis.revisedDays(of: phone.user)
        #expect(repeated.mapValues(\.figures) == ["2025-11-09": DayFigures(301, 2000, 2)])
    }

    @Test("An older revision never wins, whatever the order in which writers reach Redis", arguments: 1...20)
    func newestWins(_ seed: UInt64) async throws {
        let stand = try Stand.ofSuite()
        let user = try stand.phone().user
        let day = try #require(Day(parsing: "2025-06-10"))
        var generator = SeededGenerator(seed: seed)
        let revisions = (1...12).map { Int64($0 * 7) }.shuffled(using: &generator)
        try await stand.stores.redis.withClient(scripts: HomeCache.scripts) { client in
            let cache = HomeCache(redis: client) { "test" }
            var newest: Int64 = 0
            for revision in revisions {
                let totals = DayTotals(steps: revision * 10, distance: Millimetres(revision), workouts: 1)
                try await cache.show([DayTotalsRow(user: user, day: day, totals: totals, revision: revision)])
                newest = max(newest, revision)
                let held = try await HomeCache.held(of: user, generation: "test", in: client).days[day]
                #expect(held?.revision == newest)
                #expect(held?.totals.steps == newest * 10)
            }
            // The same revision again changes nothing either.
            let again = DayTotals(steps: 1, distance: .zero, workouts: 1)
            try await cache.show([DayTotalsRow(user: user, day: day, totals: again, revision: newest)])
            let held = try await HomeCache.held(of: user, generation: "test", in: client).days[day]
            #expect(held?.totals.steps == newest * 10)
        }
    }

    @Test("A fill puts first what every read asks for, and of days the newest")
    func orderOfFields() async throws {
        let stand = try Stand.ofSuite()
        let user = try stand.phone().user
        try await stand.stores.redis.withClient(scripts: HomeCache.scripts) { client in
            let cache = HomeCache(redis: client) { "test" }
            let totals = DayTotals(steps: 1, distance: .zero, workouts: 1)
            let days = [20_000, 20_001, 20_002].map {
                DayTotalsRow(user: user, day: Day(number: $0), totals: totals, revision: 1)
            }
            let data = HomeData(
                days: HomeDays(days), firstDay: days[0].day, plan: Revised(revision: 0, value: nil),
                goal: Revised(revision: 0, value: nil), profile: Revised(revision: 0, value: nil), revision: 1)
            try await cache.fill(data, under: try await cache.lease(user))
            let fields = try await client.send(RedisCommand("HKEYS", CacheKey.home(of: user))).elements?.map(\.text)
            let settings = ["g", "complete", "through", "plan", "goal", "profile"]
            #expect(fields == settings + ["2024-10-06", "2024-10-05", "2024-10-04"])
        }
    }

    @Test("A stale value that someone put into Redis is replaced by the next write, damaged ones too")
    func damaged() async throws {
        let stand = try Stand.ofSuite()
        let key: (Phone) -> String = { TestRedis.daysKey(of: $0.user) }
        for value in ["0:1:1:1", "", "x", "1", ":::", "-5:1:1:1"] {
            let phone = try stand.phone()
            _ = try await stand.stores.redis.send("HSET", key(phone), "2025-06-10", value)
            #expect(try await phone.post(Self.walk("2025-06-10")).status == 201)
            #expect(try await stand.days(of: phone) == ["2025-06-10": DayFigures(10, 1000, 1)])
        }
    }

    @Test("Only a user's newest days are kept, and they leave Redis by themselves")
    func bounded() async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let first = instant("2025-06-01T08:00:00Z")
        let walks = (0..<120).map { day in
            Self.walk("2025-06-01").with([
                "start_time": .int(first + day * 86_400_000), "end_time": .int(first + day * 86_400_000 + 60_000),
            ])
        }
        _ = try await phone.postBatch(walks.shuffled())
        let shown = try await stand.stores.redis.revisedDays(of: phone.user)
        #expect(shown.count == 40)
        // 2025-06-01 and 119 days is 2025-09-28; 40 days back from there is 2025-08-20.
        #expect(shown.keys.min() == "2025-08-20" && shown.keys.max() == "2025-09-28")
        let life = try await stand.stores.redis.send("TTL", TestRedis.daysKey(of: phone.user)).number ?? 0
        #expect(life > 0 && life <= 8 * 86_400)
    }
}
