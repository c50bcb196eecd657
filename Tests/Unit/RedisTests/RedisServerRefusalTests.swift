import EventLoops
import Redis
import Testing

@Suite("C7: refusals that the real Redis makes", .timeLimit(.minutes(2)))
struct RedisServerRefusalTests {
    @Test("OOM: memory is full and nothing may be evicted: reads go on")
    func oom() async throws {
        try await withServer(["--maxmemory", "1", "--maxmemory-policy", "noeviction"]) { loop, server in
            try await withClient(server.configuration, loop: loop) { client in
                let replies = try await client.send([RedisCommand("SET", "k", "v"), RedisCommand("GET", "k")])
                #expect(replies[0].error?.kind == .oom)
                #expect(replies[1] == .null)
            }
        }
    }

    @Test("READONLY: a replica refuses writes and answers reads")
    func readOnly() async throws {
        try await withServer(["--replicaof", "127.0.0.1", "1"]) { loop, server in
            try await withClient(server.configuration, loop: loop) { client in
                let replies = try await client.send([RedisCommand("SET", "k", "v"), RedisCommand("GET", "k")])
                #expect(replies[0].error?.kind == .readOnly)
                #expect(replies[1] == .null)
            }
        }
    }

    @Test("NOAUTH, WRONGPASS, and a password that is right")
    func passwords() async throws {
        try await withServer(["--requirepass", "geheim"]) { loop, server in
            var configuration = server.configuration
            await #expect(throws: RedisError.server(.noAuth)) { try await Self.start(configuration, loop) }
            configuration.password = RedisPassword("falsch")
            await #expect(throws: RedisError.server(.wrongPass)) { try await Self.start(configuration, loop) }
            configuration.password = RedisPassword("geheim")
            configuration.database = 3
            try await withClient(configuration, loop: loop) { client in
                let name = try await client.send(RedisCommand("CLIENT", "INFO"))
                #expect(name.text?.contains(" db=3 ") == true)
            }
        }
    }

    @Test("an ACL user signs in and is refused what it may not do")
    func user() async throws {
        let rule = ["--user", "app", "on", ">pa:ss@", "~allowed:*", "+get", "+set", "+ping"]
        try await withServer(rule) { loop, server in
            var configuration = try RedisConfiguration(url: "redis://app:pa%3Ass%40@127.0.0.1:\(server.port)")
            configuration.commandTimeout = .seconds(20)
            let script = RedisScript("return 1")
            try await withClient(configuration, scripts: [script], loop: loop) { client in
                let replies = try await client.send([
                    RedisCommand("SET", "allowed:1", "x"), RedisCommand("SET", "other", "x"),
                    RedisCommand("INCR", "allowed:2"),
                    RedisCommand(script, keys: ["allowed:1"]),
                ])
                #expect(replies[0].isOK)
                #expect(replies[1].error?.kind == .noPerm)
                #expect(replies[2].error?.kind == .noPerm)
                #expect(replies[3].error?.kind == .noPerm)
                #expect(replies[1].error?.disposition == .misconfigured)
            }
        }
    }

    @Test("BUSY: a script that does not end stops its own connection by time and the others by refusal")
    func busy() async throws {
        try await withServer(["--busy-reply-threshold", "50"]) { loop, server in
            var configuration = server.configuration
            configuration.stallTimeout = .seconds(1)
            try await withClient(server.configuration, loop: loop) { other in
                try await withClient(configuration, loop: loop) { client in
                    let endless = RedisCommand(RedisScript("while true do end"), keys: [])
                    #expect(await failure(client, endless, timeout: .milliseconds(100)) == .timedOut)
                    var refusal: RedisServerError.Kind?
                    for _ in 0..<200 where refusal == nil {
                        refusal = try await other.send(RedisCommand("GET", "k")).error?.kind
                    }
                    #expect(refusal == .busy)
                    try await eventually(loop) { client.counters.losses >= 1 }
                    #expect(try await other.send(RedisCommand("SCRIPT", "KILL")).isOK)
                    try await client.waitUntilReady(timeout: .seconds(20))
                    #expect(try await client.send(RedisCommand("GET", "k")) == .null)
                }
            }
        }
    }

    @Test("CLUSTERDOWN and CROSSSLOT of a cluster node")
    func cluster() async throws {
        let busPort = try RedisServerProcess.freePort()
        try await withServer(["--cluster-enabled", "yes", "--cluster-port", "\(busPort)"]) { loop, server in
            try await withClient(server.configuration, loop: loop) { client in
                #expect(try await client.send(RedisCommand("GET", "k")).error?.kind == .clusterDown)
                #expect(try await client.send(RedisCommand("CLUSTER", "ADDSLOTSRANGE", "0", "16383")).isOK)
                var both = RESPValue.null
                for _ in 0..<2000 where both.error?.kind != .crossSlot {
                    both = try await client.send(RedisCommand("MGET", "foo", "bar"))
                    try await loop.sleep(for: .milliseconds(5))
                }
                #expect(both.error?.kind == .crossSlot)
            }
        }
    }

    private static func start(_ configuration: RedisConfiguration, _ loop: EventLoop) async throws {
        let client = RedisClient(configuration: configuration, loop: loop)
        defer { client.close() }
        client.start()
        // The first attempts may find the server not listening yet; the reason is then that of a later one.
        for _ in 0..<40 {
            do throws(RedisError) {
                return try await client.waitUntilReady(timeout: .milliseconds(250))
            } catch {
                if error != .notConnected { throw error }
            }
        }
    }
}
