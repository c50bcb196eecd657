import Models
import Testing

@Suite struct JSONWriterTests {
    private static func text(_ write: (inout JSONWriter) -> Void) -> String {
        var writer = JSONWriter()
        write(&writer)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    @Test("Commas stand between values and members, and nowhere else")
    func structure() {
        let text = Self.text { writer in
            writer.beginObject()
            writer.name("a")
            writer.beginArray()
            writer.integer(1)
            writer.beginObject()
            writer.endObject()
            writer.null()
            writer.beginArray()
            writer.endArray()
            writer.endArray()
            writer.member("b", true)
            writer.member("c", "x")
            writer.nullMember("d")
            writer.member("e", Day(number: 0))
            writer.member("f", Timestamp(milliseconds: -5))
            writer.name("g")
            writer.raw(Array("[0]".utf8))
            writer.bool(false)
            writer.endObject()
        }
        #expect(
            text == #"{"a":[1,{},null,[]],"b":true,"c":"x","d":null,"e":"1970-01-01","f":-5,"g":[0],false}"#)
    }

    @Test(
        "Distances are metres with up to three decimals and no exponent",
        arguments: [
            (87_500, "87.5"), (5_000_000, "5000"), (0, "0"), (1, "0.001"), (10, "0.01"), (100, "0.1"), (1050, "1.05"),
            (999, "0.999"), (-1, "-0.001"), (-87_500, "-87.5"), (1_000_000_000_000_000, "1000000000000"),
            (Int64.max, "9223372036854775.807"), (Int64.min, "-9223372036854775.808"),
        ] as [(Int64, String)])
    func metres(millimetres: Int64, expected: String) throws {
        let text = Self.text { $0.metres(Millimetres(millimetres)) }
        #expect(text == expected)
        let value = try JSONValue.parse(Array(text.utf8))
        guard case .number(let number) = value else {
            Issue.record("no number: \(text)")
            return
        }
        #expect(number.thousandths() == millimetres)
    }

    @Test("Integers are written in full", arguments: [0, -1, 10, 918_273, Int64.max, Int64.min])
    func integers(value: Int64) { #expect(Self.text { $0.integer(value) } == "\(value)") }

    @Test(
        "A day is written as it describes itself", arguments: [-719_528, -719_529, -1, 0, 20_422, 2_932_896, 2_932_897])
    func days(number: Int32) {
        let day = Day(number: number)
        #expect(Self.text { $0.day(day) } == "\"\(day)\"")
        #expect(day.description.utf8.count > 10 || Day(parsing: day.description) == day)
    }

    @Test("Bytes are a text if they are UTF-8, and nothing else")
    func checkedText() {
        for text in ["", "Europe/Berlin", "é😀", "\u{0}"] { #expect(String(checking: Array(text.utf8)[...]) == text) }
        for bytes: [UInt8] in [[0xFF], [0x41, 0xC3], [0xED, 0xA0, 0x80]] {
            #expect(String(checking: bytes[...]) == nil)
        }
    }

    @Test("Strings escape quotes, backslashes and control characters, and leave the rest")
    func escapes() {
        #expect(
            Self.text { $0.string("a\"b\\c/\n\r\t\u{8}\u{0}\u{1F}\u{7F}é😀") } == #""a\"b\\c/\n\r\t\u0008\u0000\u001f"#
                + "\u{7F}é😀\"")
    }

    @Test("Any text comes back as it went in")
    func roundTrip() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<500 {
            var text = ""
            for _ in 0..<Int.random(in: 0...20, using: &generator) {
                let wide = Bool.random(using: &generator)
                let value = UInt32.random(in: 0...(wide ? 0x10FFFF : 0x7F), using: &generator)
                if let scalar = Unicode.Scalar(value) { text.unicodeScalars.append(scalar) }
            }
            #expect(try JSONValue.parse(Array(Self.text { $0.string(text) }.utf8)) == .string(text))
        }
    }
}
