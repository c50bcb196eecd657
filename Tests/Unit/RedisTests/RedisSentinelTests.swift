import EventLoops
import Testing

@testable import Redis

@Suite("A client asks sentinels who the master is")
struct RedisSentinelTests {
    static func answer(_ port: UInt16, epoch: Int, host: String = "127.0.0.1") -> RESPValue {
        .array(
            ["name", "m", "ip", host, "port", "\(port)", "flags", "master", "config-epoch", "\(epoch)"]
                .map { RESPText.bulk($0) })
    }

    @Test("an answer has an address and an epoch, in any order; anything else is none")
    func answers() {
        #expect(RedisMasterAnswer(Self.answer(7, epoch: 3))?.place == RedisPlace(host: "127.0.0.1", port: 7))
        #expect(RedisMasterAnswer(Self.answer(7, epoch: 3))?.epoch == 3)
        for garbage: RESPValue in [
            .null, .integer(1), .array([]), .array([RESPText.bulk("ip")]), Self.answer(0, epoch: 1),
            Self.answer(1, epoch: 1, host: ""), RESPText.error("ERR No such master with that name"),
            .array([RESPText.bulk("ip"), RESPText.bulk("h"), RESPText.bulk("port"), RESPText.bulk("99999")]),
        ] { #expect(RedisMasterAnswer(garbage) == nil) }
    }

    /// Two servers and two sentinels of the test.
    final class World {
        var roles = ["master", "slave"]
        var named: [RESPValue] = []
        var servers: [FakeRedis] = []
        var sentinels: [FakeRedis] = []
        var replies = ["+first\r\n", "+second\r\n"]

        init(_ loop: EventLoop) throws {
            for index in 0..<2 {
                servers.append(
                    try FakeRedis(loop: loop) { [unowned self] command, connection in
                        connection.reply(
                            command == ["ROLE"]
                                ? "*1\r\n$\(roles[index].utf8.count)\r\n\(roles[index])\r\n" : replies[index])
                    })
                sentinels.append(
                    try FakeRedis(loop: loop) { [unowned self] command, connection in
                        connection.reply(command == ["SENTINEL", "MASTER", "m"] ? named[index] : .null)
                    })
            }
            named = servers.map { _ in answer(servers[0].address.port, epoch: 1) }
        }

        var configuration: RedisConfiguration {
            var configuration = RedisConfiguration.patient(host: "127.0.0.1", port: 1)
            configuration.topology = .sentinel(
                master: "m", sentinels: sentinels.map { RedisPlace(host: "127.0.0.1", port: $0.address.port) })
            return configuration
        }

        func stop() { for server in servers + sentinels { server.stop() } }
    }

    @Test("of two answers the newer one counts, so a sentinel that was cut off sends nobody back")
    func newest() async throws {
        try await onLoop { loop in
            let world = try World(loop)
            defer { world.stop() }
            world.roles = ["master", "master"]
            world.named[1] = Self.answer(world.servers[1].address.port, epoch: 2)
            try await withClient(world.configuration, loop: loop) { client in
                // Which of the sentinels was there first is chance; within a second both have been asked.
                try await eventually(loop) { world.servers[1].connections.count == 1 }
                try await client.waitUntilReady(timeout: .seconds(10))
                let reply = try await client.send(RedisCommand("GET", "k"))
                #expect(reply.text == "second")
            }
        }
    }

    @Test("a server that is not the master is left at once, and the sentinels are asked again")
    func notTheMaster() async throws {
        try await onLoop { loop in
            let world = try World(loop)
            defer { world.stop() }
            world.roles = ["slave", "master"]
            let client = RedisClient(configuration: world.configuration, loop: loop)
            client.start()
            defer { client.close() }
            // A busy machine may not have come to its first answer within one such wait.
            var errors: [RedisError] = []
            while errors.last != .server(.readOnly), errors.count < 60 {
                do throws(RedisError) {
                    try await client.waitUntilReady(timeout: .milliseconds(300))
                    break
                } catch {
                    errors.append(error)
                }
            }
            #expect(errors.last == .server(.readOnly))
            world.named = [Self.answer(world.servers[1].address.port, epoch: 2), .null]
            try await client.waitUntilReady(timeout: .seconds(10))
            let reply = try await client.send(RedisCommand("GET", "k"))
            #expect(reply.text == "second")
        }
    }

    @Test("READONLY is told to the caller, and the connection goes to whom the sentinels name now")
    func readOnly() async throws {
        try await onLoop { loop in
            let world = try World(loop)
            defer { world.stop() }
            try await withClient(world.configuration, loop: loop) { client in
                world.replies[0] = "-READONLY You can't write against a read only replica.\r\n"
                world.roles = ["slave", "master"]
                world.named = [Self.answer(world.servers[1].address.port, epoch: 2), .null]
                let reply = try await client.send(RedisCommand("SET", "k", "v"))
                #expect(reply.error?.kind == .readOnly)
                #expect(!client.isConnected)
                try await client.waitUntilReady(timeout: .seconds(10))
                #expect(try await client.send([RedisCommand("SET", "k", "v")])[0].text == "second")
            }
        }
    }

    @Test("a master that works is left when the sentinels name another one")
    func watched() async throws {
        try await onLoop { loop in
            let world = try World(loop)
            defer { world.stop() }
            try await withClient(world.configuration, loop: loop) { client in
                world.roles[1] = "master"
                world.named[0] = Self.answer(world.servers[1].address.port, epoch: 2)
                try await eventually(loop) { client.counters.connects == 2 }
                let reply = try await client.send(RedisCommand("GET", "k"))
                #expect(reply.text == "second")
            }
        }
    }

    @Test("sentinels and servers each hear their own password, and sentinels no number of a database")
    func passwords() async throws {
        try await onLoop { loop in
            let world = try World(loop)
            defer { world.stop() }
            var configuration = world.configuration
            (configuration.user, configuration.password) = ("app", RedisPassword("of-redis"))
            (configuration.sentinelPassword, configuration.database) = (RedisPassword("of-sentinels"), 3)
            try await withClient(configuration, loop: loop) { _ in
                let first = world.servers[0].connections.flatMap(\.commands)
                #expect(first.prefix(3) == [["AUTH", "app", "of-redis"], ["SELECT", "3"], ["ROLE"]])
                try await eventually(loop) {
                    world.sentinels.allSatisfy { $0.connections.first?.commands.isEmpty == false }
                }
                for sentinel in world.sentinels {
                    let heard = sentinel.connections.flatMap(\.commands)
                    #expect(heard.first == ["AUTH", "of-sentinels"])
                    #expect(!heard.contains { $0.first == "SELECT" || $0.first == "ROLE" })
                }
            }
        }
    }

    @Test("sentinels that spell one server in two ways do not send the client back and forth")
    func spellings() async throws {
        try await onLoop { loop in
            let world = try World(loop)
            defer { world.stop() }
            world.named[1] = Self.answer(world.servers[0].address.port, epoch: 1, host: "localhost")
            try await withClient(world.configuration, loop: loop) { client in
                try await eventually(loop) {
                    // Three looks, a second apart.
                    world.sentinels.allSatisfy { $0.connections.flatMap(\.commands).count >= 5 }
                }
                #expect(client.counters.connects == 1)
                #expect(client.counters.losses == 0)
            }
        }
    }

    @Test("sentinels that are away, or know no such master, are a reason that is told")
    func nobody() async throws {
        try await onLoop { loop in
            let world = try World(loop)
            defer { world.stop() }
            world.named = world.named.map { _ in RESPText.error("ERR No such master with that name") }
            let client = RedisClient(configuration: world.configuration, loop: loop)
            client.start()
            defer { client.close() }
            await #expect(throws: RedisError.server(.other(prefix: "ERR"))) {
                try await client.waitUntilReady(timeout: .milliseconds(300))
            }
            for sentinel in world.sentinels { sentinel.stop() }
            await #expect(throws: RedisError.self) { try await client.waitUntilReady(timeout: .milliseconds(300)) }
            #expect(await failure(client, RedisCommand("GET", "k")) == .notConnected)
        }
    }
}
