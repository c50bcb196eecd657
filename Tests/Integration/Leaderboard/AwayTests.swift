import EventLoops
import Models
import Redis
import StrideTestSupport
import Synchronization
import Testing

extension LeaderboardServiceTests {
    /// A store is away, or comes back as another one.
    @Suite struct AwayTests {
        /// A leaderboard that reaches PostgreSQL through a relay.
        private static func runRelayed(
            _ body: @Sendable @escaping (Gym, TCPRelay) async throws -> Void
        ) async throws {
            let holder = Mutex<TCPRelay?>(nil)
            try await Gym.run(
                shortWaits: true,
                url: { stores in
                    let url = stores.database.url
                    let port = url.split(separator: "@").last?.split(separator: "/").first?.split(separator: ":").last
                    let relay = try await TCPRelay.start(to: UInt16(port ?? "") ?? 0, on: stores.loop)
                    holder.withLock { $0 = relay }
                    return try relay.url(url)
                }
            ) { gym in
                let relay = try #require(holder.withLock { $0 })
                try await body(gym, relay)
                try await relay.goAway()
            }
        }

        @Test(
            "PostgreSQL away: the cached board is shown, what is not cached and every write is 503 with the wait, and it recovers alone"
        )
        func postgresAway() async throws {
            try await Self.runRelayed { gym, relay in
                try await gym.record([athlete(1, 5), athlete(2, 7), athlete(3, nil)])
                try await gym.awaitBoard()
                let before = try await gym.get("/v1/athletes")
                try await relay.goAway()
                try await eventually("the service notices") {
                    try await gym.call("PUT", "/v1/athletes/9", AccessTests.entry).status == 503
                }
                let page = try await gym.get("/v1/athletes")
                #expect(page.status == 200 && page.source == "cache" && page.body == before.body)
                let view = try await gym.get("/v1/athletes/1?around=1")
                #expect(view.status == 200 && view.source == "cache" && view.board("neighbours") == ["2:7:1", "3:-:-"])
                #expect(try await gym.get("/v1/athletes/summary").source == "cache")
                #expect(try await gym.get("/v1/challenges/open").source == "cache")
                #expect(try await gym.get("/v1/athletes/77").status == 404)
                for (method, path, body) in [
                    ("GET", "/v1/challenges/none/athletes", nil), ("PUT", "/v1/athletes/1", AccessTests.entry),
                    ("DELETE", "/v1/athletes/1", nil), ("POST", "/v1/athletes/batch", ["athletes": [athlete(1, 1)]]),
                    ("PUT", "/v1/challenges/open", ["name": "x"]),
                ] as [(String, String, JSON?)] {
                    let answer = try await gym.call(method, path, body)
                    #expect(answer.status == 503 && answer.code == "TRY_AGAIN_LATER", "\(method) \(path)")
                    #expect(answer.json["reason"] == "store_unavailable" && answer["Retry-After"] != nil)
                }
                #expect(try await gym.call("PUT", "/v1/athletes/1", [:]).status == 400)
                try await relay.comeBack()
                try await eventually("writes go on") {
                    try await gym.call("PUT", "/v1/athletes/1", ["name": "A", "score": 9]).status == 200
                }
                #expect(try await gym.get("/v1/athletes").board() == ["1:9:1", "2:7:2", "3:-:-"])
            }
        }

        @Test("First load fails, retry fails, retry works: neither store answers, then both do")
        func neither() async throws {
            try await Self.runRelayed { gym, relay in
                try await gym.record([athlete(1, 5), athlete(2, 7)])
                try await relay.goAway()
                gym.stores.redis.kill()
                try await eventually("the service notices") { try await gym.get("/v1/athletes").status == 503 }
                for _ in 1...2 {
                    let begin = ContinuousClock.now
                    let answer = try await gym.get("/v1/athletes")
                    #expect(answer.status == 503 && answer.code == "TRY_AGAIN_LATER")
                    #expect((Int(answer["Retry-After"] ?? "") ?? 0) >= 1 && answer.json["retry_after_ms"].int != nil)
                    #expect(ContinuousClock.now - begin < .seconds(3))
                }
                try await gym.stores.redis.start()
                try await relay.comeBack()
                try await eventually("a retry works") { try await gym.get("/v1/athletes").status == 200 }
                #expect(try await gym.get("/v1/athletes").board() == ["2:7:1", "1:5:2"])
            }
        }

        @Test("Redis away: boards are read from PostgreSQL and writes go on; back again, the board is right within 5 s")
        func redisAway() async throws {
            try await Gym.run(shortWaits: true) { gym in
                try await gym.record([athlete(1, 5), athlete(2, 7)])
                try await gym.awaitBoard()
                gym.stores.redis.kill()
                #expect(try await gym.call("PUT", "/v1/athletes/1", ["name": "A", "score": 9]).status == 200)
                let page = try await gym.get("/v1/athletes")
                #expect(page.board() == ["1:9:1", "2:7:2"] && page.source == "database")
                #expect(gym.metric("stride_leaderboard_cache_write_failures_total") == 1)
                try await gym.stores.redis.start()
                try await gym.awaitBoard()
                #expect(try await gym.get("/v1/athletes").board() == ["1:9:1", "2:7:2"])
            }
        }

        @Test("C4: Redis flushed, or restarted from an old snapshot: no wrong board, and Redis answers again")
        func oldSnapshot() async throws {
            try await Gym.run { gym in
                try await gym.record([athlete(1, 5), athlete(2, 7), athlete(3, 6)])
                try await gym.awaitBoard()
                try await gym.stores.redis.send("SAVE")
                try await gym.record([athlete(1, 100)])
                #expect(try await gym.call("DELETE", "/v1/athletes/3").status == 204)
                gym.stores.redis.kill()
                try await gym.stores.redis.start()
                #expect(try await gym.stores.redis.send("ZCARD", "stride:{board:open}:ranks").number == 3)
                // The old board is there, and nobody else writes.
                try await eventually("it is right", within: .seconds(5)) {
                    try await gym.get("/v1/athletes").board() == ["1:100:1", "2:7:2"]
                }
                // That may have been PostgreSQL; what Redis answers is right as soon as this run of it is known for a new one.
                try await eventually("it is right in Redis", within: .seconds(5)) {
                    let page = try await gym.get("/v1/athletes")
                    return page.source == "cache" && page.board() == ["1:100:1", "2:7:2"]
                }
                try await gym.stores.redis.send("FLUSHALL")
                #expect(try await gym.get("/v1/athletes").board() == ["1:100:1", "2:7:2"])
                try await gym.awaitBoard()
                #expect(try await gym.get("/v1/athletes/2").json["athlete"].place == "2:7:2")
                // Redis has evicted a part of it.
                for part in ["ranks", "unscored", "athletes", "days", "meta"] {
                    try await gym.record([athlete(4, nil)])
                    try await gym.awaitBoard()
                    try await gym.stores.redis.send("DEL", "stride:{board:open}:\(part)")
                    let page = try await gym.get("/v1/athletes?limit=7")
                    #expect(page.board() == ["1:100:1", "2:7:2", "4:-:-"] && page.source == "database", "\(part)")
                    #expect(try await gym.get("/v1/athletes/summary").json["history"].elements.count == 1)
                }
            }
        }

        @Test(
            "C7: Redis answers but refuses writes: the board that cannot be taken on is not shown, PostgreSQL answers")
        func refusesWrites() async throws {
            try await Gym.run { gym in
                try await gym.record([athlete(1, 5), athlete(2, 7)])
                let other = try await Gym.start(gym.stores)
                try await other.awaitReady()
                try await gym.awaitBoard()
                for (number, (name, wrong, right)) in [
                    ("maxmemory", "1", "0"), ("min-replicas-to-write", "1", "0"),
                ].enumerated() {
                    try await gym.stores.redis.send("CONFIG", "SET", name, wrong)
                    let score = 10 + number
                    let put = try await gym.call("PUT", "/v1/athletes/1", ["name": "A", "score": .int(score)])
                    #expect(put.status == 200)
                    let board = ["1:\(score):1", "2:7:2"]
                    // The next read of who has written, and of everybody else within the time that is promised.
                    let page = try await gym.get("/v1/athletes")
                    #expect(page.board() == board && page.source == "database")
                    try await eventually("the other service sees it", within: .seconds(5)) {
                        let page = try await other.get("/v1/athletes")
                        return page.board() == board && page.source == "database"
                    }
                    let view = try await gym.get("/v1/athletes/2?around=1")
                    #expect(view.board("neighbours") == ["1:\(score):1"] && view.source == "database")
                    try await gym.stores.redis.send("CONFIG", "SET", name, right)
                    try await gym.awaitBoard()
                    #expect(try await gym.get("/v1/athletes").board() == board)
                    try await other.awaitBoard()
                }
                await other.end()
            }
        }
    }
}
