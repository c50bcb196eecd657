import EventLoops
import Redis
import StrideTestSupport
import Testing

/// A client against three masters.
@Suite(.serialized) struct ClusterTests {
    private static let append = RedisScript(
        "redis.call('APPEND', KEYS[1], ARGV[1]) return redis.call('APPEND', KEYS[2], ARGV[1])")

    private static func withCluster(_ body: @Sendable (TestCluster) async throws -> Void) async throws {
        let loop = try EventLoop.start(name: "cluster")
        do {
            let cluster = try await TestCluster.start(on: loop)
            defer { cluster.end() }
            try await body(cluster)
        } catch {
            await loop.stop()
            throw error
        }
        await loop.stop()
    }

    @Test(
        "an exchange over all masters: every command on the server of its key, replies in order, one refusal in its place"
    )
    func manyKeys() async throws {
        try await Self.withCluster { cluster in
            try await cluster.withClient(scripts: [Self.append]) { client in
                let keys = (0..<300).map { "user:{\($0)}:x" }
                let set = try await client.send(keys.map { RedisCommand("SET", $0, "value of \($0)") })
                #expect(set.count == 300 && set.allSatisfy { $0.isOK })
                var reads = keys.map { RedisCommand("GET", $0) }
                reads.insert(RedisCommand("HGET", keys[7], "field"), at: 8)
                let got = try await client.send(reads)
                #expect(got[8].error?.kind == .wrongType)
                let (texts, wanted) = (got.filter { $0.error == nil }.map(\.text), keys.map { "value of \($0)" })
                #expect(texts == wanted)

                // Commands for one key in one exchange run in their order.
                let digits = (0..<50).flatMap { digit in
                    keys.prefix(9).map { RedisCommand(Self.append, keys: [$0, $0 + ":2"], values: ["\(digit),"]) }
                }
                #expect(try await client.send(digits).allSatisfy { $0.number != nil })
                for key in keys.prefix(9) {
                    let all = (0..<50).map { "\($0)," }.joined()
                    #expect(try await client.send(RedisCommand("GET", key + ":2")).text == all)
                }
                // Each server has lost the script.
                for reply in try await client.sendToEach([RedisCommand("SCRIPT", "FLUSH")]) { #expect(reply[0].isOK) }
                let again = try await client.send(
                    keys.map { RedisCommand(Self.append, keys: [$0, $0 + ":3"], values: ["x"]) })
                #expect(again.allSatisfy { $0.number == 1 })
                #expect(client.counters.scriptReloads >= 300)
                #expect(try await client.send(RedisCommand("PING")).text == "PONG")
                #expect(client.counters.movedReplies == 0)
                #expect(client.counters.connects >= 3)
            }
            // A third of the keys lies on each, more or less: 300 keys, their second and third parts.
            var sizes: [Int64] = []
            for node in cluster.nodes { sizes.append(try await node.send("DBSIZE").number ?? 0) }
            let (sum, least) = (sizes.reduce(0, +), sizes.min() ?? 0)
            #expect(sum == 300 + 9 + 300)
            #expect(least > 100)
        }
    }

    @Test("keys of one command in different slots are refused as such, and nothing of it is sent")
    func crossSlot() async throws {
        try await Self.withCluster { cluster in
            try await cluster.withClient { client in
                let replies = try await client.send([
                    RedisCommand("SET", "a", "1"), RedisCommand("UNLINK", "a", "b"), RedisCommand("GET", "a"),
                ])
                #expect(replies[0].isOK)
                #expect(replies[1].error?.kind == .crossSlot)
                #expect(replies[1].error?.disposition == .defect)
                #expect(replies[2].text == "1")
                #expect(try await client.send(RedisCommand("UNLINK", "{a}1", "{a}2", "a")).number == 1)
            }
        }
    }
}
