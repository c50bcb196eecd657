import Redis
import Testing

@Suite("A reply takes no more than its limits")
struct RESPLimitsTests {
    @Test("seven arrays in each other are read, eight are not")
    func nesting() throws {
        var value = RESPValue.integer(1)
        for _ in 0..<7 { value = .array([value]) }
        #expect(try readAll([RESPText.bytes(value)]) == [value])
        #expect(throws: RESPError.tooDeep) { try readAll([RESPText.bytes(.array([value]))]) }
        #expect(throws: RESPError.tooDeep) { try readAll(String(repeating: "*1\r\n", count: 500)) }
    }

    @Test("an array may announce 1 048 576 elements and not one more, before any memory is taken for them")
    func elements() throws {
        #expect(try readAll("*1048576\r\n") == [])
        #expect(throws: RESPError.arrayTooLong) { try readAll("*1048577\r\n") }
        #expect(throws: RESPError.arrayTooLong) { try readAll("*2147483647\r\n") }
    }

    @Test("one reply over its bytes is refused, many small ones in the same stream are not")
    func replyBytes() throws {
        var limits = RESPLimits()
        limits.replyBytes = 10_000
        let fits = RESPValue.bulk(ArraySlice(repeating: 0x61, count: 9_000))
        let many = (0..<20).flatMap { _ in RESPText.bytes(fits) }
        #expect(try readAll([many], limits: limits).count == 20)
        let large = RESPText.bytes(.bulk(ArraySlice(repeating: 0x61, count: 15_000)))
        #expect(throws: RESPError.replyTooLarge) { try readAll([large], limits: limits) }
        let array = RESPText.bytes(.array([fits, fits]))
        #expect(throws: RESPError.replyTooLarge) { try readAll([array], limits: limits) }
    }

    @Test("a string of 64 MiB that never comes to its end is cut off")
    func unboundedString() throws {
        let reader = try RESPReader()
        let head = Array("$9000000000\r\n".utf8)
        try reader.read(head.span) { _ in }
        let piece = [UInt8](repeating: 0x61, count: 1 << 20)
        var fed = 0
        #expect(throws: RESPError.replyTooLarge) {
            while fed < 80 {
                try reader.read(piece.span) { _ in }
                fed += 1
            }
        }
        #expect(fed == 63)
    }

    @Test("a line without an end is cut off at 64 KiB", arguments: ["+", "-", ":", "*", "$", "$1\r\na\r\n+"])
    func endlessLine(start: String) {
        let bytes = Array(start.utf8) + [UInt8](repeating: 0x31, count: 200_000)
        #expect(throws: RESPError.lineTooLong) { try readAll([bytes]) }
    }

    @Test("a long string is no long line")
    func longString() throws {
        let value = RESPValue.array([.bulk(ArraySlice(repeating: 0x61, count: 300_000)), .integer(1)])
        #expect(try readAll([RESPText.bytes(value)]) == [value])
    }
}
