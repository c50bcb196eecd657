import EventLoops
import Glibc
import Redis
import Testing

@Suite("Against the real Redis", .timeLimit(.minutes(2)))
struct RedisServerTests {
    @Test("values come back as they were sent")
    func values() async throws {
        let configuration = try sharedServer()
        try await onLoop { loop in
            try await withClient(configuration, loop: loop) { client in
                let key = "client-test:{values}"
                var set = RedisCommand("SET", key)
                let content = (0...255).map { UInt8($0) }
                set.append(content)
                let replies = try await client.send([
                    RedisCommand("DEL", key), set, RedisCommand("GET", key), RedisCommand("STRLEN", key),
                    RedisCommand("GET", key + "none"), RedisCommand("LPUSH", key, "x"), RedisCommand("NOTHING", key),
                    RedisCommand("CLIENT", "GETNAME"), RedisCommand("DEL", key),
                ])
                #expect(replies[1].isOK)
                #expect(replies[2] == .bulk(content[...]))
                #expect(replies[3] == .integer(256))
                #expect(replies[4] == .null)
                #expect(replies[5].error?.kind == .wrongType)
                #expect(replies[6].error?.kind == .other(prefix: "ERR"))
                #expect(replies[7].text == "stride")
                #expect(replies[8] == .integer(1))
            }
        }
    }

    @Test("an argument and a reply of eight million bytes")
    func large() async throws {
        var configuration = try sharedServer()
        configuration.maximumPendingBytes = 16 << 20
        configuration.commandTimeout = .seconds(120)
        configuration.stallTimeout = .seconds(120)
        try await onLoop { [configuration] loop in
            try await withClient(configuration, loop: loop) { client in
                var generator = SeededGenerator(seed: 8)
                let content = (0..<1_000_000).flatMap { _ in withUnsafeBytes(of: generator.next()) { Array($0) } }
                var echo = RedisCommand("ECHO")
                echo.append(content)
                let reply = try await client.send(echo)
                #expect(reply == .bulk(content[...]))
            }
        }
    }

    @Test("ten thousand callers at once have their own replies, in few writes")
    func tenThousand() async throws {
        let configuration = try sharedServer()
        try await onLoop { loop in
            try await withClient(configuration, loop: loop) { client in
                let wrong = try await withThrowingTaskGroup(of: Bool.self) { group in
                    for index in 0..<10_000 {
                        group.addTask { try await client.send(RedisCommand("ECHO", "\(index)")).number != Int64(index) }
                    }
                    return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
                }
                #expect(wrong == 0)
                #expect(client.counters.commands >= 10_000)
                #expect(client.counters.writes < 100)
            }
        }
    }

    @Test("C7: NOSCRIPT: a flushed script is loaded again and only the lost calls are repeated")
    func noScript() async throws {
        try await withServer { loop, server in
            let script = RedisScript("return redis.call('INCRBY', KEYS[1], ARGV[1])")
            let unlisted = RedisScript("return {ARGV[1], 7}")
            try await withClient(server.configuration, scripts: [script], loop: loop) { client in
                let call = RedisCommand(script, keys: ["n"], values: ["5"])
                let first = try await client.send([call, call, RedisCommand("GET", "n")])
                #expect(first.map(\.number) == [5, 10, 10])
                #expect(client.counters.scriptReloads == 0)
                _ = try await client.send(RedisCommand("SCRIPT", "FLUSH"))
                let lost = try await client.send([call, RedisCommand("GET", "n"), call])
                #expect(lost.map(\.number) == [15, 10, 20])
                #expect(client.counters.scriptReloads == 2)
                let again = try await client.send(call)
                #expect(again.number == 25)
                #expect(client.counters.scriptReloads == 2)
                let other = try await client.send(RedisCommand(unlisted, keys: [], values: ["x"]))
                #expect(other == .array([RESPText.bulk("x"), .integer(7)]))
            }
        }
    }

    @Test("C6: random deadlines and cancellations against a server that stops now and then", arguments: UInt64(1)...3)
    func stops(seed: UInt64) async throws {
        try await withServer { loop, server in
            try await withClient(server.configuration, loop: loop) { client in
                let (wrong, right) = try await Self.interrupted(client, server, loop, seed)
                #expect(wrong == 0 && right > 0)
            }
        }
    }

    private static func interrupted(
        _ client: RedisClient, _ server: RedisServerProcess, _ loop: EventLoop, _ seed: UInt64
    ) async throws -> (wrong: Int, right: Int) {
        var generator = SeededGenerator(seed: seed)
        var callers: [Task<Bool?, Never>] = []
        for caller in 0..<1500 {
            let payload = "\(seed)-\(caller)"
            let timeout = [Duration.milliseconds(Int.random(in: 0...40, using: &generator)), .seconds(60)][caller % 2]
            callers.append(
                Task(executorPreference: loop) {
                    do throws(RedisError) {
                        return try await client.send(RedisCommand("ECHO", payload), timeout: timeout).text == payload
                    } catch {
                        return error == .timedOut || error == .cancelled ? nil : false
                    }
                })
            if caller % 100 == 20 { server.signal(SIGSTOP) }
            if caller % 100 == 60 { server.signal(SIGCONT) }
            if let victim = callers.randomElement(using: &generator), caller % 5 == 0 { victim.cancel() }
            if caller % 10 == 0 { try await loop.sleep(for: .milliseconds(2)) }
        }
        server.signal(SIGCONT)
        var counts = (wrong: 0, right: 0)
        for caller in callers {
            switch await caller.value {
            case true?: counts.right += 1
            case false?: counts.wrong += 1
            case nil: break
            }
        }
        return counts
    }
}
