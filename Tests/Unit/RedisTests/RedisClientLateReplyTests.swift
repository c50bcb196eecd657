import EventLoops
import Redis
import Testing

@Suite("C6: a late reply never reaches another command", .timeLimit(.minutes(2)))
struct RedisClientLateReplyTests {
    @Test("a timed-out caller is answered in time, and its late reply is swallowed")
    func timedOut() async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop) { command, connection in
                if command[1] != "slow" { connection.reply(RESPText.bulk(command[1])) }
            }
            defer { server.stop() }
            try await withClient(server.configuration(), loop: loop) { client in
                let slow = await failure(client, RedisCommand("ECHO", "slow"), timeout: .milliseconds(30))
                #expect(slow == .timedOut)
                #expect(client.counters.inFlight == 1)
                server.connections[0].reply(RESPText.bulk("slow"))
                let next = try await client.send(RedisCommand("ECHO", "next"), timeout: .seconds(5))
                #expect(next.text == "next")
                #expect(client.counters.timeouts == 1 && client.counters.inFlight == 0 && client.counters.losses == 0)
            }
        }
    }

    @Test("a deadline of zero or less is over at once")
    func noTime() async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop) { _, connection in
                connection.reply(.integer(1), after: .seconds(1))
            }
            defer { server.stop() }
            try await withClient(server.configuration(), loop: loop) { client in
                #expect(await failure(client, RedisCommand("GET", "a"), timeout: .zero) == .timedOut)
                #expect(await failure(client, RedisCommand("GET", "a"), timeout: .seconds(-5)) == .timedOut)
            }
        }
    }

    @Test("a caller that is cancelled while it waits leaves at once, one that was cancelled before sends nothing")
    func cancelled() async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop) { command, connection in
                if command[1] != "first" { connection.reply(RESPText.bulk(command[1])) }
            }
            defer { server.stop() }
            try await withClient(server.configuration(), loop: loop) { client in
                let waiting = Task(executorPreference: loop) { await failure(client, RedisCommand("ECHO", "first")) }
                try await eventually(loop) { client.counters.inFlight == 1 }
                waiting.cancel()
                #expect(await waiting.value == .cancelled)
                server.connections[0].reply(RESPText.bulk("first"))
                #expect(try await client.send(RedisCommand("ECHO", "second")).text == "second")
                let never = Task(executorPreference: loop) {
                    withUnsafeCurrentTask { $0?.cancel() }
                    return await failure(client, RedisCommand("ECHO", "never"))
                }
                #expect(await never.value == .cancelled)
                #expect(try await client.send(RedisCommand("ECHO", "third")).text == "third")
                #expect(!server.connections[0].commands.contains(["ECHO", "never"]))
                #expect(client.counters.cancellations == 1)
            }
        }
    }

    @Test("waiting for the first connection can be cancelled")
    func cancelledStart() async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop) { _, _ in }
            server.handshake = { _, _ in }
            defer { server.stop() }
            let client = RedisClient(configuration: server.configuration(), loop: loop)
            defer { client.close() }
            client.start()
            let waiting = Task(executorPreference: loop) { () -> RedisError? in
                do throws(RedisError) { try await client.waitUntilReady(timeout: .seconds(60)) } catch { return error }
                return nil
            }
            try await loop.sleep(for: .milliseconds(20))
            waiting.cancel()
            #expect(await waiting.value == .cancelled)
        }
    }

    @Test(
        "with random delays, deadlines and cancellations every caller has its own reply or an error",
        arguments: UInt64(1)...8)
    func property(seed: UInt64) async throws {
        try await onLoop { loop in
            var delays = SeededGenerator(seed: seed &+ 1000)
            let server = try FakeRedis(loop: loop) { command, connection in
                let delay = Int.random(in: 0..<10, using: &delays) == 0 ? Int.random(in: 1...12, using: &delays) : 0
                connection.reply(RESPText.bulk(command[1]), after: .milliseconds(delay))
            }
            defer { server.stop() }
            var configuration = server.configuration()
            configuration.stallTimeout = .seconds(60)
            try await withClient(configuration, loop: loop) { client in
                let outcomes = await Self.load(client, loop: loop, seed: seed)
                #expect(outcomes.wrong == 0)
                #expect(outcomes.right > 20 && outcomes.timedOut > 20 && outcomes.cancelled > 20, "\(outcomes)")
                #expect(client.counters.losses == 0)
                try await eventually(loop) { client.counters.inFlight == 0 }
            }
        }
    }

    struct Outcomes {
        var (right, wrong, timedOut, cancelled) = (0, 0, 0, 0)
    }

    private enum Outcome { case right, wrong, timedOut, cancelled }

    /// Six hundred callers with one to three unique payloads each.
    private static func load(_ client: RedisClient, loop: EventLoop, seed: UInt64) async -> Outcomes {
        var generator = SeededGenerator(seed: seed)
        var callers: [Task<Outcome, Never>] = []
        for caller in 0..<600 {
            let payloads = (0..<Int.random(in: 1...3, using: &generator)).map { "\(seed).\(caller).\($0)" }
            let timeout = [Duration.zero, .seconds(60), .milliseconds(Int.random(in: 1...400, using: &generator))][
                caller % 3]
            let callerTask = Task(executorPreference: loop) { () -> Outcome in
                do throws(RedisError) {
                    let replies = try await client.send(payloads.map { RedisCommand("ECHO", $0) }, timeout: timeout)
                    return replies.map(\.text) == payloads ? .right : .wrong
                } catch {
                    return error == .timedOut ? .timedOut : error == .cancelled ? .cancelled : .wrong
                }
            }
            callers.append(callerTask)
            if Int.random(in: 0..<4, using: &generator) == 0 {
                let pause = Duration.milliseconds([0, Int.random(in: 1...60, using: &generator)][caller % 2])
                loop.submit {
                    try? await loop.sleep(for: pause)
                    callerTask.cancel()
                }
            }
            if caller % 20 == 0 { try? await loop.sleep(for: .milliseconds(1)) }
        }
        var outcomes = Outcomes()
        for caller in callers {
            switch await caller.value {
            case .right: outcomes.right += 1
            case .wrong: outcomes.wrong += 1
            case .timedOut: outcomes.timedOut += 1
            case .cancelled: outcomes.cancelled += 1
            }
        }
        return outcomes
    }
}
