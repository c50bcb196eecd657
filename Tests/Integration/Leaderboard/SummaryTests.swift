import Models
import Postgres
import StrideTestSupport
import Testing

@testable import Storage

extension LeaderboardServiceTests {
    /// The two measures by which a challenge is judged.
    @Suite struct SummaryTests {
        @Test("A week of entries and results has the right rate and average at the end of each day")
        func week() async throws {
            try await TestStores.run(ownRedis: true) { stores in
                let days: [(now: String, calls: [(String, Int, JSON)])] = [
                    ("2026-02-20T00:00:00Z", [("PUT", 1, nil), ("PUT", 2, nil)]),
                    ("2026-02-21T23:59:59Z", [("PUT", 1, 10)]), ("2026-02-22T12:00:00Z", []),
                    ("2026-02-23T08:00:00Z", [("PUT", 3, 25), ("PUT", 1, 40), ("PUT", 1, 4)]),
                    ("2026-02-24T08:00:00Z", [("DELETE", 2, nil)]), ("2026-02-25T08:00:00Z", []),
                    ("2026-02-26T08:00:00Z", [("PUT", 3, 30)]),
                ]
                var last: JSON = .null
                for day in days {
                    let clock = ["STRIDE_TEST_NOW": "\(instant(day.now))"]
                    let gym = try await Gym.start(stores, clock)
                    try await gym.awaitReady()
                    for (method, id, score) in day.calls {
                        let body: JSON? = method == "PUT" ? ["name": "A", "score": score] : nil
                        #expect(try await gym.call(method, "/v1/athletes/\(id)", body).status < 300)
                    }
                    try await gym.awaitBoard()
                    if day.now == days.last?.now {
                        try await gym.onBothStores(clock) { gym, source in
                            let answer = try await gym.get("/v1/athletes/summary")
                            #expect(answer.source == source)
                            Self.checkWeek(answer.json)
                        }
                    }
                    last = try await gym.get("/v1/athletes/summary").json
                    await gym.end()
                }
                #expect(last["history"].elements.count == 7)
                #expect(last["participants"] == 2 && last["completed"] == 2)
                #expect(last["completionRate"] == 1 && last["averageScore"] == 17)
            }
        }

        private static func checkWeek(_ summary: JSON) {
            let history = summary["history"].elements.map { day in
                [day["day"], day["participants"], day["completed"], day["completionRate"], day["averageScore"]]
            }
            #expect(
                history == [
                    ["2026-02-20", 2, 0, 0, nil], ["2026-02-21", 2, 1, 0.5, 10], ["2026-02-22", 2, 1, 0.5, 10],
                    ["2026-02-23", 3, 2, 0.6666666666666666, 14.5], ["2026-02-24", 2, 2, 1, 14.5],
                    ["2026-02-25", 2, 2, 1, 14.5], ["2026-02-26", 2, 2, 1, 17],
                ])
        }

        @Test("Rate and average are exact for 0, 1 and 100 000 athletes")
        func exact() async throws {
            try await Gym.run { gym in
                let none = try await gym.get("/v1/athletes/summary")
                #expect(
                    none.text
                        == #"{"participants":0,"completed":0,"completionRate":0,"averageScore":null,"history":[]}"#)
                #expect(try await gym.get("/v1/athletes").text == #"{"athletes":[],"total":0,"nextCursor":null}"#)
                try await gym.record([athlete(1, -3)])
                let one = try await gym.get("/v1/athletes/summary").json
                #expect(one["participants"] == 1 && one["completionRate"] == 1 && one["averageScore"] == -3)

                let store = LeaderboardStore(timeout: .seconds(60))
                let now = Timestamp(milliseconds: 1_772_000_000_000)
                for start in stride(from: 1, to: 100_001, by: 1000) {
                    let changes = (start..<(start + 1000)).map { id in
                        AthleteChange.record(
                            NamedEntry(
                                id: Int64(id), entry: AthleteEntry(name: "A", score: id % 3 == 0 ? nil : Int64(id))),
                            by: nil)
                    }
                    _ = try await gym.stores.database.withConnection { connection in
                        try await store.write(changes, to: .open, at: now, on: connection)
                    }
                }
                // Nobody has shown these: the boards' own check finds them within its time.
                try await eventually("the board has them", within: .seconds(60)) {
                    let top = try await gym.get("/v1/athletes?limit=1")
                    return top.board() == ["100000:100000:1"] && top.source == "cache"
                }
                try await gym.onBothStores { gym, source in
                    let all = try await gym.get("/v1/athletes/summary")
                    // 100 000 − 33 333 of 100 000; 5 000 050 000 − 3 · 33 333 · 33 334 / 2 = 3 333 366 667 by 66 667.
                    #expect(all.json["participants"] == 100_000 && all.json["completed"] == 66_667)
                    #expect(all.json["completionRate"] == 0.66667)
                    #expect(all.json["averageScore"] == .double(3_333_366_667.0 / 66_667.0) && all.source == source)
                    // Everybody without a score stands behind, by id; the first of them is 3.
                    let view = try await gym.get("/v1/athletes/3?around=1")
                    #expect(view.board("neighbours") == ["1:1:66667", "6:-:-"])
                }
            }
        }
    }
}
