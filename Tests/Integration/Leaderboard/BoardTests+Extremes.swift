import Models
import StrideTestSupport
import Testing

/// Scores at the ends of what may be, in both orders.
extension LeaderboardServiceTests.BoardTests {
    @Test("A board of times has the lowest first, and negative scores are scores")
    func ascending() async throws {
        try await Gym.run { gym in
            let base = "/v1/challenges/fran"
            let made = try await gym.call("PUT", base, ["name": "Fran", "order": "asc"])
            #expect(made.status == 201)
            try await gym.record(
                [
                    athlete(1, 300), athlete(4, 185), athlete(3, 185), athlete(2, -7), athlete(8, nil),
                    athlete(6, nil),
                ],
                base: base)
            // The same on a board on which more is better.
            try await gym.record([athlete(1, -1), athlete(2, -7), athlete(3, 0), athlete(4, -7)])
            try await gym.awaitBoard(base)
            try await gym.awaitBoard()
            try await gym.onBothStores { gym, source in
                let times = try await gym.get(base + "/athletes")
                #expect(times.board() == ["2:-7:1", "3:185:2", "4:185:2", "1:300:4", "6:-:-", "8:-:-"])
                #expect(times.source == source)
                let points = try await gym.get("/v1/athletes")
                #expect(points.board() == ["3:0:1", "1:-1:2", "2:-7:3", "4:-7:3"])
                for (limit, place) in [(1, "3:185:2"), (2, "4:185:2"), (3, "1:300:4"), (4, "6:-:-"), (5, "8:-:-")] {
                    let cursor = try await gym.get(base + "/athletes?limit=\(limit)").json["nextCursor"].string
                    let next = try await gym.get(base + "/athletes?limit=1&cursor=\(cursor ?? "")")
                    #expect(next.board() == [place])
                }
            }
        }
    }

    @Test("Scores and ids at ±(2^53 − 1) are exact, in both orders, and beyond are refused")
    func largest() async throws {
        try await Gym.run { gym in
            let most = 9_007_199_254_740_991
            for order in ["desc", "asc"] {
                let base = "/v1/challenges/big-\(order)"
                #expect(try await gym.call("PUT", base, ["name": "Big", "order": .string(order)]).status == 201)
                try await gym.record(
                    [
                        athlete(most, most), athlete(-most, -most), athlete(most - 1, most - 1),
                        athlete(1 - most, most - 1), athlete(0, 1 - most),
                    ], base: base)
                try await gym.awaitBoard(base)
                try await gym.onBothStores { gym, source in
                    let page = try await gym.get(base + "/athletes")
                    let equals = ["\(1 - most):\(most - 1)", "\(most - 1):\(most - 1)"]
                    let expected =
                        order == "desc"
                        ? [
                            "\(most):\(most):1", equals[0] + ":2", equals[1] + ":2", "0:\(1 - most):4",
                            "\(-most):\(-most):5",
                        ]
                        : [
                            "\(-most):\(-most):1", "0:\(1 - most):2", equals[0] + ":3", equals[1] + ":3",
                            "\(most):\(most):5",
                        ]
                    #expect(page.board() == expected && page.source == source)
                    let view = try await gym.get(base + "/athletes/\(-most)?around=50")
                    #expect(view.json["athlete"].place == expected.first { $0.hasPrefix("\(-most):") })
                    #expect(view.board("neighbours") == expected.filter { !$0.hasPrefix("\(-most):") })
                }
            }
            let summary = try await gym.get("/v1/challenges/big-desc/athletes/summary").json
            // (2^53−1) − (2^53−1) + 2(2^53−2) − (2^53−2) = 2^53 − 2, by five.
            #expect(summary["averageScore"] == 1_801_439_850_948_198)
            let body: JSON = ["name": "A", "score": .int(most)]
            for beyond in ["9007199254740992", "-9007199254740992", "9223372036854775808", "1e16", "1.5"] {
                let answer = try await gym.call("PUT", "/v1/athletes/1", body.with(["score": .raw(beyond)]))
                #expect(answer.status == 400 && answer.pointers == ["/score"])
            }
            for id in [
                "9007199254740992", "-9007199254740992", "99999999999999999999", "1.0", "x", "01", "+1", "-0",
            ] {
                let put = try await gym.call("PUT", "/v1/athletes/\(id)", body)
                #expect(put.status == 400 && put.pointers == ["/path/id"], "\(id)")
                #expect(try await gym.get("/v1/athletes/\(id)").pointers == ["/path/id"])
            }
        }
    }
}
