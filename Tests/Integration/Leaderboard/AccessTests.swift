import Models
import StrideTestSupport
import Testing

extension LeaderboardServiceTests {
    /// Who may call, and what the paths take.
    @Suite struct AccessTests {
        static let entry: JSON = ["name": "Ann", "score": 5]

        @Test("Boards are for everybody; changes need a token with the scope, under both forms of every path")
        func scopes() async throws {
            try await Gym.run { gym in
                for base in ["/v1", "/v1/challenges/open"] {
                    let writes: [(String, String, JSON?)] = [
                        ("PUT", "/athletes/1", Self.entry), ("DELETE", "/athletes/1", nil),
                        ("POST", "/athletes/batch", ["athletes": [athlete(1, 1)]]),
                    ]
                    for (method, path, body) in writes {
                        let nobody = try await gym.call(method, base + path, body, as: .nobody)
                        #expect(nobody.status == 401 && nobody["WWW-Authenticate"] != nil && nobody["RateLimit"] == nil)
                        let user = try await gym.call(method, base + path, body, as: .user("ann"))
                        #expect(user.status == 403 && user.code == "FORBIDDEN" && user["RateLimit"] != nil)
                        let coach = try await gym.call(method, base + path, body)
                        #expect(coach.status < 300 && coach["RateLimit-Policy"] != nil, "\(method) \(base + path)")
                    }
                    for path in ["/athletes", "/athletes/1", "/athletes/1?around=2", "/athletes/summary"] {
                        #expect(try await gym.get(base + path).status == 200, "\(base + path)")
                    }
                }
                let made: JSON = [
                    "name": "Murph", "order": "asc", "description": "1 mile\n100 pull-ups", "self_report": true,
                ]
                let path = "/v1/challenges/murph"
                #expect(try await gym.call("PUT", path, made, as: .nobody).status == 401)
                #expect(try await gym.call("PUT", path, made, as: .user("ann")).status == 403)
                #expect(try await gym.get(path).code == "NOT_FOUND")
                #expect(try await gym.call("PUT", path, made).status == 201)
                #expect(try await gym.call("PUT", path, made).status == 200)
                #expect(try await gym.get(path).json == made)
                #expect(try await gym.get("/v1/challenges/open").json["name"] == "CrossFit Open")
            }
        }

        @Test("An unknown challenge is 404 on every path, and a name that cannot be one as well")
        func unknown() async throws {
            try await Gym.run { gym in
                for base in [
                    "/v1/challenges/nope", "/v1/challenges/NOPE", "/v1/challenges/" + String(repeating: "a", count: 41),
                ] {
                    for (method, path, body) in [
                        ("GET", "", nil), ("GET", "/athletes", nil), ("GET", "/athletes/1", nil),
                        ("GET", "/athletes/summary", nil), ("GET", "/athletes/me", nil), ("DELETE", "/athletes/1", nil),
                        ("PUT", "/athletes/1", Self.entry), ("PUT", "/athletes/me", Self.entry),
                        ("DELETE", "/athletes/me", nil), ("POST", "/athletes/batch", ["athletes": [athlete(1, 1)]]),
                    ] as [(String, String, JSON?)] {
                        let answer = try await gym.call(method, base + path, body)
                        #expect(answer.status == 404 && answer.code == "NOT_FOUND", "\(method) \(base + path)")
                    }
                }
                let named = try await gym.call("PUT", "/v1/challenges/Nope_1", ["name": "x"])
                #expect(named.status == 400 && named.pointers == ["/path/challenge"])
            }
        }

        @Test("HEAD is GET without a body, a held tag is 304, OPTIONS and 405 name what the path takes")
        func methods() async throws {
            try await Gym.run { gym in
                try await gym.record([athlete(1, 1)])
                try await gym.awaitBoard()
                for path in ["/v1/athletes", "/v1/athletes/1", "/v1/athletes/summary", "/v1/challenges/open"] {
                    let get = try await gym.get(path)
                    let tag = try #require(get["ETag"])
                    #expect(get["Cache-Control"] == "no-cache")
                    let head = try await gym.call("HEAD", path, as: .nobody)
                    #expect(head.status == 200 && head["ETag"] == tag && head["Content-Length"] == "\(get.body.count)")
                    let same = try await gym.get(path, fields: [("If-None-Match", tag)])
                    #expect(same.status == 304 && same.body.isEmpty && same["ETag"] == tag)
                }
                let tag = try #require(try await gym.get("/v1/athletes")["ETag"])
                try await gym.onBothStores { gym, source in
                    let same = try await gym.get("/v1/athletes", fields: [("If-None-Match", tag)])
                    #expect(same.status == 304 && same.source == source)
                }
                try await gym.record([athlete(1, 2)])
                let other = try await gym.get("/v1/athletes", fields: [("If-None-Match", tag)])
                #expect(other.status == 200 && other["ETag"] != tag && other.board() == ["1:2:1"])
                for (path, allow) in [
                    ("/v1/athletes", "GET, HEAD, OPTIONS"), ("/v1/athletes/1", "GET, HEAD, PUT, DELETE, OPTIONS"),
                    ("/v1/athletes/me", "GET, HEAD, PUT, DELETE, OPTIONS"), ("/v1/athletes/batch", "POST, OPTIONS"),
                    ("/v1/athletes/summary", "GET, HEAD, OPTIONS"),
                    ("/v1/challenges/open", "GET, HEAD, PUT, OPTIONS"),
                    ("/v1/challenges/open/athletes/7", "GET, HEAD, PUT, DELETE, OPTIONS"),
                ] {
                    let patch = try await gym.call("PATCH", path, [:])
                    #expect(patch.status == 405 && patch["Allow"] == allow && patch.code == "METHOD_NOT_ALLOWED")
                    #expect(try await gym.call("OPTIONS", path, as: .nobody)["Allow"] == allow)
                }
            }
        }

        @Test("Malformed input is 400 and names the place, never 500")
        func malformed() async throws {
            try await Gym.run { gym in
                for (body, pointers) in [
                    (JSON.raw("[]"), [""]), (.raw("{}"), ["/name"]), (["name": "A", "score": "5"], ["/score"]),
                    (["name": 5, "score": true, "image_url": 5], ["/name", "/score", "/image_url"]),
                    (["name": "A", "score": .raw("1e400")], ["/score"]),
                ] {
                    let answer = try await gym.call("PUT", "/v1/athletes/1", body)
                    #expect(answer.status == 400 && answer.code == "INVALID_REQUEST" && answer.pointers == pointers)
                }
                for body in ["", "{", "NaN", #"{"name":"A","name":"B"}"#, #"{"name":"\ud800"}"#] {
                    #expect(try await gym.call("PUT", "/v1/athletes/1", .raw(body)).status == 400)
                }
                for query in [
                    "limit=0", "limit=1001", "limit=x", "limit=", "cursor=", "cursor=x",
                    "cursor=0110" + String(repeating: "0", count: 32),
                ] {
                    let answer = try await gym.get("/v1/athletes?\(query)")
                    #expect(
                        answer.status == 400 && answer.pointers == ["/query/" + query.prefix { $0 != "=" }], "\(query)")
                }
                #expect(try await gym.get("/v1/athletes?limit=1000").status == 200)
                for (body, pointers) in [
                    (
                        ["name": "A", "order": "up", "description": 5, "self_report": "yes"] as JSON,
                        ["/order", "/description", "/self_report"]
                    ),
                    (["description": .string(String(repeating: "x", count: 2001))], ["/name", "/description"]),
                    (["name": "A", "description": .raw(#""\u0007""#)], ["/description"]),
                ] {
                    let answer = try await gym.call("PUT", "/v1/challenges/c", body)
                    #expect(answer.status == 400 && answer.pointers == pointers)
                }
                let longest: JSON = ["name": "A", "description": .string(String(repeating: "👩", count: 2000))]
                #expect(try await gym.call("PUT", "/v1/challenges/c", longest).status == 201)
                #expect(try await gym.call("PUT", "/v1/athletes/1").status == 415)
                let html = try await gym.get("/v1/athletes", fields: [("Accept", "text/html")])
                #expect(html.status == 406)
            }
        }

        @Test("A batch has 1 to 1000 items with a result each; a faulty one harms nobody, the last of one id counts")
        func batches() async throws {
            try await Gym.run { gym in
                let items: [JSON] = [
                    athlete(1, 5), ["id": 2, "name": "", "score": 3], athlete(1, 7), athlete(3, nil), 5,
                    ["id": .raw("1.5"), "name": "B"], athlete(1, 7),
                ]
                let answer = try await gym.call("POST", "/v1/athletes/batch", ["athletes": .array(items)])
                let results = answer.json["results"].elements
                #expect(
                    results.map { $0["result"] } == [
                        "created", "rejected", "updated", "created", "rejected", "rejected", "unchanged",
                    ])
                #expect(results.map { $0["id"] } == [1, 2, 1, 3, nil, nil, 1])
                #expect(results[1]["code"] == "INVALID_REQUEST" && results[1]["errors"][0]["pointer"] == "/name")
                #expect(results[5]["errors"][0]["pointer"] == "/id")
                #expect(try await gym.get("/v1/athletes").board() == ["1:7:1", "3:-:-"])
                for bad: JSON in [
                    [:], ["athletes": []], ["athletes": 5], [], ["athletes": .array(Array(repeating: 1, count: 1001))],
                ] {
                    #expect(try await gym.call("POST", "/v1/athletes/batch", bad).status == 400)
                }
                let most = try await gym.call(
                    "POST", "/v1/athletes/batch", ["athletes": .array((1...1000).map { athlete($0, $0) })])
                #expect(most.status == 200 && most.json["results"].elements.count == 1000)
                let faulty = try await gym.call("POST", "/v1/athletes/batch", ["athletes": [5]])
                #expect(faulty.status == 200 && faulty.json["results"][0]["result"] == "rejected")
            }
        }

        @Test("60 changes at once, then 429 with the wait; a batch costs one, reads and other users nothing")
        func budget() async throws {
            try await Gym.run([
                "STRIDE_LEADERBOARD_RATE_PER_MINUTE": "60", "STRIDE_LEADERBOARD_BURST": "60",
            ]) { gym in
                let batch: JSON = ["athletes": .array((1...5).map { athlete($0, $0) })]
                var first: [HTTPAnswer] = []
                for _ in 0..<60 { first.append(try await gym.call("POST", "/v1/athletes/batch", batch)) }
                #expect(first.allSatisfy { $0.status == 200 })
                #expect(first[0]["RateLimit-Policy"] == #""leaderboard";q=60;w=60"#)
                #expect(first[0]["RateLimit"] == #""leaderboard";r=59;t=1"#)
                // One is earned back each second that this takes.
                var refused: HTTPAnswer?
                for _ in 0..<60 where refused == nil {
                    let answer = try await gym.call("DELETE", "/v1/athletes/9")
                    if answer.status == 429 { refused = answer }
                }
                let answer = try #require(refused)
                #expect(answer.code == "TRY_AGAIN_LATER" && answer.json["reason"] == "user_rate")
                #expect(answer["Retry-After"] != nil && answer.json["retry_after_ms"].int != nil)
                #expect(try await gym.get("/v1/athletes").status == 200)
                #expect(try await gym.call("PUT", "/v1/athletes/me", Self.entry, as: .user("bob")).status == 403)
                try await Task.sleep(for: .milliseconds(answer.json["retry_after_ms"].int ?? 0))
                #expect(try await gym.call("DELETE", "/v1/athletes/9").status == 204)
            }
        }
    }
}
