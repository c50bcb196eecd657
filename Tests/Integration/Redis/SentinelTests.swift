import EventLoops
import Redis
import StrideTestSupport
import Testing

/// A client that asks sentinels for the master.
@Suite(.serialized) struct SentinelTests {
    @Test(
        "the master changes places with its replica, twice: the client goes with it, and every name of the run is new")
    func switched() async throws {
        let loop = try EventLoop.start(name: "sentinels")
        // The operator asks for the failovers; a busy machine must not bring about one more.
        let group = try await TestSentinels.start(on: loop, downAfter: 60_000)
        defer { group.end() }
        var configuration = try RedisConfiguration(url: group.url)
        configuration.connectTimeout = .seconds(10)
        configuration.commandTimeout = .seconds(10)
        configuration.stallTimeout = .seconds(10)
        let settings = configuration
        try await loop.run {
            let client = RedisClient(configuration: settings, loop: loop)
            client.start()
            defer { client.close() }
            try await client.waitUntilReady(timeout: .seconds(60))
            #expect(try await client.send(RedisCommand("SET", "k", "0")).isOK)
            var names: Set<String> = [try await Self.name(client)]
            for (turn, next) in [group.replica, group.master].enumerated() {
                try await eventually("it is a replica that has everything", within: .seconds(60)) {
                    let facts = (try? await next.send("INFO", "replication"))?.text ?? ""
                    return facts.contains("role:slave") && facts.contains("master_link_status:up")
                }
                try await eventually("the sentinels have time for a failover", within: .seconds(60)) {
                    try await group.sentinels[turn].send("SENTINEL", "FAILOVER", "steps").isOK
                }
                // A sentinel ends all connections to a server that it has told a new role, the test's own too.
                try await eventually("it is the master", within: .seconds(60)) {
                    (try? await next.send("ROLE"))?.elements?.first?.text == "master"
                }
                // Nobody tells the client: it loses its connection, is refused as by a replica, or finds out by asking.
                try await eventually("the client writes to it", within: .seconds(60)) {
                    guard (try? await client.send(RedisCommand("SET", "k", "\(turn + 1)")))?.isOK == true else {
                        return false
                    }
                    return (try? await next.send("GET", "k"))?.text == "\(turn + 1)"
                }
                // Right after a failover the sentinels may still contradict each other, and the client change once more.
                try await eventually("the run has a name", within: .seconds(60)) {
                    guard let name = try? await Self.name(client) else { return false }
                    names.insert(name)
                    return true
                }
            }
            #expect(names.count == 3)
        }
        await loop.stop()
    }

    /// What tells this run of Redis from any other, as the cache sees it.
    private static func name(_ client: RedisClient) async throws -> String {
        let text = try await client.send(RedisCommand("INFO", "replication")).text ?? ""
        return text.split(whereSeparator: \.isNewline).first { $0.hasPrefix("master_replid:") }.map(String.init) ?? ""
    }
}
