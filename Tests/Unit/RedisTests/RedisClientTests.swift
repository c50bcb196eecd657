import EventLoops
import Redis
import Testing

@Suite("The client over a socket, with a server that plays a part", .timeLimit(.minutes(2)))
struct RedisClientTests {
    static let echo: @Sendable ([String], FakeConnection) -> Void = { command, connection in
        connection.reply(RESPText.bulk(command.last ?? ""))
    }

    @Test("all commands of one turn of the loop leave in one write, and the replies come in order")
    func oneWrite() async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop, handler: Self.echo)
            defer { server.stop() }
            try await withClient(server.configuration(), loop: loop) { client in
                let before = client.counters.writes
                let replies = try await withThrowingTaskGroup(of: (Int, String?).self) { group in
                    for index in 0..<100 {
                        group.addTask { (index, try await client.send(RedisCommand("ECHO", "\(index)")).text) }
                    }
                    return try await group.reduce(into: [Int: String?]()) { $0[$1.0] = $1.1 }
                }
                for index in 0..<100 { #expect(replies[index] == "\(index)") }
                #expect(client.counters.writes == before + 1)
                #expect(client.counters.inFlight == 0 && client.counters.pendingBytes == 0)
            }
        }
    }

    @Test("an exchange has all its replies, refusals in their places")
    func exchange() async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop) { command, connection in
                connection.reply(command[0] == "BAD" ? RESPText.error("WRONGTYPE x") : .integer(Int64(command.count)))
            }
            defer { server.stop() }
            try await withClient(server.configuration(), loop: loop) { client in
                let replies = try await client.send([RedisCommand("A"), RedisCommand("BAD"), RedisCommand("B", "c")])
                #expect(replies == [.integer(1), RESPText.error("WRONGTYPE x"), .integer(2)])
                #expect(try await client.send([]) == [])
            }
        }
    }

    @Test("before the start, after close and without a server every call fails at once")
    func notConnected() async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop, handler: Self.echo)
            let client = RedisClient(configuration: server.configuration(), loop: loop)
            #expect(await failure(client, RedisCommand("PING")) == .notConnected)
            server.stop()
            client.start()
            try await eventually(loop) { client.counters.failedConnects > 0 }
            await #expect(throws: RedisError.notConnected) {
                try await client.waitUntilReady(timeout: .milliseconds(20))
            }
            #expect(await failure(client, RedisCommand("PING")) == .notConnected)
            #expect(!client.isConnected)
            client.close()
            client.close()
            client.start()
            #expect(await failure(client, RedisCommand("PING")) == .notConnected)
            await #expect(throws: RedisError.notConnected) { try await client.waitUntilReady(timeout: .seconds(60)) }
        }
    }

    @Test("a full queue refuses at once and frees with the replies")
    func overloaded() async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop) { _, _ in }
            defer { server.stop() }
            var configuration = server.configuration()
            configuration.maximumPendingBytes = 2000
            try await withClient(configuration, loop: loop) { client in
                let large = RedisCommand("SET", "k", String(repeating: "x", count: 1500))
                async let first = client.send(large)
                try await eventually(loop) { client.counters.inFlight == 1 }
                #expect(await failure(client, large) == .overloaded)
                server.connections[0].reply(.integer(1))
                let reply = try await first
                #expect(reply == .integer(1))
                server.handler = { _, connection in connection.reply(.integer(2)) }
                let next = try await client.send(large)
                #expect(next == .integer(2))
                let tooLarge = RedisCommand("SET", "k", String(repeating: "x", count: 3000))
                #expect(await failure(client, tooLarge) == .overloaded)
                #expect(client.counters.overloads == 2)
            }
        }
    }

    @Test("close ends what waits with an unknown outcome")
    func close() async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop) { _, _ in }
            defer { server.stop() }
            try await withClient(server.configuration(), loop: loop) { client in
                async let waiting = failure(client, RedisCommand("GET", "k"))
                try await eventually(loop) { server.connections[0].commands.contains(["GET", "k"]) }
                client.close()
                #expect(await waiting == .connectionLost(outcomeUnknown: true))
            }
        }
    }
}
