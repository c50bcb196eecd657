import EventLoops
import Models
import Redis
import StrideTestSupport
import Testing

extension LeaderboardServiceTests {
    /// Boards on a Redis Cluster: all keys of one lie on one server, different ones on different servers.
    @Suite struct ClusterTests {
        @Test("boards of many challenges are built, changed and read on a cluster")
        func boards() async throws {
            let loop = try EventLoop.start(name: "cluster")
            let cluster = try await TestCluster.start(on: loop)
            defer { cluster.end() }
            try await Gym.run(["STRIDE_REDIS_URL": cluster.url]) { gym in
                try await gym.record(BoardTests.five)
                try await gym.awaitBoard()
                let page = try await gym.get("/v1/athletes")
                #expect(page.board() == ["51:232:1", "43:201:2", "5:48:3", "2:12:4", "1:9:5"])
                #expect(page.source == "cache")
                // A change goes onto the board that is there.
                try await gym.record([athlete(1, 233)])
                try await eventually("the change is shown") {
                    let answer = try await gym.get("/v1/athletes/1")
                    return answer.source == "cache" && answer.json["athlete"].place == "1:233:1"
                }
                for number in 0..<9 {
                    let name = "cup-\(number)"
                    #expect(try await gym.call("PUT", "/v1/challenges/\(name)", ["name": "Cup"]).status < 300)
                    let path = "/v1/challenges/\(name)/athletes"
                    #expect(try await gym.call("PUT", "\(path)/7", athlete(7, 10 + number).without("id")).status == 201)
                    try await eventually("\(name) is shown from the cache") {
                        let answer = try await gym.get("\(path)/7")
                        return answer.source == "cache" && answer.json["athlete"].place == "7:\(10 + number):1"
                    }
                }
            }
            var boards = 0
            for node in cluster.nodes {
                let keys = try await node.send("KEYS", "stride:{board:*}:meta").elements ?? []
                #expect(keys.count < 10)
                boards += keys.count
            }
            #expect(boards == 10)
            await loop.stop()
        }
    }
}
