import EventLoops
import Redis
import Testing

@Suite("A connection that is of no use is given up, and a new one made", .timeLimit(.minutes(2)))
struct RedisClientLossTests {
    static let pong: @Sendable ([String], FakeConnection) -> Void = { command, connection in
        switch command[0] {
        case "GARBAGE": connection.reply("HTTP/1.1 200 OK\r\n\r\n")
        case "TWICE": connection.reply(":1\r\n:2\r\n")
        case "CLOSE": connection.close()
        case "RESET": connection.reset()
        case "HALF": connection.reply("$10\r\nabc")
        case "SILENCE": break
        default: connection.reply("+PONG\r\n")
        }
    }

    static let table: [(String, RedisError?)] = [
        ("GARBAGE", .protocolViolation(.malformed)),
        ("TWICE", nil),
        ("CLOSE", .connectionLost(outcomeUnknown: true)),
        ("RESET", .connectionLost(outcomeUnknown: true)),
        ("HALF", .connectionLost(outcomeUnknown: true)),
        ("SILENCE", .connectionLost(outcomeUnknown: true)),
    ]

    @Test("C7: garbage, a reply too many, an end, a reset, half a reply, silence", arguments: table)
    func losses(name: String, error: RedisError?) async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop, handler: Self.pong)
            defer { server.stop() }
            var configuration = server.configuration()
            if name == "SILENCE" || name == "HALF" { configuration.stallTimeout = .seconds(2) }
            try await withClient(configuration, loop: loop) { client in
                #expect(await failure(client, RedisCommand(name), timeout: .seconds(30)) == error)
                try await eventually(loop) { client.counters.losses == 1 }
                try await client.waitUntilReady(timeout: .seconds(10))
                #expect(try await client.send(RedisCommand("PING")).text == "PONG")
                #expect(client.counters.connects == 2)
                #expect(server.connections.count == 2)
                let isViolation = name == "GARBAGE" || name == "TWICE"
                #expect(client.counters.protocolViolations == (isViolation ? 1 : 0))
            }
        }
    }

    @Test("silence ends the connection also when every caller has timed out before")
    func stalledWithoutCallers() async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop, handler: Self.pong)
            defer { server.stop() }
            var configuration = server.configuration()
            configuration.stallTimeout = .milliseconds(150)
            try await withClient(configuration, loop: loop) { client in
                #expect(await failure(client, RedisCommand("SILENCE"), timeout: .milliseconds(10)) == .timedOut)
                try await eventually(loop) { client.counters.losses == 1 }
                try await client.waitUntilReady(timeout: .seconds(20))
                #expect(try await client.send(RedisCommand("PING")).text == "PONG")
            }
        }
    }

    @Test("every caller in flight hears of the loss, and while it lasts the next fail at once")
    func everybody() async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop, handler: Self.pong)
            try await withClient(server.configuration(), loop: loop) { client in
                let callers = (0..<50).map { _ in
                    Task(executorPreference: loop) {
                        await failure(client, RedisCommand("SILENCE"), timeout: .seconds(30))
                    }
                }
                try await eventually(loop) { client.counters.inFlight == 50 }
                server.stop()
                for caller in callers { #expect(await caller.value == .connectionLost(outcomeUnknown: true)) }
                #expect(await failure(client, RedisCommand("PING")) == .notConnected)
                #expect(client.counters.inFlight == 0)
                let again = try FakeRedis(loop: loop, port: server.address.port, handler: Self.pong)
                defer { again.stop() }
                try await client.waitUntilReady(timeout: .seconds(10))
                #expect(try await client.send(RedisCommand("PING")).text == "PONG")
            }
        }
    }

    static let refusals: [(String, RedisServerError.Kind)] = [
        ("NOAUTH Authentication required.", .noAuth),
        ("LOADING Redis is loading the dataset in memory", .loading),
        ("ERR max number of clients reached", .tooManyClients),
    ]

    @Test("C7: a handshake that is refused is tried again, and its reason is told to who waits", arguments: refusals)
    func refused(text: String, kind: RedisServerError.Kind) async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop, handler: Self.pong)
            defer { server.stop() }
            let welcome = server.handshake
            server.handshake = { _, connection in connection.reply(RESPText.error(text)) }
            var configuration = server.configuration()
            configuration.maximumBackoff = .milliseconds(50)
            let client = RedisClient(configuration: configuration, loop: loop)
            defer { client.close() }
            client.start()
            try await eventually(loop) { client.counters.failedConnects >= 2 }
            await #expect(throws: RedisError.server(kind)) {
                try await client.waitUntilReady(timeout: .milliseconds(1))
            }
            #expect(client.counters.connects == 0)
            #expect(await failure(client, RedisCommand("PING")) == .notConnected)
            server.handshake = welcome
            try await client.waitUntilReady(timeout: .seconds(10))
            #expect(try await client.send(RedisCommand("PING")).text == "PONG")
        }
    }

    @Test("a connection that ends right behind its handshake is not taken for ready")
    func endedBehindHandshake() async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop, handler: Self.pong)
            defer { server.stop() }
            let welcome = server.handshake
            // Both replies are in one read: the connection has ended before the client hears of the first.
            server.handshake = { _, connection in connection.reply("+OK\r\n+OK\r\n") }
            let client = RedisClient(configuration: server.configuration(), loop: loop)
            defer { client.close() }
            client.start()
            try await eventually(loop) { server.connections.count >= 3 }
            #expect(client.counters.connects == 0 && client.counters.protocolViolations >= 2)
            server.handshake = welcome
            var reply: String?
            for _ in 0..<200 where reply == nil {
                try await client.waitUntilReady(timeout: .seconds(20))
                reply = try? await client.send(RedisCommand("PING")).text
            }
            #expect(reply == "PONG")
        }
    }

    @Test("close right behind start leaves no connection")
    func closedWhileConnecting() async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop, handler: Self.pong)
            defer { server.stop() }
            for delay in [0, 1, 2, 5] {
                let client = RedisClient(configuration: server.configuration(), loop: loop)
                client.start()
                if delay > 0 { try await loop.sleep(for: .milliseconds(delay)) }
                client.close()
                #expect(await failure(client, RedisCommand("PING")) == .notConnected)
            }
            try await loop.sleep(for: .milliseconds(100))
            try await eventually(loop) { server.connections.allSatisfy(\.isClosed) }
        }
    }

    @Test("a server that accepts and stays silent does not hold the start up for ever")
    func silentHandshake() async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop, handler: Self.pong)
            defer { server.stop() }
            server.handshake = { _, _ in }
            var configuration = server.configuration()
            configuration.connectTimeout = .milliseconds(60)
            let client = RedisClient(configuration: configuration, loop: loop)
            defer { client.close() }
            client.start()
            try await eventually(loop) { client.counters.failedConnects >= 1 }
            #expect(!client.isConnected)
            try await eventually(loop) { server.connections.first?.isClosed == true }
        }
    }

    @Test("a name that does not resolve is no connection")
    func unknownHost() async throws {
        try await onLoop { loop in
            let client = RedisClient(configuration: RedisConfiguration(host: "no-such-host.invalid"), loop: loop)
            defer { client.close() }
            client.start()
            try await eventually(loop) { client.counters.failedConnects > 0 }
            #expect(await failure(client, RedisCommand("PING")) == .notConnected)
        }
    }
}
