import EventLoops
import Redis
import StrideTestSupport
import Synchronization
import Testing

/// Slots move while everybody reads and writes.
@Suite(.serialized) struct ReshardingTests {
    private static let set = RedisScript(
        "redis.call('SET', KEYS[1], ARGV[1]) redis.call('SET', KEYS[2], ARGV[1]) return ARGV[1]")
    private static let get = RedisScript("return { redis.call('GET', KEYS[1]), redis.call('GET', KEYS[2]) }")

    /// An answer that is not the right one.
    private struct Wrong: Error, CustomStringConvertible {
        let description: String
    }

    @Test("a slot goes round the cluster under load: nothing lost, no wrong answer, MOVED, ASK and TRYAGAIN followed")
    func roundTheCluster() async throws {
        let loop = try EventLoop.start(name: "cluster")
        let cluster = try await TestCluster.start(on: loop)
        defer { cluster.end() }
        let (stop, turns) = (StopFlag(), Turns())
        async let load = cluster.withClient(scripts: [Self.set, Self.get], { $0.commandTimeout = .seconds(60) }) {
            client in
            let writes = try await withThrowingTaskGroup(of: Int.self) { group in
                for writer in 0..<4 {
                    group.addTask(executorPreference: client.loop) {
                        defer { stop.set() }
                        return try await Self.writePairs(client, writer, until: stop)
                    }
                }
                group.addTask(executorPreference: client.loop) {
                    defer { stop.set() }
                    return try await Self.writeSingles(client, turns, until: stop)
                }
                group.addTask(executorPreference: client.loop) {
                    defer { stop.set() }
                    return try await Self.readInHaste(client, until: stop)
                }
                return try await group.reduce(0, +)
            }
            return (writes, client.counters)
        }
        let slot = Int(try await cluster.nodes[0].send("CLUSTER", "KEYSLOT", "{t}").number ?? 0)
        var holder = slot <= 5460 ? 0 : slot <= 10_922 ? 1 : 2
        for _ in 0..<6 where !stop.isSet {
            let next = (holder + 1) % 3
            // Between two keys the load goes on for a turn, so that it meets every state of the move.
            try await cluster.move(slot: slot, from: cluster.nodes[holder], to: cluster.nodes[next]) {
                let seen = turns.count
                try await eventually("the load goes on", every: .milliseconds(1)) { turns.count > seen || stop.isSet }
            }
            holder = next
        }
        stop.set()
        let (writes, counters) = try await load
        print(
            "resharding: \(writes) exchanges, \(counters.movedReplies) MOVED, \(counters.askReplies) ASK, "
                + "\(counters.tryAgainReplies) TRYAGAIN, \(counters.mapLooks) looks at the map, "
                + "\(counters.timeouts) given up")
        #expect(counters.movedReplies > 0)
        #expect(counters.askReplies > 0)
        #expect(counters.tryAgainReplies > 0)
        #expect(counters.losses == 0)
        #expect(counters.timeouts > 0)
        await loop.stop()
    }

    /// Two keys at once by a script, which the servers refuse while only one of them has moved.
    private static func writePairs(_ client: RedisClient, _ writer: Int, until stop: StopFlag) async throws -> Int {
        let keys = ["{t}:\(writer)", "{t}:\(writer):b"]
        var turn = 0
        while !stop.isSet {
            turn += 1
            let value = "\(writer) \(turn)"
            let written = try await client.send(RedisCommand(set, keys: keys, values: [value]))
            guard written.text == value else { throw Wrong(description: "\(written) for \(value)") }
            let read = try await client.send([
                RedisCommand("GET", "elsewhere:\(writer)"), RedisCommand(get, keys: keys), RedisCommand("GET", keys[1]),
                RedisCommand("SET", "elsewhere:\(writer)", value),
            ])
            let before = turn == 1 ? nil : "\(writer) \(turn - 1)"
            guard read[0].text == before, read[1].elements?.map(\.text) == [value, value], read[2].text == value,
                read[3].isOK
            else { throw Wrong(description: "\(read) after \(value)") }
        }
        return turn
    }

    /// Keys that go one by one, in one exchange with others, each written and read in this order.
    private static func writeSingles(_ client: RedisClient, _ turns: Turns, until stop: StopFlag) async throws -> Int {
        var turn = 0
        while !stop.isSet {
            turn += 1
            var commands: [RedisCommand] = []
            for key in 0..<6 {
                commands.append(RedisCommand("SET", "{t}:single:\(key)", "\(key) \(turn)"))
                commands.append(RedisCommand("GET", "{t}:single:\(key)"))
                commands.append(RedisCommand("INCR", "other:\(key)"))
            }
            let replies = try await client.send(commands)
            for key in 0..<6 {
                guard replies[3 * key].isOK, replies[3 * key + 1].text == "\(key) \(turn)",
                    replies[3 * key + 2].number == Int64(turn)
                else { throw Wrong(description: "\(replies[(3 * key)...]) in turn \(turn)") }
            }
            turns.add()
        }
        return turn
    }

    /// Callers that give up at once or soon: whoever has a reply has the one for his key (C6).
    private static func readInHaste(_ client: RedisClient, until stop: StopFlag) async throws -> Int {
        let keys = (0..<8).flatMap { ["{t}:fixed:\($0)", "fixed:\($0)"] }
        for key in keys { _ = try await client.send(RedisCommand("SET", key, "value of \(key)")) }
        var turn = 0
        while !stop.isSet {
            let wanted = [keys[turn % 16], keys[(turn * 7 + 3) % 16]]
            let patience = Duration.milliseconds(turn % 3)
            turn += 1
            guard let replies = try? await client.send(wanted.map { RedisCommand("GET", $0) }, timeout: patience) else {
                continue
            }
            for (key, reply) in zip(wanted, replies) where reply.error == nil {
                guard reply.text == "value of \(key)" else { throw Wrong(description: "\(reply) for \(key)") }
            }
        }
        return turn
    }

    private final class Turns: Sendable {
        private let number = Atomic(0)
        var count: Int { number.load(ordering: .relaxed) }
        func add() { number.add(1, ordering: .relaxed) }
    }
}
