import Models
import StrideTestSupport
import Testing

extension LeaderboardServiceTests {
    /// Who stands where, from Redis and from PostgreSQL.
    @Suite struct BoardTests {
        static let five = [
            athlete(51, 232, name: "Tia"), athlete(43, 201, name: "Mat"), athlete(1, 9), athlete(5, 48),
            athlete(2, 12),
        ]

        @Test("Five athletes come back as ranks 1, 2, 5, 3, 4")
        func five() async throws {
            try await Gym.run { gym in
                // PUT over a socket → row → sorted set → GET with rank.
                for item in Self.five {
                    let body = item.without("id")
                    let answer = try await gym.call("PUT", "/v1/athletes/\(item["id"].int ?? 0)", body)
                    #expect(answer.status == 201, "\(answer)")
                }
                try await gym.awaitBoard()
                for (id, place) in [(51, "51:232:1"), (43, "43:201:2"), (1, "1:9:5"), (5, "5:48:3"), (2, "2:12:4")] {
                    let answer = try await gym.get("/v1/athletes/\(id)")
                    #expect(answer.json["athlete"].place == place && answer.source == "cache")
                    #expect(answer.json["total"] == 5 && answer.json["neighbours"] == [])
                }
                let page = try await gym.get("/v1/athletes")
                #expect(page.status == 200 && page["Content-Type"] == "application/json")
                #expect(page.board() == ["51:232:1", "43:201:2", "5:48:3", "2:12:4", "1:9:5"])
                #expect(page.json["athletes"][0]["name"] == "Tia" && page.json["total"] == 5)
                #expect(page.json.names == ["athletes", "nextCursor", "total"] && page.json["nextCursor"] == .null)
            }
        }

        @Test("Equal scores share a rank, the next one skips, and they are listed by id, the same on every read")
        func ties() async throws {
            try await Gym.run { gym in
                try await gym.record([athlete(10, 90), athlete(-3, 90), athlete(7, 80), athlete(9, 100)])
                try await gym.awaitBoard()
                try await gym.onBothStores { gym, source in
                    for _ in 1...5 {
                        let page = try await gym.get("/v1/athletes")
                        #expect(page.board() == ["9:100:1", "-3:90:2", "10:90:2", "7:80:4"] && page.source == source)
                    }
                    #expect(try await gym.get("/v1/athletes/10").json["athlete"].place == "10:90:2")
                    #expect(try await gym.get("/v1/athletes/7").json["athlete"].place == "7:80:4")
                }
            }
        }

        @Test("When everyone has 0 everyone is first")
        func zeros() async throws {
            try await Gym.run { gym in
                try await gym.record((1...7).map { athlete($0 - 4, 0) })
                try await gym.awaitBoard()
                try await gym.onBothStores { gym, source in
                    let page = try await gym.get("/v1/athletes")
                    #expect(page.board() == (-3...3).map { "\($0):0:1" } && page.source == source)
                    #expect(try await gym.get("/v1/athletes/3").json["athlete"].place == "3:0:1")
                }
            }
        }

        @Test("250 athletes with equal scores come in pages of 100 as 250 different ids, in numeric order")
        func pagesOfEquals() async throws {
            try await Gym.run { gym in
                try await gym.record((0..<250).map { athlete($0 * 37 % 250 - 125, 5) })
                try await gym.awaitBoard()
                try await gym.onBothStores { gym, source in
                    var (ids, sizes, cursor): ([Int], [Int], String?) = ([], [], "")
                    while let place = cursor {
                        let page = try await gym.get(
                            "/v1/athletes?limit=100" + (place.isEmpty ? "" : "&cursor=\(place)"))
                        #expect(page.source == source && page.json["total"] == 250)
                        #expect(page.json["athletes"].elements.allSatisfy { $0["rank"] == 1 && $0["score"] == 5 })
                        ids += page.json["athletes"].elements.compactMap { $0["id"].int }
                        sizes.append(page.json["athletes"].elements.count)
                        cursor = page.json["nextCursor"].string
                    }
                    #expect(sizes == [100, 100, 50] && ids == Array(-125..<125))
                }
            }
        }

        @Test("A worse result that comes later replaces the better one; recorded twice it counts once")
        func later() async throws {
            try await Gym.run { gym in
                try await gym.record([athlete(1, 100), athlete(2, 90), athlete(3, 80)])
                try await gym.awaitBoard()
                let body: JSON = ["name": "A", "score": 85]
                let first = try await gym.call("PUT", "/v1/athletes/1", body)
                #expect(first.status == 200 && first.json["athlete"].place == "1:85:2")
                #expect(try await gym.get("/v1/athletes").board() == ["2:90:1", "1:85:2", "3:80:3"])
                let again = try await gym.call("PUT", "/v1/athletes/1", body)
                #expect(again.status == 200 && again.json["athlete"].place == "1:85:2")
                #expect(try await gym.get("/v1/athletes").board() == ["2:90:1", "1:85:2", "3:80:3"])
                let log = try await gym.stores.database.rows(
                    "select athlete_id, score, revision, recorded_by::text from athlete_results order by revision, athlete_id"
                )
                let coach: JSON = .string(try gym.stores.tokens.user("coach").description)
                #expect(log.map { $0["score"] } == [100, 90, 80, 85] && log.last?["revision"] == 2)
                #expect(log.allSatisfy { $0["recorded_by"] == coach })
                let summary = try await gym.get("/v1/athletes/summary").json
                #expect(summary["participants"] == 3 && summary["completed"] == 3 && summary["averageScore"] == 85)
            }
        }

        @Test("Around-me of the first, a middle and the last athlete, and of those without a score")
        func neighbours() async throws {
            try await Gym.run { gym in
                try await gym.record([
                    athlete(1, 50), athlete(2, 40), athlete(3, 40), athlete(4, 30), athlete(5, nil), athlete(6, nil),
                ])
                try await gym.awaitBoard()
                try await gym.onBothStores { gym, source in
                    for (id, around, own, others) in [
                        (1, 2, "1:50:1", ["2:40:2", "3:40:2"]), (2, 1, "2:40:2", ["1:50:1", "3:40:2"]),
                        (3, 1, "3:40:2", ["2:40:2", "4:30:4"]),
                        (4, 50, "4:30:4", ["1:50:1", "2:40:2", "3:40:2", "5:-:-", "6:-:-"]),
                        (5, 2, "5:-:-", ["3:40:2", "4:30:4", "6:-:-"]), (6, 1, "6:-:-", ["5:-:-"]),
                        (6, 3, "6:-:-", ["3:40:2", "4:30:4", "5:-:-"]), (4, 0, "4:30:4", []),
                    ] as [(Int, Int, String, [String])] {
                        let view = try await gym.get("/v1/athletes/\(id)?around=\(around)")
                        #expect(view.json["athlete"].place == own && view.board("neighbours") == others, "\(id)")
                        #expect(view.json["total"] == 6 && view.source == source)
                    }
                    #expect(try await gym.get("/v1/athletes/7?around=1").code == "NOT_FOUND")
                    for around in ["-1", "51", "x", "", "1.0"] {
                        #expect(try await gym.get("/v1/athletes/1?around=\(around)").pointers == ["/query/around"])
                    }
                }
            }
        }

        @Test("A deleted athlete is gone at once from ranks, neighbours and totals, and a second deletion is the same")
        func deleted() async throws {
            try await Gym.run { gym in
                try await gym.record([athlete(1, 50), athlete(2, 40), athlete(3, 30), athlete(4, nil)])
                try await gym.awaitBoard()
                for _ in 1...2 { #expect(try await gym.call("DELETE", "/v1/athletes/2").status == 204) }
                #expect(try await gym.call("DELETE", "/v1/athletes/4").status == 204)
                try await gym.onBothStores { gym, source in
                    let page = try await gym.get("/v1/athletes")
                    #expect(page.board() == ["1:50:1", "3:30:2"] && page.json["total"] == 2 && page.source == source)
                    #expect(try await gym.get("/v1/athletes/2").status == 404)
                    let view = try await gym.get("/v1/athletes/3?around=1").json
                    #expect(view["neighbours"].elements.map(\.place) == ["1:50:1"] && view["total"] == 2)
                    let summary = try await gym.get("/v1/athletes/summary").json
                    #expect(summary["participants"] == 2 && summary["completed"] == 2)
                    #expect(summary["averageScore"] == 40 && summary["completionRate"] == 1)
                }
            }
        }

        @Test("A score changed between two pages: the second page has what stands behind the first one's last place")
        func changedBetweenPages() async throws {
            try await Gym.run { gym in
                try await gym.record([athlete(1, 50), athlete(2, 40), athlete(3, 30), athlete(4, 20)])
                try await gym.awaitBoard()
                let first = try await gym.get("/v1/athletes?limit=2")
                #expect(first.board() == ["1:50:1", "2:40:2"])
                let cursor = try #require(first.json["nextCursor"].string)
                // The last of page 1 rises, 4 overtakes its old place, 1 falls behind it.
                try await gym.record([athlete(2, 60), athlete(4, 45), athlete(1, 35)])
                try await gym.onBothStores { gym, source in
                    let second = try await gym.get("/v1/athletes?limit=2&cursor=\(cursor)")
                    #expect(second.board() == ["1:35:3", "3:30:4"] && second.json["nextCursor"] == .null)
                    #expect(second.source == source)
                }
            }
        }
    }
}
