import HTTP
import Testing

@testable import ServiceKit

/// Which copies of an answer still hold.
@Suite struct EntityTagTests {
    @Test(
        "A tag is held in either form, in a list and as a star",
        arguments: [
            ("\"abc\"", true), ("W/\"abc\"", true), ("\"x\" ,\t\"abc\"", true), ("*", true), ("\"ab\"", false),
            ("abc", false), ("", false), ("W/", false),
        ])
    func held(value: String, isHeld: Bool) throws {
        let request = try HTTPRequest.make(.get, "/", headers: [("If-None-Match", value)])
        #expect(EntityTag("abc").isHeld(by: request.headers) == isHeld)
    }

    @Test("A weak tag is held by itself and by its strong form, and has fifteen letters")
    func weak() throws {
        let tag = EntityTag(weaklyOf: Array("some bytes".utf8))
        #expect(tag.field.utf8.count == 15)
        #expect(tag.field.hasPrefix("W/\""))
        for value in [tag.field, String(tag.field.dropFirst(2))] {
            let request = try HTTPRequest.make(.get, "/", headers: [("If-None-Match", value)])
            #expect(tag.isHeld(by: request.headers))
        }
    }

    @Test("Every bit of every byte counts, and so does the length")
    func everyBit() {
        let bytes = [UInt8](repeating: 0x61, count: 37)
        var tags: Set = [EntityTag(weaklyOf: bytes), EntityTag(weaklyOf: []), EntityTag(weaklyOf: bytes + [0])]
        for place in bytes.indices {
            for bit in 0..<8 {
                var other = bytes
                other[place] ^= 1 << bit
                tags.insert(EntityTag(weaklyOf: other))
            }
        }
        #expect(tags.count == 3 + 37 * 8)
        #expect(tags.allSatisfy { $0.field.utf8.count == 15 && $0.field.hasPrefix("W/\"") && $0.field.hasSuffix("\"") })
    }
}
