import Testing

@testable import Redis

@Suite("Where a command's keys lie in a cluster")
struct RedisSlotTests {
    static func slot(_ key: String) -> UInt16 { RedisSlot.of(Array(key.utf8)[...]) }

    @Test("the checksum is that of the specification")
    func checksum() { #expect(RedisSlot.crc16(Array("123456789".utf8)[...]) == 0x31C3) }

    @Test(
        "slots as redis-cli counts them",
        arguments: [("foo", 12182), ("bar", 5061), ("", 0), ("a", 15495)] as [(String, UInt16)])
    func slots(key: String, slot: UInt16) { #expect(Self.slot(key) == slot) }

    @Test(
        "the first tag that is not empty counts, otherwise the whole key",
        arguments: [
            ("{user1000}.following", "user1000"), ("foo{{bar}}zap", "{bar"), ("foo{bar}{zap}", "bar"),
            ("x{bar}", "bar"), ("{bar}", "bar"),
        ])
    func tags(key: String, hashed: String) { #expect(Self.slot(key) == Self.slot(hashed)) }

    @Test("an empty or open tag is no tag", arguments: ["foo{}{bar}", "foo{bar", "}foo{", "{}"])
    func noTags(key: String) {
        let whole = RedisSlot.crc16(Array(key.utf8)[...])
        #expect(Self.slot(key) == whole % 16_384)
    }

    @Test("keys are found where each command has them")
    func homes() {
        let script = RedisScript("return 1")
        #expect(RedisCommand("GET", "foo").home == .slot(12182))
        #expect(RedisCommand("HSET", "foo", "bar", "x").home == .slot(12182))
        #expect(RedisCommand("UNLINK", "foo", "{foo}1").home == .slot(12182))
        #expect(RedisCommand("UNLINK", "foo", "bar").home == .split)
        #expect(RedisCommand("EVAL", "return 1", "1", "foo", "bar").home == .slot(12182))
        #expect(RedisCommand("EVAL", "return 1", "0", "foo").home == .anywhere)
        #expect(RedisCommand(script, keys: ["foo", "{foo}:2"], values: ["bar"]).home == .slot(12182))
        #expect(RedisCommand(script, keys: ["foo", "bar"]).home == .split)
        #expect(RedisCommand(script, keys: []).home == .anywhere)
        #expect(RedisCommand("INFO", "server").home == .anywhere)
        #expect(RedisCommand("GET").home == .anywhere)
        // A count that promises more keys than there are.
        #expect(RedisCommand("EVAL", "return 1", "9", "foo").home == .slot(12182))
    }
}
