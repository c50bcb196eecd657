import Models
import StrideTestSupport
import Testing

extension LeaderboardServiceTests {
    /// Users who enter themselves.
    @Suite struct OwnEntryTests {
        @Test("Where a challenge takes no self-reports, the own entry is 403; without a token 401")
        func refused() async throws {
            try await Gym.run { gym in
                for (method, body) in [("PUT", AccessTests.entry), ("GET", nil), ("DELETE", nil)] as [(String, JSON?)] {
                    let answer = try await gym.call(method, "/v1/athletes/me", body, as: .user("ann"))
                    #expect(answer.status == 403 && answer.code == "FORBIDDEN")
                    #expect(try await gym.call(method, "/v1/athletes/me", body, as: .nobody).status == 401)
                }
                #expect(try await gym.stores.database.number("select count(*) from athletes") == 0)
            }
        }

        @Test("The server gives the id, a second PUT keeps it, and the entry is the user's alone")
        func own() async throws {
            try await Gym.run { gym in
                let base = "/v1/challenges/home"
                let made: JSON = ["name": "Home", "self_report": true]
                #expect(try await gym.call("PUT", base, made).status == 201)
                try await gym.record([athlete(1, 6, name: "Cem")], base: base)
                try await gym.awaitBoard(base)
                #expect(try await gym.call("GET", base + "/athletes/me", as: .user("ann")).status == 404)
                let first = try await gym.call("PUT", base + "/athletes/me", AccessTests.entry, as: .user("ann"))
                let id = try #require(first.json["athlete"]["id"].int)
                #expect(first.status == 201 && first.json["athlete"].place == "\(id):5:2")
                #expect((1...9_007_199_254_740_991).contains(id))
                let better: JSON = ["name": "Ann", "score": 9, "image_url": "https://example.org/ann"]
                let second = try await gym.call("PUT", base + "/athletes/me", better, as: .user("ann"))
                #expect(second.status == 200 && second.json["athlete"].place == "\(id):9:1")
                let bob = try await gym.call("PUT", base + "/athletes/me", ["name": "Bob"], as: .user("bob"))
                #expect(bob.status == 201 && bob.json["athlete"]["id"].int != id)
                let mine = try await gym.call("GET", base + "/athletes/me?around=1", as: .user("ann"))
                #expect(mine.json["athlete"].place == "\(id):9:1" && mine.board("neighbours") == ["1:6:2"])
                #expect(mine["Cache-Control"] == "private, no-cache")

                // Somebody else's number is refused, alone and in a batch, with the scope too.
                let other: JSON = ["name": "Not Ann", "score": 1]
                #expect(try await gym.call("PUT", base + "/athletes/\(id)", other).status == 403)
                #expect(try await gym.call("PUT", base + "/athletes/\(id)", other, as: .user("ann")).status == 403)
                let batch = try await gym.call(
                    "POST", base + "/athletes/batch", ["athletes": [athlete(id, 1), athlete(2, 1)]])
                #expect(batch.json["results"].elements.map { $0["result"] } == ["rejected", "created"])
                #expect(batch.json["results"][0]["code"] == "FORBIDDEN")
                #expect(try await gym.get(base + "/athletes/\(id)").json["athlete"]["name"] == "Ann")

                for _ in 1...2 {
                    #expect(try await gym.call("DELETE", base + "/athletes/me", as: .user("ann")).status == 204)
                }
                #expect(try await gym.get(base + "/athletes/\(id)").status == 404)
                #expect(try await gym.get(base + "/athletes").json["total"] == 3)
                let again = try await gym.call("PUT", base + "/athletes/me", AccessTests.entry, as: .user("ann"))
                #expect(again.status == 201)
                // An organiser may take an entry off the board.
                let fresh = again.json["athlete"]["id"].int ?? 0
                #expect(try await gym.call("DELETE", base + "/athletes/\(fresh)").status == 204)
                #expect(try await gym.call("GET", base + "/athletes/me", as: .user("ann")).status == 404)
            }
        }

        @Test("Twenty first entries of one user at once are one entry")
        func atOnce() async throws {
            try await Gym.run { gym in
                #expect(
                    try await gym.call("PUT", "/v1/challenges/open", ["name": "Open", "self_report": true]).status
                        == 200)
                try await withThrowingTaskGroup(of: Int?.self) { group in
                    for score in 1...20 {
                        group.addTask {
                            let body: JSON = ["name": "Ann", "score": .int(score)]
                            return try await gym.call("PUT", "/v1/athletes/me", body, as: .user("ann"))
                                .json["athlete"]["id"].int
                        }
                    }
                    var ids: Set<Int?> = []
                    for try await id in group { ids.insert(id) }
                    #expect(ids.count == 1 && !ids.contains(nil))
                }
                #expect(try await gym.get("/v1/athletes").json["total"] == 1)
            }
        }
    }
}
