import Models
import Postgres
import Redis
import StrideTestSupport
import Synchronization
import Testing

@testable import LeaderboardService
@testable import Storage

extension LeaderboardServiceTests {
    /// A board is always equal to PostgreSQL at one revision, whoever dies or comes late.
    @Suite struct ConsistencyTests {
        private static let store = LeaderboardStore(timeout: .seconds(60))

        private static func record(_ id: Int64, _ score: Int64?) -> AthleteChange {
            .record(NamedEntry(id: id, entry: AthleteEntry(name: "A", score: score)), by: nil)
        }

        /// Commits as a service does that dies before it has shown anything.
        private static func commit(_ changes: [AthleteChange], in gym: Gym) async throws -> BoardDelta {
            let store = store
            let write = try await gym.stores.database.withConnection { connection in
                try await store.write(
                    changes, to: .open, at: Timestamp(milliseconds: 1_772_000_000_000), on: connection)
            }
            return try #require(write?.delta)
        }

        private static func generation(_ gym: Gym) async throws -> String {
            try await gym.stores.database.withConnection { connection in
                let url = gym.stores.redis.port
                let redis = RedisClient(
                    configuration: RedisConfiguration(host: "127.0.0.1", port: url), loop: connection.loop)
                redis.start()
                defer { redis.close() }
                try await redis.waitUntilReady(timeout: .seconds(10))
                return try #require(try await CacheGeneration.name(redis: redis, postgres: connection))
            }
        }

        private static func show(_ delta: BoardDelta, in gym: Gym, as generation: String) async throws
            -> BoardCache.Shown
        {
            try await gym.stores.redis.withClient(scripts: BoardCache.scripts) { redis in
                try await BoardCache(redis: redis) { generation }.show(delta)
            }
        }

        @Test("C3: killed between COMMIT and Redis: the board is right within 5 s without any further write")
        func killed() async throws {
            try await Gym.run { gym in
                try await gym.record([athlete(1, 5), athlete(2, 7)])
                try await gym.awaitBoard()
                _ = try await Self.commit([Self.record(1, 9), Self.record(3, 8), .remove(id: 2, by: nil)], in: gym)
                try await eventually("the board is right", within: .seconds(5)) {
                    let page = try await gym.get("/v1/athletes")
                    return page.board() == ["1:9:1", "3:8:2"] && page.source == "cache" && page.json["total"] == 2
                }
                #expect(gym.metric("stride_leaderboard_board_repairs_total") == 1)
                #expect(try await gym.get("/v1/athletes/summary").json["averageScore"] == 8.5)
            }
        }

        @Test("C1: a writer that comes late brings nothing back, neither an old score nor a deleted athlete")
        func late() async throws {
            try await Gym.run { gym in
                try await gym.record([athlete(1, 5), athlete(2, 7)])
                try await gym.awaitBoard()
                let generation = try await Self.generation(gym)
                let slow = try await Self.commit([Self.record(1, 9), Self.record(2, 1)], in: gym)
                // The next writer finds the board behind, and takes it along.
                #expect(try await gym.call("DELETE", "/v1/athletes/1").status == 204)
                #expect(try await gym.get("/v1/athletes").board() == ["2:1:1"])
                #expect(try await Self.show(slow, in: gym, as: generation) == .shown)
                #expect(try await gym.get("/v1/athletes").board() == ["2:1:1"])
                // Out of order nothing is shown, and a writer of another generation writes nothing.
                let first = try await Self.commit([Self.record(4, 4)], in: gym)
                let second = try await Self.commit([Self.record(4, 2)], in: gym)
                #expect(try await Self.show(second, in: gym, as: "another") == .noBoard)
                let shown = try await Self.show(second, in: gym, as: generation)
                // The service's own check may have been quicker.
                #expect(shown == .behind(through: first.from) || shown == .shown)
                try await eventually("both are there", within: .seconds(5)) {
                    try await gym.get("/v1/athletes").board() == ["4:2:1", "2:1:2"]
                }
            }
        }

        @Test("C2: a board ahead of PostgreSQL is dropped")
        func ahead() async throws {
            try await Gym.run { gym in
                try await gym.record([athlete(1, 5)])
                try await gym.record([athlete(1, 6)])
                try await gym.awaitBoard()
                try await gym.stores.database.run(
                    "update athletes set score = 5", "update challenges set revision = 1, score_sum = 5")
                try await eventually("the board is as PostgreSQL", within: .seconds(5)) {
                    try await gym.get("/v1/athletes").board() == ["1:5:1"]
                }
            }
        }

        @Test("Boards are built aside: no reader sees half of one while it is built and changed, over and over")
        func neverHalf() async throws {
            try await Gym.run { gym in
                try await gym.record((1...4500).map { athlete($0, $0 % 5 == 0 ? nil : 1) })
                let stop = StopFlag()
                try await withThrowingTaskGroup(of: Int.self) { group in
                    group.addTask {
                        var reads = 0
                        while !stop.isSet {
                            let page = try await gym.get("/v1/athletes?limit=3")
                            // Somebody is taken off and put back, all with the same score.
                            let total = page.json["total"].int ?? 0
                            #expect((4499...4500).contains(total), "\(page)")
                            #expect(page.json["athletes"].elements.allSatisfy { $0["rank"] == 1 })
                            let last = try await gym.get("/v1/athletes/4500").json["athlete"]
                            #expect(last["rank"] == .null && last["name"] == "A")
                            reads += 1
                        }
                        return reads
                    }
                    group.addTask {
                        var writes = 0
                        while !stop.isSet {
                            let gone = try await gym.call("DELETE", "/v1/athletes/7")
                            #expect(gone.status == 204)
                            let without = try await gym.get("/v1/athletes")
                            #expect(without.json["total"] == 4499)
                            try await gym.record([athlete(7, 1)])
                            let with = try await gym.get("/v1/athletes")
                            #expect(with.json["total"] == 4500)
                            writes += 1
                        }
                        return writes
                    }
                    for _ in 1...5 {
                        try await gym.stores.redis.send("DEL", "stride:{board:open}:meta")
                        try await gym.awaitBoard()
                    }
                    stop.set()
                    for try await count in group { #expect(count > 0) }
                }
                #expect(gym.metric("stride_leaderboard_board_builds_total") >= 5)
                let parts = ["athletes", "days", "meta", "ranks", "unscored"].map { "stride:{board:open}:\($0)" }
                try await eventually("nothing else is left") {
                    let keys = try await gym.stores.redis.send("KEYS", "stride:{board:open}:*").elements ?? []
                    return keys.compactMap(\.text).filter { !$0.hasSuffix("floor") }.sorted() == parts
                }
            }
        }

        @Test(
            "Two services and twenty writers: the board is equal to PostgreSQL, the sums to the rows, the log to both")
        func manyWriters() async throws {
            try await Gym.run { gym in
                let other = try await Gym.start(gym.stores)
                try await other.awaitReady()
                try await gym.record([athlete(0, 0)])
                try await gym.awaitBoard()
                try await withThrowingTaskGroup(of: Void.self) { group in
                    for writer in 0..<20 {
                        group.addTask {
                            var random = SeededGenerator(seed: UInt64(writer))
                            for _ in 0..<15 {
                                let gym = Bool.random(using: &random) ? gym : other
                                let id = Int.random(in: -10...10, using: &random)
                                let score = Int.random(in: -5...5, using: &random)
                                let body: JSON = ["name": "A", "score": score == 4 ? .null : .int(score)]
                                let answer = try await gym.call(
                                    score == 5 ? "DELETE" : "PUT", "/v1/athletes/\(id)", score == 5 ? nil : body)
                                #expect(answer.status < 300)
                            }
                        }
                    }
                    try await group.waitForAll()
                }
                let page = try await gym.get("/v1/athletes?limit=1000")
                #expect(page.source == "cache" && page.status == 200)
                let rows = try await gym.stores.database.rows(
                    """
                    select athlete_id as id, score, case when score is not null
                        then rank() over (order by score desc nulls last) end as rank
                    from athletes order by score desc nulls last, athlete_id
                    """)
                #expect(page.board() == rows.map(\.place))
                let sums = try await gym.stores.database.rows(
                    """
                    select c.participants = count(a) and c.completed = count(a.score)
                        and c.score_sum = coalesce(sum(a.score), 0) as agrees
                    from challenges c left join athletes a using (challenge) group by c.challenge
                    """)
                #expect(sums == [["agrees": true]])
                let fold = try await gym.stores.database.rows(
                    """
                    select athlete_id as id, score from (
                        select distinct on (athlete_id) * from athlete_results order by athlete_id, revision desc) r
                    where not is_removal order by athlete_id
                    """)
                let stored = try await gym.stores.database.rows(
                    "select athlete_id as id, score from athletes order by athlete_id")
                #expect(fold == stored)
                await other.end()
            }
        }

        @Test("The order of a challenge can be turned, and its board is built anew")
        func turned() async throws {
            try await Gym.run { gym in
                try await gym.record([athlete(1, 5), athlete(2, 7)])
                try await gym.awaitBoard()
                #expect(
                    try await gym.call("PUT", "/v1/challenges/open", ["name": "Open", "order": "asc"]).status == 200)
                #expect(try await gym.get("/v1/athletes").board() == ["1:5:1", "2:7:2"])
                try await gym.awaitBoard()
                #expect(try await gym.get("/v1/athletes").board() == ["1:5:1", "2:7:2"])
            }
        }
    }
}
