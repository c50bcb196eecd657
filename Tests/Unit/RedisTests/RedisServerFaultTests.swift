import EventLoops
import Glibc
import Redis
import Testing

@Suite("The real Redis is stopped and killed", .timeLimit(.minutes(2)))
struct RedisServerFaultTests {
    @Test("SIGSTOP: callers time out, then fail at once; after SIGCONT all is well without a restart")
    func stopped() async throws {
        try await withServer { loop, server in
            var configuration = RedisConfiguration(host: "127.0.0.1", port: server.port)
            configuration.stallTimeout = .seconds(1)
            try await withClient(configuration, loop: loop) { client in
                server.signal(SIGSTOP)
                #expect(await failure(client, RedisCommand("GET", "k"), timeout: .milliseconds(100)) == .timedOut)
                try await eventually(loop) { client.counters.losses >= 1 }
                #expect(await failure(client, RedisCommand("GET", "k")) == .notConnected)
                try await loop.sleep(for: .milliseconds(1500))
                #expect(await failure(client, RedisCommand("GET", "k")) == .notConnected)
                server.signal(SIGCONT)
                try await client.waitUntilReady(timeout: .seconds(20))
                let reply = try await client.send(RedisCommand("ECHO", "back"), timeout: .seconds(20))
                #expect(reply.text == "back")
            }
        }
    }

    @Test("kill -9 and a restart: what waited has an unknown outcome, and the connection is back")
    func killed() async throws {
        try await withServer { loop, server in
            try await withClient(server.configuration, scripts: [RedisScript("return 1")], loop: loop) { client in
                server.signal(SIGSTOP)
                let waiting = Task(executorPreference: loop) { await failure(client, RedisCommand("INCR", "n")) }
                try await eventually(loop) { client.counters.inFlight == 1 }
                server.kill()
                #expect(await waiting.value == .connectionLost(outcomeUnknown: true))
                #expect(await failure(client, RedisCommand("GET", "k")) == .notConnected)
                try await eventually(loop) { client.counters.failedConnects >= 5 }
                try server.start()
                try await client.waitUntilReady(timeout: .seconds(20))
                #expect(try await client.send(RedisCommand("EXISTS", "n")) == .integer(0))
                #expect(client.counters.connects == 2 && client.counters.losses == 1)
            }
        }
    }

    @Test("the server closes the connection of its own will")
    func clientKill() async throws {
        try await withServer { loop, server in
            try await withClient(server.configuration, loop: loop) { client in
                let id = try #require(try await client.send(RedisCommand("CLIENT", "ID")).number)
                let killer = try await client.send(RedisCommand("CLIENT", "KILL", "ID", String(id), "SKIPME", "no"))
                #expect(killer == .integer(1))
                try await eventually(loop) { client.counters.losses == 1 }
                try await client.waitUntilReady(timeout: .seconds(20))
                let next = try #require(try await client.send(RedisCommand("CLIENT", "ID")).number)
                #expect(next > id)
            }
        }
    }
}
