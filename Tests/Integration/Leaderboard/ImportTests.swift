import StrideTestSupport
import Testing

extension LeaderboardServiceTests {
    /// `stride athletes import`, the real executable.
    @Suite struct ImportTests {
        @Test("A file of 2 503 rows is on the board within 5 s; bad rows are named, a second run changes nothing")
        func imports() async throws {
            try await Gym.run { gym in
                try await gym.record([athlete(1, 1)])
                try await gym.awaitBoard()
                var lines = ["id,name,score"] + (1...2500).map { "\($0),\"Athlete, \($0)\",\($0 * 2)" }
                lines.insert("oops,B,1", at: 3)
                lines += ["2501,Last,", "2502,Bad,1.5"]
                try gym.stores.folder.write("athletes.csv", lines.joined(separator: "\n"))
                func run(_ name: String, _ challenge: String = "open") async throws -> (ChildProcess.Ending, String) {
                    let process = try ChildProcess(
                        TestRun.executable("stride"),
                        ["athletes", "import", gym.stores.folder.path + "/athletes.csv", "--challenge", challenge],
                        environment: gym.stores.environment(), log: "\(gym.stores.folder.path)/\(name).log")
                    return (try await process.wait(within: .seconds(120)), process.log)
                }
                let (ending, log) = try await run("first")
                #expect(ending == .exited(1), "two rows were bad")
                #expect(log.contains("athletes.csv, line 4: ") && log.contains("athletes.csv, line 2504: "))
                #expect(log.contains("2500 new, 1 changed, 0 as before") && log.contains("refused     2"))
                try await eventually("the board has them", within: .seconds(5)) {
                    let page = try await gym.get("/v1/athletes?limit=2")
                    return page.board() == ["2500:5000:1", "2499:4998:2"] && page.json["total"] == 2501
                }
                #expect(try await gym.get("/v1/athletes/2501").json["athlete"].place == "2501:-:-")
                #expect(try await gym.get("/v1/athletes/1").json["athlete"]["name"] == "Athlete, 1")
                let (_, again) = try await run("second")
                #expect(again.contains("0 new, 0 changed, 2501 as before"))
                #expect(try await gym.stores.database.number("select count(*) from athlete_results") == 2502)
                let (unknown, complaint) = try await run("third", "none")
                #expect(unknown == .exited(1) && complaint.contains("there is no challenge none"))
            }
        }
    }
}
