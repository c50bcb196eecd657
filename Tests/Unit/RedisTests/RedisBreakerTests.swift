import EventLoops
import Redis
import Testing

@Suite("B2: a server that does not answer in time is not asked")
struct RedisBreakerTests {
    /// Whether the server keeps its replies, and how many it owes.
    private final class Mood {
        var isSilent = false
        var owed = 0
    }

    @Test("one late call beside one in time stops nothing; one alone stops all, until a probe is answered in time")
    func breaker() async throws {
        try await onLoop { loop in
            let mood = Mood()
            let server = try FakeRedis(loop: loop) { command, connection in
                if mood.isSilent || command.last == "held" { mood.owed += 1 } else { connection.reply(.integer(1)) }
            }
            defer { server.stop() }
            var configuration = server.configuration()
            configuration.commandTimeout = .seconds(1)
            try await withClient(configuration, loop: loop) { client in
                async let early = client.send(RedisCommand("GET", "k"))
                async let late = failure(client, RedisCommand("GET", "held"))
                #expect(try await early == .integer(1))
                #expect(await late == .timedOut)
                #expect(client.counters.breakerOpenings == 0)

                mood.isSilent = true
                #expect(await failure(client, RedisCommand("GET", "k")) == .timedOut)
                #expect(client.counters.breakerOpenings == 1)
                let begin = loop.now
                for _ in 0..<100 { #expect(await failure(client, RedisCommand("GET", "k")) == .notConnected) }
                #expect(begin.duration(to: loop.now) < .seconds(1))
                // Who names a time of its own is let through.
                #expect(await failure(client, RedisCommand("GET", "k"), timeout: .milliseconds(50)) == .timedOut)

                mood.isSilent = false
                for _ in 0..<mood.owed { server.connections[0].reply(.integer(0)) }
                var answer: RESPValue?
                while answer == nil {
                    try #require(begin.duration(to: loop.now) < .seconds(60))
                    answer = try? await client.send(RedisCommand("GET", "k"))
                    try await loop.sleep(for: .milliseconds(10))
                }
                #expect(answer == .integer(1))
                #expect(client.counters.breakerOpenings == 1)
            }
        }
    }
}
