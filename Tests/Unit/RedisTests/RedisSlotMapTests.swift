import Testing

@testable import Redis

@Suite("The map of a cluster")
struct RedisSlotMapTests {
    static let asked = RedisPlace(host: "asked", port: 1)

    static func range(_ first: Int64, _ last: Int64, _ host: RESPValue, _ port: Int64) -> RESPValue {
        .array([.integer(first), .integer(last), .array([host, .integer(port), RESPText.bulk("id")])])
    }

    @Test("each slot has its master, an unnamed host is the one that was asked, holes stay holes")
    func reads() throws {
        let map = try #require(
            RedisSlotMap(
                .array([
                    Self.range(100, 200, RESPText.bulk("b"), 7001), Self.range(0, 98, RESPText.bulk(""), 7000),
                    Self.range(300, 300, .null, 7000), Self.range(301, 16_383, RESPText.bulk("b"), 7001),
                ]), asked: Self.asked))
        #expect(map.masters == [RedisPlace(host: "asked", port: 7000), RedisPlace(host: "b", port: 7001)])
        for slot: UInt16 in [0, 98, 300] { #expect(map.owner(of: slot) == 0) }
        for slot: UInt16 in [100, 200, 301, 16_383] { #expect(map.owner(of: slot) == 1) }
        for slot: UInt16 in [99, 201, 299] { #expect(map.owner(of: slot) == nil) }
        #expect(!map.isComplete)
    }

    @Test("what a server says about one slot corrects the map")
    func learns() throws {
        var map = try #require(
            RedisSlotMap(.array([Self.range(0, 16_383, RESPText.bulk("a"), 1)]), asked: Self.asked))
        #expect(map.isComplete)
        map.learn(5, at: RedisPlace(host: "b", port: 2))
        map.learn(6, at: RedisPlace(host: "a", port: 1))
        #expect(map.owner(of: 4) == 0 && map.owner(of: 5) == 1 && map.owner(of: 6) == 0)
        #expect(map.masters.count == 2)
    }

    @Test(
        "garbage is no map",
        arguments: [
            .null, .integer(1), RESPText.error("ERR This instance has cluster support disabled"), .array([]),
            .array([.null]), .array([.array([])]), .array([.array([.integer(0), .integer(1)])]),
            .array([range(0, 16_384, RESPText.bulk("a"), 1)]), .array([range(-1, 5, RESPText.bulk("a"), 1)]),
            .array([range(5, 4, RESPText.bulk("a"), 1)]), .array([range(0, 1, RESPText.bulk("a"), 0)]),
            .array([range(0, 1, RESPText.bulk("a"), 65_536)]), .array([range(0, 1, RESPText.bulk("?"), 1)]),
            .array([range(0, 1, .integer(4), 1)]), .array([range(0, .max, RESPText.bulk("a"), 1)]),
            .array([range(0, 1, RESPText.bulk("a"), 1), .integer(3)]),
            .array([.array([.integer(0), .integer(1), .array([])])]),
            .array([.array([RESPText.bulk("0"), .integer(1), .array([RESPText.bulk("a"), .integer(1)])])]),
        ] as [RESPValue])
    func garbage(reply: RESPValue) { #expect(RedisSlotMap(reply, asked: Self.asked) == nil) }
}
