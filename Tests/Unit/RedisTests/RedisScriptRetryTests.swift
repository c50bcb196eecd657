import Testing

@testable import Redis

@Suite("Calls of a lost script are repeated, and only they")
struct RedisScriptRetryTests {
    static let lost = RESPText.error("NOSCRIPT No matching script.")

    @Test("nothing is repeated without a lost script")
    func none() {
        let script = RedisScript("return 1")
        #expect(RedisScriptRetry([RedisCommand("GET", "k")], [.null]) == nil)
        #expect(RedisScriptRetry([RedisCommand(script, keys: [])], [.integer(1)]) == nil)
        #expect(RedisScriptRetry([RedisCommand("EVALSHA", "00", "0")], [Self.lost]) == nil)
    }

    @Test("each lost script is loaded once, each lost call goes out in full, replies return to their places")
    func repeats() throws {
        let (first, second) = (RedisScript("return 1"), RedisScript("return 2"))
        let commands = [
            RedisCommand(first, keys: ["a"]), RedisCommand("GET", "k"), RedisCommand(second, keys: ["b"]),
            RedisCommand(first, keys: ["c"]), RedisCommand(first, keys: ["d"]),
        ]
        let retry = try #require(RedisScriptRetry(commands, [Self.lost, .null, Self.lost, .integer(8), Self.lost]))
        #expect(retry.calls == [0, 2, 4])
        var bytes: [UInt8] = []
        for command in retry.wire { command.encode(into: &bytes) }
        let sent = try readAll([bytes]).map { $0.elements?.compactMap(\.text).joined(separator: " ") }
        #expect(
            sent == [
                "SCRIPT LOAD return 1", "SCRIPT LOAD return 2", "EVAL return 1 1 a", "EVAL return 2 1 b",
                "EVAL return 1 1 d",
            ])
        let late: [RESPValue] = [RESPText.bulk("sha"), RESPText.bulk("sha"), .integer(10), .integer(20), .integer(40)]
        #expect(
            retry.merge(late, into: [Self.lost, .null, Self.lost, .integer(8), Self.lost])
                == [.integer(10), .null, .integer(20), .integer(8), .integer(40)])
    }
}
