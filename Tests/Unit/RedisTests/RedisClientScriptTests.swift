import EventLoops
import Redis
import Testing

@Suite("Scripts are called by digest and survive being lost", .timeLimit(.minutes(2)))
struct RedisClientScriptTests {
    static let script = RedisScript("return 1")
    static let noScript = RESPText.error("NOSCRIPT No matching script.")

    @Test("only the lost calls are sent again, their replies take their places")
    func repeated() async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop) { command, connection in
                switch command[0] {
                case "EVALSHA": connection.reply(command.last == "lost" ? Self.noScript : .integer(1))
                case "EVAL": connection.reply(.integer(2))
                default: connection.reply(.integer(3))
                }
            }
            defer { server.stop() }
            try await withClient(server.configuration(), scripts: [Self.script], loop: loop) { client in
                let replies = try await client.send([
                    RedisCommand(Self.script, keys: ["kept"]), RedisCommand(Self.script, keys: ["lost"]),
                    RedisCommand("GET", "k"),
                ])
                #expect(replies == [.integer(1), .integer(2), .integer(3)])
                #expect(
                    server.connections[0].commands == [
                        ["CLIENT", "SETNAME", "stride"], ["SCRIPT", "LOAD", "return 1"],
                        ["EVALSHA", "sha", "1", "kept"],
                        ["EVALSHA", "sha", "1", "lost"], ["GET", "k"], ["SCRIPT", "LOAD", "return 1"],
                        ["EVAL", "return 1", "1", "lost"],
                    ])
                #expect(client.counters.scriptReloads == 1)
            }
        }
    }

    @Test("C6: the repeated call keeps the deadline of its exchange, and can be cancelled")
    func deadline() async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop) { command, connection in
                switch command[0] {
                case "EVALSHA": connection.reply(Self.noScript)
                case "EVAL": if command.last != "held" { connection.reply(.integer(2), after: .seconds(1)) }
                default: connection.reply(.integer(3))
                }
            }
            defer { server.stop() }
            try await withClient(server.configuration(), scripts: [Self.script], loop: loop) { client in
                let call = RedisCommand(Self.script, keys: ["k"])
                #expect(await failure(client, call, timeout: .milliseconds(40)) == .timedOut)
                #expect(try await client.send(RedisCommand("GET", "k"), timeout: .seconds(20)) == .integer(3))
                let held = RedisCommand(Self.script, keys: ["held"])
                let waiting = Task(executorPreference: loop) { await failure(client, held, timeout: .seconds(20)) }
                try await eventually(loop) { server.connections[0].commands.last?.first == "EVAL" }
                waiting.cancel()
                #expect(await waiting.value == .cancelled)
                server.connections[0].reply(.integer(2))
                #expect(try await client.send(RedisCommand("GET", "k"), timeout: .seconds(20)) == .integer(3))
            }
        }
    }

    @Test("a repeated call that is lost with the connection has an unknown outcome; one that is refused stays unrun")
    func refusedRepeat() async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop) { command, connection in
                switch command[0] {
                case "EVALSHA": connection.reply(Self.noScript)
                default: connection.close()
                }
            }
            defer { server.stop() }
            var configuration = server.configuration()
            configuration.maximumPendingBytes = 300
            let large = RedisScript("return 1 --" + String(repeating: "x", count: 150))
            try await withClient(configuration, scripts: [Self.script], loop: loop) { client in
                let error = await failure(client, RedisCommand(Self.script, keys: ["k"]))
                #expect(error == .connectionLost(outcomeUnknown: true))
            }
            try await withClient(configuration, scripts: [large], loop: loop) { client in
                let reply = try await client.send(RedisCommand(large, keys: ["k"]))
                #expect(reply.error?.kind == .noScript)
                #expect(client.counters.overloads == 1)
            }
        }
    }
}
