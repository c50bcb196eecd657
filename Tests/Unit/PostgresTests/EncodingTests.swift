import Testing

@testable import Postgres

@Suite struct EncodingTests {
    @Test(
        "Scalars travel as PostgreSQL's binary form",
        arguments: [
            (PostgresValue.int4(1), "00000001"), (.int4(-2), "fffffffe"), (.int4(.max), "7fffffff"),
            (.int8(1), "0000000000000001"), (.int8(.min), "8000000000000000"),
            (.bool(true), "01"), (.bool(false), "00"),
            (.text("aé"), "61c3a9"), (.text(""), ""),
            (.bytea([0, 255]), "00ff"),
            (
                .uuid(PostgresUUID(high: 0x0011_2233_4455_6677, low: 0x8899_AABB_CCDD_EEFF)),
                "00112233445566778899aabbccddeeff"
            ),
            // 2000-01-01 is PostgreSQL's day 0 and day 10957 of 1970.
            (.date(PostgresDate(daysSince1970: 10_957)), "00000000"),
            (.date(PostgresDate(daysSince1970: 0)), "ffffd533"),
            (.date(PostgresDate(daysSince1970: 10_958)), "00000001"),
        ])
    func scalars(value: PostgresValue, hex: String) {
        var bytes: [UInt8] = []
        #expect(value.encode(to: &bytes) == true)
        #expect(bytes.hex == hex)
    }

    @Test("Null has a type and no bytes")
    func null() {
        var bytes: [UInt8] = []
        #expect(!PostgresValue.null(.int8).encode(to: &bytes) && bytes.isEmpty)
        #expect(PostgresValue.int8(nil) == .null(.int8))
        #expect(PostgresValue.text(nil as String?) == .null(.text))
        #expect(PostgresValue.int8(5 as Int64?) == .int8(5))
        #expect(PostgresValue.null.type == .inferred)
    }

    @Test(
        "Arrays have dimensions, null flag, element type, length, lower bound and elements",
        arguments: [
            (
                PostgresValue.array(of: [1, nil, -2] as [Int64?]),
                "00000001" + "00000001" + "00000014" + "00000003" + "00000001"
                    + "00000008" + "0000000000000001" + "ffffffff" + "00000008" + "fffffffffffffffe"
            ),
            (.array(of: [] as [Int64]), "00000000" + "00000000" + "00000014"),
            (
                .array(of: [7] as [Int16]),
                "00000001" + "00000000" + "00000015" + "00000001" + "00000001" + "000000020007"
            ),
            (
                .array(of: [7] as [Int32]),
                "00000001" + "00000000" + "00000017" + "00000001" + "00000001" + "00000004" + "00000007"
            ),
            (
                .array(of: ["ab", ""]),
                "00000001" + "00000000" + "00000019" + "00000002" + "00000001" + "00000002" + "6162" + "00000000"
            ),
            (
                .array(of: [true, nil] as [Bool?]),
                "00000001" + "00000001" + "00000010" + "00000002" + "00000001" + "00000001" + "01" + "ffffffff"
            ),
            (
                .array(of: [PostgresDate(daysSince1970: 10_958)]),
                "00000001" + "00000000" + "0000043a" + "00000001" + "00000001" + "00000004" + "00000001"
            ),
            (
                .array(of: [PostgresUUID(high: 1, low: 2)]),
                "00000001" + "00000000" + "00000b86" + "00000001" + "00000001" + "00000010"
                    + "00000000000000010000000000000002"
            ),
        ])
    func arrays(value: PostgresValue, hex: String) {
        var bytes: [UInt8] = []
        #expect(value.encode(to: &bytes) == true)
        #expect(bytes.hex == hex)
        if case .array(let array) = value { #expect(array.encodedCount == bytes.count) }
    }

    @Test("An array grows beyond the capacity it was made with, and equality looks at what travels")
    func growth() {
        var grown = PostgresArray(of: .text, capacity: 0)
        var roomy = PostgresArray(of: .text, capacity: 1000)
        for index in 0..<300 {
            let text = String(repeating: "x", count: index)
            grown.append(text)
            roomy.append(text)
        }
        #expect(grown == roomy)
        // 20 bytes of header, 4 in front of each of 300 texts, and 0 + 1 + … + 299 = 44850 bytes of text.
        #expect(grown.encodedCount == 20 + 1200 + 44_850)
        var bytes: [UInt8] = []
        _ = PostgresValue.array(grown).encode(to: &bytes)
        #expect(bytes.count == grown.encodedCount && bytes.suffix(299).allSatisfy { $0 == UInt8(ascii: "x") })
        roomy.appendNull()
        #expect(grown != roomy)
    }

    @Test("A day beyond the calendar becomes one that the server refuses, never an infinity")
    func farDays() {
        #expect(PostgresDate(daysSince1970: .min).wireValue == Int32.min + 1)
        #expect(PostgresDate(daysSince1970: .min + 10_957).wireValue == Int32.min + 1)
        #expect(PostgresDate(daysSince1970: .max).wireValue == Int32.max - 10_957)
        #expect(PostgresDate(wireValue: .max) == nil)
        #expect(PostgresDate(wireValue: .min) == nil)
        #expect(PostgresDate(wireValue: .max - 1) == nil)
        #expect(PostgresDate(wireValue: -10_957)?.daysSince1970 == 0)
    }

    @Test("A received array is read back, and cut at any offset it is refused")
    func truncation() {
        var bytes: [UInt8] = []
        _ = PostgresValue.array(of: [1, 2, 3] as [Int64]).encode(to: &bytes)
        #expect(read(bytes) == [1, 2, 3])
        for length in 0..<bytes.count { #expect(read(Array(bytes[..<length])) == nil, "cut at \(length)") }
        #expect(read(bytes + [0]) == nil)
        var empty: [UInt8] = []
        _ = PostgresValue.array(of: [] as [Int64]).encode(to: &empty)
        #expect(read(empty) == [])
    }

    @Test("Nulls, another element type, two dimensions and impossible counts are refused")
    func malformedArrays() {
        var nulls: [UInt8] = []
        _ = PostgresValue.array(of: [1, nil] as [Int64?]).encode(to: &nulls)
        #expect(read(nulls) == nil)
        var other: [UInt8] = []
        _ = PostgresValue.array(of: [1] as [Int32]).encode(to: &other)
        #expect(read(other) == nil)
        let head = "00000001" + "00000000" + "00000014"
        #expect(read(hex: "00000002" + "00000000" + "00000014" + "00000001" + "00000001" + "00000001") == nil)
        #expect(read(hex: head + "7fffffff" + "00000001") == nil)
        #expect(read(hex: head + "ffffffff" + "00000001") == nil)
        #expect(read(hex: head + "00000001" + "00000001" + "80000000") == nil)
        #expect(read(hex: head + "00000001" + "00000001" + "00000004" + "00000001") == nil)
    }

    @Test("Ten thousand seeded corruptions of an array never trap")
    func fuzz() {
        var bytes: [UInt8] = []
        _ = PostgresValue.array(of: [1, 2, 3, 4] as [Int64]).encode(to: &bytes)
        var random = SplitMix(state: 15)
        var refused = 0
        for _ in 0..<10_000 {
            var broken = bytes
            for _ in 0...(random.next() % 3) {
                broken[Int(random.next() % UInt64(broken.count))] = UInt8(truncatingIfNeeded: random.next())
            }
            if read(broken) == nil { refused += 1 }
        }
        #expect(refused > 1_000 && refused < 10_000)
    }

    private func read(_ bytes: [UInt8]) -> [Int64]? {
        bytes.withUnsafeBytes { PostgresResult.elements(of: $0, type: 20) { $0.bigEndian() } }
    }

    private func read(hex: String) -> [Int64]? {
        var bytes: [UInt8] = []
        var rest = hex[...]
        while let byte = UInt8(rest.prefix(2), radix: 16) {
            bytes.append(byte)
            rest = rest.dropFirst(2)
        }
        return read(bytes)
    }
}

extension [UInt8] {
    fileprivate var hex: String {
        map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }
}

/// A small seeded generator, so that a failure can be repeated.
struct SplitMix: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}
