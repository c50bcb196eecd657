import Redis
import Testing

@Suite("Random bytes never break the reader")
struct RESPFuzzTests {
    @Test("random replies in random pieces come back equal", arguments: UInt64(1)...20)
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let values = (0..<200).map { _ in Self.value(depth: 0, &generator) }
        var stream = values.flatMap { RESPText.bytes($0) }[...]
        var pieces: [[UInt8]] = []
        while !stream.isEmpty {
            let count = min(stream.count, Int.random(in: 1...6000, using: &generator))
            pieces.append(Array(stream.prefix(count)))
            stream = stream.dropFirst(count)
        }
        #expect(try readAll(pieces) == values)
    }

    @Test("damaged streams end in replies or a typed error", arguments: UInt64(1)...20)
    func damaged(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var outcomes = (replies: 0, errors: 0)
        for _ in 0..<300 {
            var bytes = (0..<5).flatMap { _ in RESPText.bytes(Self.value(depth: 0, &generator)) }
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.insert(UInt8.random(in: 0x2A...0x3A, using: &generator), at: place)
                default: bytes.remove(at: place)
                }
            }
            let reader = try RESPReader()
            do throws(RESPError) {
                try reader.read(bytes.span) { _ in outcomes.replies += 1 }
            } catch {
                outcomes.errors += 1
            }
        }
        #expect(outcomes.replies > 0 && outcomes.errors > 0)
    }

    @Test("what is read in place and what hiredis reads byte by byte are the same", arguments: UInt64(1)...20)
    func readers(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        var errors = 0
        for _ in 0..<200 {
            var bytes = (0..<4).flatMap { _ in RESPText.bytes(Self.value(depth: 0, &generator)) }
            for _ in 0..<Int.random(in: 0...2, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                // Digits and types, which is where two opinions could differ.
                bytes[place] = Array("0123456789-+:$*\r\n".utf8).randomElement(using: &generator) ?? 0
            }
            let (whole, pieces) = (try Self.outcome([bytes]), try Self.outcome(bytes.map { [$0] }))
            #expect(whole.replies == pieces.replies && whole.error == pieces.error)
            if whole.error != nil { errors += 1 }
        }
        #expect(errors > 0)
    }

    @Test(
        "spellings of numbers that hiredis refuses are not read in place either",
        arguments: [":-0", ":007", "$-2", "$03\r\nabc", "*-0", "*01\r\n:1", ":", ":1x", ":99999999999999999999"])
    func spellings(text: String) throws {
        let bytes = Array("\(text)\r\n".utf8)
        let (whole, pieces) = (try Self.outcome([bytes]), try Self.outcome(bytes.map { [$0] }))
        #expect(whole.replies == pieces.replies && whole.error == pieces.error)
    }

    private static func outcome(_ pieces: [[UInt8]]) throws -> (replies: [RESPValue], error: RESPError?) {
        let reader = try RESPReader()
        var replies: [RESPValue] = []
        do throws(RESPError) {
            for piece in pieces { try reader.read(piece.span) { replies.append($0) } }
        } catch {
            return (replies, error)
        }
        return (replies, nil)
    }

    static func value(depth: Int, _ generator: inout SeededGenerator) -> RESPValue {
        switch Int.random(in: 0..<(depth < 5 ? 8 : 6), using: &generator) {
        case 0: .null
        case 1: .integer(Int64.random(in: .min ... .max, using: &generator))
        case 2: .simple(Array("S\(Int.random(in: 0...99, using: &generator))".utf8))
        case 3: RESPText.error("ERR \(Int.random(in: 0...99, using: &generator))")
        case 4, 5:
            .bulk(
                ArraySlice(
                    (0..<Int.random(in: 0...300, using: &generator)).map { _ in
                        UInt8.random(in: 0...255, using: &generator)
                    }))
        default: .array((0..<Int.random(in: 0...5, using: &generator)).map { _ in value(depth: depth + 1, &generator) })
        }
    }
}
