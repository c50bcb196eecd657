import StrideTestSupport
import Testing

extension LeaderboardServiceTests {
    /// `stride verify` judges boards too, so it must find what is wrong with one.
    @Suite struct JudgeTests {
        private static func verify(_ gym: Gym) async throws -> (ending: ChildProcess.Ending, output: String) {
            let tool = try ChildProcess(
                TestRun.executable("stride"), ["verify", "--all"], environment: gym.stores.environment(),
                log: "\(gym.stores.folder.path)/verify-\(UInt64.random(in: 0 ... .max))")
            let ending = try await tool.wait(within: .seconds(120))
            return (ending, tool.log)
        }

        /// Moves the best athlete of a board, or the one who is the second best by then.
        private static func move(_ place: Int, by number: Int, in gym: Gym) async throws {
            let script =
                "return redis.call('ZINCRBY', KEYS[1], ARGV[2], redis.call('ZRANGE', KEYS[1], ARGV[1], ARGV[1])[1])"
            try await gym.stores.redis.send("EVAL", script, "1", "stride:{board:open}:ranks", "\(place)", "\(number)")
        }

        @Test(
            "A false score or sum in Redis and a changed row are found; put right, or caught up with, all is well")
        func falsified() async throws {
            try await Gym.run { gym in
                try await gym.record([athlete(1, 5), athlete(2, 7), athlete(3, nil), athlete(4, 7)])
                try await gym.awaitBoard()
                let right = try await Self.verify(gym)
                #expect(right.ending == .exited(0) && right.output.contains("1 boards, 0 differences"), "\(right)")

                // Athlete 2 falls behind athlete 4 and comes back.
                try await Self.move(0, by: 1, in: gym)
                let moved = try await Self.verify(gym)
                #expect(moved.ending == .exited(1), "\(moved)")
                #expect(
                    moved.output.contains("board open: athlete 2 is score 7, rank 1, Redis has athlete 4"), "\(moved)")
                try await Self.move(1, by: -1, in: gym)
                let back = try await Self.verify(gym)
                #expect(back.ending == .exited(0), "\(back)")

                for (field, number) in [("sum", "1"), ("through", "-1")] {
                    try await gym.stores.redis.send("HINCRBY", "stride:{board:open}:meta", field, number)
                    let wrong = try await Self.verify(gym)
                    // A board that is behind is brought up by the service, which is not wrong.
                    #expect(wrong.ending == .exited(field == "sum" ? 1 : 0), "\(field): \(wrong)")
                    if field == "sum" {
                        try await gym.stores.redis.send("HINCRBY", "stride:{board:open}:meta", field, "-1")
                    }
                    #expect(try await Self.verify(gym).ending == .exited(0))
                }

                try await gym.stores.database.run("update athletes set score = 6 where athlete_id = 1")
                let row = try await Self.verify(gym)
                #expect(row.ending == .exited(1), "\(row)")
            }
        }
    }
}
