import EventLoops
import Redis
import Testing

@Suite("C7: what a server may answer is a value in its place, and the connection lives on", .timeLimit(.minutes(2)))
struct RedisClientRefusalTests {
    static let table: [(String, RedisServerError.Kind)] = [
        ("LOADING Redis is loading the dataset in memory", .loading),
        ("OOM command not allowed when used memory > 'maxmemory'.", .oom),
        ("READONLY You can't write against a read only replica.", .readOnly),
        ("MISCONF Redis is configured to save RDB snapshots, but it's currently unable to persist on disk.", .misconf),
        ("NOSCRIPT No matching script. Please use EVAL.", .noScript),
        ("NOAUTH Authentication required.", .noAuth),
        ("BUSY Redis is busy running a script. You can only call SCRIPT KILL or SHUTDOWN NOSAVE.", .busy),
        ("MOVED 12182 127.0.0.1:7001", .moved(slot: 12182, host: "127.0.0.1", port: 7001)),
        ("ASK 12182 127.0.0.1:7001", .ask(slot: 12182, host: "127.0.0.1", port: 7001)),
        ("CLUSTERDOWN The cluster is down", .clusterDown),
    ]

    @Test("each kind", arguments: table)
    func kinds(text: String, kind: RedisServerError.Kind) async throws {
        try await onLoop { loop in
            let server = try FakeRedis(loop: loop) { command, connection in
                connection.reply(command[0] == "SET" ? RESPText.error(text) : .integer(7))
            }
            defer { server.stop() }
            try await withClient(server.configuration(), loop: loop) { client in
                let replies = try await client.send([
                    RedisCommand("INCR", "a"), RedisCommand("SET", "b", "1"), RedisCommand("INCR", "c"),
                ])
                #expect(replies[0] == .integer(7) && replies[2] == .integer(7))
                let error = try #require(replies[1].error)
                #expect(error.kind == kind)
                #expect(error.disposition != .defect)
                #expect(client.counters.losses == 0)
            }
        }
    }
}
