import Models
import Redis
import StrideTestSupport
import Testing

@testable import Storage

/// What one turn of a loop asks of Redis for many users travels in few calls, and each user gets what a call alone would have brought.
@Suite(.serialized) struct GatheredCallsTests {
    /// Five at once, then one a minute: nothing comes back within a test.
    private static let budget = RateBudget(perMinute: 1, burst: 5)

    private static func withRedis(_ body: @escaping @Sendable (RedisClient) async throws -> Void) async throws {
        try await TestStores.run { stores in
            try await stores.redis.withClient(scripts: BudgetCounter.scripts + HomeCache.scripts, body)
        }
    }

    /// Asks for all in one turn; the answers in the order of the wishes.
    private static func admit(
        _ wishes: [(user: UserID, cells: Int)], by counter: BudgetCounter, in redis: RedisClient
    ) async throws -> [RateBudget.Decision] {
        try await withThrowingTaskGroup(of: (Int, RateBudget.Decision).self) { group in
            for (place, wish) in wishes.enumerated() {
                group.addTask(executorPreference: redis.loop) {
                    (place, try await counter.admit(wish.cells, of: wish.user))
                }
            }
            var decisions: [Int: RateBudget.Decision] = [:]
            for try await (place, decision) in group { decisions[place] = decision }
            return wishes.indices.compactMap { decisions[$0] }
        }
    }

    private static func users(_ count: Int) -> [UserID] { (0..<count).map { _ in UserID(.random()) } }

    @Test(
        "The budgets of all requests of a turn are counted in one call for each 128, and everyone gets the own decision"
    )
    func oneCall() async throws {
        try await Self.withRedis { redis in
            let counter = BudgetCounter(.workouts, Self.budget, redis: redis)
            let wishes = Self.users(300).enumerated().map { (user: $1, cells: $0 % 8) }
            let before = redis.counters.commands
            let decisions = try await Self.admit(wishes, by: counter, in: redis)
            // 128, 128 and 44.
            #expect(redis.counters.commands - before == 3)
            #expect(decisions.map(\.admitted) == wishes.map { min($0.cells, 5) })
            #expect(decisions.map(\.remaining) == wishes.map { max(5 - $0.cells, 0) })
            // Each of them is counted in a key of its own, which leaves by itself.
            let second = try await Self.admit(wishes.map { ($0.user, 5) }, by: counter, in: redis)
            #expect(second.map(\.admitted) == wishes.map { max(5 - $0.cells, 0) })
            for (user, cells) in wishes.prefix(8) where cells > 0 {
                let life = try await redis.send(RedisCommand("PTTL", "stride:{\(user)}:budget:workouts")).number ?? 0
                // Five cells are used, so the whole burst is there again after five minutes.
                #expect(life > 240_000 && life <= 301_001)
            }
        }
    }

    @Test("Who asks several times in one turn is counted each time, in order, and never beyond the burst")
    func sameUser() async throws {
        try await Self.withRedis { redis in
            let counter = BudgetCounter(.workouts, Self.budget, redis: redis)
            let users = Self.users(2)
            let wishes = [2, 1, 2, 1, 1].flatMap { cells in
                [(user: users[0], cells: cells), (user: users[1], cells: 1)]
            }
            let before = redis.counters.commands
            let decisions = try await Self.admit(wishes, by: counter, in: redis)
            #expect(redis.counters.commands - before == 1)
            #expect(decisions.map(\.admitted) == [2, 1, 1, 1, 2, 1, 0, 1, 0, 1])
            #expect(decisions.map(\.remaining) == [3, 4, 2, 3, 0, 2, 0, 1, 0, 0])
        }
    }

    @Test("A counter that is nonsense, of another type or far ahead neither harms its neighbours nor stays")
    func nonsense() async throws {
        try await Self.withRedis { redis in
            let counter = BudgetCounter(.workouts, Self.budget, redis: redis)
            let users = Self.users(4)
            let keys = users.map { "stride:{\($0)}:budget:workouts" }
            _ = try await redis.send([
                RedisCommand("SET", keys[0], "nonsense"), RedisCommand("HSET", keys[1], "a", "b"),
                RedisCommand("SET", keys[2], "99999999999999999"),
            ])
            let decisions = try await Self.admit(users.map { ($0, 1) }, by: counter, in: redis)
            #expect(decisions.map(\.admitted) == [1, 1, 0, 1])
            for key in keys { #expect(try await redis.send(RedisCommand("PTTL", key)).number ?? -1 > 0) }
            // One cell is earned in a minute: a time beyond the burst counts as a burst that is used up.
            #expect(decisions[2].wait == .seconds(60) && decisions[2].reset == .seconds(300))
        }
    }

    @Test("When Redis cannot count, everyone of the turn is told so")
    func refused() async throws {
        try await Self.withRedis { redis in
            let counter = BudgetCounter(.workouts, Self.budget, redis: redis)
            redis.close()
            for user in Self.users(2) {
                await #expect(throws: RedisError.notConnected) { try await counter.admit(1, of: user) }
            }
        }
    }

    @Test("The days of many users are shown in one call for each 64; a hash that refuses harms no other and is told of")
    func days() async throws {
        try await Self.withRedis { redis in
            let cache = HomeCache(redis: redis) { "test" }
            let users = Self.users(100)
            let rows = users.enumerated().flatMap { place, user in
                // Every third has a second day, behind those of others.
                (0...(place % 3 == 0 ? 1 : 0)).map { day in
                    DayTotalsRow(
                        user: user, day: Day(number: 20_000 + day),
                        totals: DayTotals(steps: Int64(place), distance: Millimetres(7), workouts: 1), revision: 1)
                }
            }.sorted { $0.day < $1.day }
            _ = try await redis.send(RedisCommand("SET", "stride:{\(users[5])}:home", "no hash"))
            let before = redis.counters.commands
            await #expect(throws: RedisError.server(.wrongType)) { try await cache.show(rows) }
            #expect(redis.counters.commands - before == 2)
            for (place, user) in users.enumerated() where place != 5 {
                let held = try await HomeCache.held(of: user, generation: "test", in: redis).days
                #expect(held.count == (place % 3 == 0 ? 2 : 1))
                #expect(held.values.allSatisfy { $0.totals.steps == Int64(place) })
            }
            // Now each has its days, most of them one that is there: newer ones replace them, older ones do not.
            _ = try await redis.send(RedisCommand("DEL", "stride:{\(users[5])}:home"))
            let newer = users.enumerated().map { place, user in
                DayTotalsRow(
                    user: user, day: Day(number: 20_000),
                    totals: DayTotals(steps: 1000, distance: Millimetres(7), workouts: 2),
                    revision: place % 2 == 0 ? 2 : 1)
            }
            try await cache.show(newer)
            for (place, user) in users.enumerated() where place != 5 {
                let held = try await HomeCache.held(of: user, generation: "test", in: redis).days[Day(number: 20_000)]
                #expect(held?.totals.steps == (place % 2 == 0 ? 1000 : Int64(place)))
                #expect(held?.revision == (place % 2 == 0 ? 2 : 1))
            }
        }
    }

    @Test("The life of a home begins anew with each new day and not with each workout")
    func life() async throws {
        try await Self.withRedis { redis in
            let cache = HomeCache(redis: redis) { "test" }
            let user = Self.users(1)[0]
            let key = "stride:{\(user)}:home"
            func show(day: Int32, revision: Int64) async throws -> Int64 {
                let totals = DayTotals(steps: 1, distance: .zero, workouts: 1)
                try await cache.show([
                    DayTotalsRow(user: user, day: Day(number: day), totals: totals, revision: revision)
                ])
                return try await redis.send(RedisCommand("TTL", key)).number ?? -1
            }
            let days = 8 * 86_400
            #expect(try await show(day: 20_000, revision: 1) > Int64(days - 60))
            _ = try await redis.send(RedisCommand("EXPIRE", key, "1000"))
            let kept = try await show(day: 20_000, revision: 2)
            #expect(kept > 900 && kept <= 1000)
            #expect(try await show(day: 20_001, revision: 3) > Int64(days - 60))
        }
    }
}
