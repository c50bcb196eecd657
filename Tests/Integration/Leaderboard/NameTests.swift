import Models
import StrideTestSupport
import Testing

extension LeaderboardServiceTests {
    /// Names as people write them.
    @Suite struct NameTests {
        /// Names, and whether an athlete may have them.
        static let names: [(name: String, isAllowed: Bool)] = [
            ("0", true), ("👩‍👩‍👧‍👦", true), ("محمد صلاح", true), ("Jos\u{E9}", true), ("Jose\u{301}", true),
            (String(repeating: "x", count: 100), true), (String(repeating: "👩", count: 100), true),
            (" \u{3000}Ann\u{A0} ", true), ("O'Brien \"the\\ <b>Ox</b>", true),
            (String(repeating: "x", count: 101), false),
            (String(repeating: "e\u{301}", count: 51), false), ("", false), (" ", false), ("\u{2003}\u{2028}", false),
            (" " + String(repeating: "x", count: 100) + " ", true), (String(repeating: " ", count: 200) + "x", false),
            (String(repeating: " ", count: 199) + "x", true),
        ]

        @Test("Names come back byte for byte, from both stores, and two spellings of one letter are two names")
        func bytes() async throws {
            try await Gym.run { gym in
                for (id, item) in Self.names.enumerated() where item.isAllowed {
                    let answer = try await gym.call("PUT", "/v1/athletes/\(id)", ["name": .string(item.name)])
                    #expect(answer.status == 201, "\(id)")
                }
                try await gym.awaitBoard()
                try await gym.onBothStores { gym, source in
                    let page = try await gym.get("/v1/athletes")
                    let shown = page.json["athletes"].elements.compactMap { $0["name"].string.map { Array($0.utf8) } }
                    #expect(
                        shown == Self.names.filter(\.isAllowed).map { Array($0.name.utf8) } && page.source == source)
                }
                let composed = try await gym.call("PUT", "/v1/athletes/3", ["name": "Jose\u{301}"])
                #expect(composed.status == 200)
                let name = try await gym.get("/v1/athletes/3").json["athlete"]["name"].string
                #expect(Array((name ?? "").utf8) == Array("Jose\u{301}".utf8))
            }
        }

        @Test("The rule of lengths is the same in Swift and in PostgreSQL")
        func sameRule() async throws {
            try await Gym.run { gym in
                for (id, item) in Self.names.enumerated() {
                    let answer = try await gym.call("PUT", "/v1/athletes/\(id)", ["name": .string(item.name)])
                    #expect(answer.status == (item.isAllowed ? 201 : 400), "\(id)")
                    if !item.isAllowed { #expect(answer.pointers == ["/name"]) }
                    let quoted = "'" + item.name.replacing("'", with: "''") + "'"
                    let insert = "insert into athletes (challenge, athlete_id, name) values ('sql', \(id), \(quoted))"
                    let isTaken = (try? await gym.stores.database.run(insert)) != nil
                    #expect(isTaken == item.isAllowed, "\(id) in PostgreSQL")
                }
                for name: JSON in [.raw(#""a\u0000b""#), .raw(#""a\nb""#), .raw("\"\u{85}\""), 7, nil, ["x"]] {
                    let answer = try await gym.call("PUT", "/v1/athletes/1", ["name": name])
                    #expect(answer.status == 400 && answer.pointers == ["/name"])
                }
            }
        }

        @Test("A picture is an https address of at most 500 bytes, and comes back with the athlete")
        func pictures() async throws {
            try await Gym.run { gym in
                let longest = "https://example.org/" + String(repeating: "a", count: 480)
                for (id, url) in ["https://example.org/a.png?x=1&y=%20#z", longest].enumerated() {
                    let body: JSON = ["name": "A", "score": 1, "image_url": .string(url)]
                    #expect(try await gym.call("PUT", "/v1/athletes/\(id)", body).status == 201)
                    try await gym.awaitBoard()
                    try await gym.onBothStores { gym, _ in
                        let athlete = try await gym.get("/v1/athletes/\(id)").json["athlete"]
                        #expect(athlete["image_url"] == .string(url) && athlete.place == "\(id):1:1")
                    }
                }
                for url: JSON in [
                    .string(longest + "a"), "http://example.org/a.png", "HTTPS://example.org", "https://", "https:///a",
                    "https://a b", "https://a/\"onerror=", "javascript:alert(1)", "https://ex\u{E4}mple.org", 5, "",
                    "https://[a/b", "https://a/[b]",
                ] {
                    let answer = try await gym.call("PUT", "/v1/athletes/5", ["name": "A", "image_url": url])
                    #expect(answer.status == 400 && answer.pointers == ["/image_url"], "\(url)")
                }
                // Left out, a picture is gone: the whole entry is replaced.
                let body: JSON = ["name": "A", "score": 1]
                #expect(try await gym.call("PUT", "/v1/athletes/0", body).json["athlete"]["image_url"] == .null)
            }
        }
    }
}
