import Models
import Testing

@Suite struct JSONNumberTests {
    private static func number(_ text: String) throws -> JSONNumber {
        guard case .number(let number) = try JSONValue.parse(Array(text.utf8)) else {
            throw JSONError(.unexpectedByte, at: 0)
        }
        return number
    }

    @Test(
        "A whole value is an integer however it is written, and nothing else is",
        arguments: [
            ("0", 0), ("-0", 0), ("0.0", 0), ("0e999999999999", 0), ("120", 120), ("120.0", 120), ("1.2e2", 120),
            ("12000e-2", 120), ("-120.000", -120), ("1764460800000", 1_764_460_800_000),
            ("9223372036854775807", Int64.max), ("-9223372036854775808", Int64.min),
            ("9223372036854775807.000000000000000000000", Int64.max), ("92233720368547758070e-1", Int64.max),
            ("9223372036854775808", nil), ("-9223372036854775809", nil), ("18446744073709551616", nil),
            ("1.5", nil), ("-0.5", nil), ("1e-1", nil), ("1e400", nil), ("1e-400", nil), ("1e19", nil),
            ("1e18", 1_000_000_000_000_000_000), ("1e99999999999999999999", nil), ("1e-99999999999999999999", nil),
            ("1.0000000000000000000000000000001", nil), ("1.0000000000000000000000000000000", 1),
            ("1000000000000000000000000000000e-30", 1), ("0.000000000000000000000000000001e30", 1),
            ("123456789012345678901234567890", nil),
        ] as [(String, Int64?)])
    func integers(text: String, expected: Int64?) throws { #expect(try Self.number(text).exactInteger == expected) }

    @Test(
        "Metres become millimetres by exact decimal rounding, ties away from zero",
        arguments: [
            ("0.1", 100), ("87.5", 87_500), ("0.0005", 1), ("-0.0005", -1), ("0.00049999999999999999999999", 0),
            ("0.00050000000000000000000001", 1), ("0.0015", 2), ("0.0025", 3), ("2.0005", 2001), ("1e400", nil),
            ("1e-400", 0), ("-1e-400", 0), ("-0", 0), ("1e3", 1_000_000), ("500000", 500_000_000),
            ("4999.9994999999999999999999", 4_999_999), ("4999.9995", 5_000_000),
            ("9223372036854775.807", Int64.max), ("9223372036854775.8074", Int64.max), ("9223372036854775.8075", nil),
            ("-9223372036854775.808", Int64.min), ("-9223372036854775.8085", nil), ("9223372036854776", nil),
            ("1.234567890123456789012345678901234567890", 1235), ("1e-3", 1), ("5e-4", 1), ("4e-4", 0), ("5e-5", 0),
            ("1234567890123456.78949", 1_234_567_890_123_456_789), ("1234567890123456.7895", 1_234_567_890_123_456_790),
            ("1234567890123456.7894999999", 1_234_567_890_123_456_789),
        ] as [(String, Int64?)])
    func thousandths(text: String, expected: Int64?) throws { #expect(try Self.number(text).thousandths() == expected) }

    @Test("A thousand times a tenth of a metre is a hundred metres")
    func sum() throws {
        let tenth = try #require(try Self.number("0.1").thousandths())
        #expect((0..<1000).reduce(0) { sum, _ in sum + tenth } == 100_000)
    }

    @Test("A hundred thousand digits are read, and their exponent is made up for")
    func manyDigits() throws {
        let zeros = String(repeating: "0", count: 100_000)
        #expect(try Self.number("0.\(zeros)15e100002").exactInteger == 15)
        #expect(try Self.number("15\(zeros)e-100000").exactInteger == 15)
        #expect(try Self.number(String(repeating: "9", count: 100_000)).exactInteger == nil)
    }

    @Test(
        "A limit is compared with the exact value, not the rounded one",
        arguments: [
            ("500000", false), ("500000.0", false), ("500000.0000000000000000000000001", true),
            ("499999.9999999", false),
            ("500001", true), ("99999999999999999999.5", true), ("12345678901234567890123", true), ("1e400", true),
            ("-1e400", false), ("0", false), ("1e-400", false), ("-600000", false),
        ])
    func limits(text: String, exceeds: Bool) throws { #expect(try Self.number(text).exceeds(500_000) == exceeds) }

    @Test("Minus zero is not negative, anything below is")
    func negative() throws {
        #expect(try !Self.number("-0").isNegative)
        #expect(try !Self.number("-0.0e5").isNegative)
        #expect(try Self.number("-1e-400").isNegative)
        #expect(try !Self.number("1").isNegative)
    }

    @Test("Numbers are equal when their values are")
    func equality() throws {
        #expect(try Self.number("87.50") == Self.number("8.75e1"))
        #expect(try Self.number("0") == Self.number("-0e7"))
        #expect(try Self.number("1") != Self.number("-1"))
        #expect(try Self.number("1") != Self.number("10"))
    }
}
