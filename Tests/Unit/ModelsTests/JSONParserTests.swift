import Models
import Testing

@Suite struct JSONParserTests {
    private static func error(_ text: String) -> JSONError? { error(Array(text.utf8)) }

    private static func error(_ bytes: [UInt8]) -> JSONError? {
        do throws(JSONError) {
            _ = try JSONValue.parse(bytes)
            return nil
        } catch {
            return error
        }
    }

    @Test("Every kind of value is read, with white space anywhere between")
    func values() throws {
        let text = " \t\r\n{ \"a\" : [ 1 , -2.5e+1, true,false , null ] ,\"b\":{},\"\":\"x\", \"d\":[] }\n"
        #expect(
            try JSONValue.parse(Array(text.utf8))
                == .object([
                    JSONMember(
                        "a",
                        .array([.number(JSONNumber(1)), .number(JSONNumber(-25)), .bool(true), .bool(false), .null])),
                    JSONMember("b", .object([])),
                    JSONMember("", .string("x")),
                    JSONMember("d", .array([])),
                ]))
        #expect(try JSONValue.parse(Array("7".utf8)) == .number(JSONNumber(7)))
    }

    @Test(
        "Strings keep what was sent",
        arguments: [
            (#""plain""#, "plain"),
            (#""""#, ""),
            (#""\"\\\/\b\f\n\r\t""#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#""\u0041\u00e9\u20AC""#, "Aé€"),
            (#""\ud83d\ude00!""#, "😀!"),
            (#""\uDBFF\uDFFF""#, "\u{10FFFF}"),
            (#""a\u0000b""#, "a\u{0}b"),
            ("\"Zürich 😀 \u{7F}\"", "Zürich 😀 \u{7F}"),
            (#""\\u0041""#, #"\u0041"#),
            (#""ends in a backslash\\""#, #"ends in a backslash\"#),
        ])
    func strings(json: String, text: String) throws {
        #expect(try JSONValue.parse(Array(json.utf8)) == .string(text))
    }

    @Test(
        "Faults are named with the byte where they stand",
        arguments: [
            ("", JSONError(.empty, at: 0)),
            (" \n", JSONError(.empty, at: 0)),
            ("\u{FEFF}{}", JSONError(.byteOrderMark, at: 0)),
            ("{} {}", JSONError(.trailingBytes, at: 3)),
            ("1 2", JSONError(.trailingBytes, at: 2)),
            ("[1,]", JSONError(.unexpectedByte, at: 3)),
            ("[,1]", JSONError(.unexpectedByte, at: 1)),
            ("[1 2]", JSONError(.unexpectedByte, at: 3)),
            ("[1", JSONError(.unexpectedEnd, at: 2)),
            ("{\"a\":1,}", JSONError(.unexpectedByte, at: 7)),
            ("{\"a\" 1}", JSONError(.unexpectedByte, at: 5)),
            ("{a:1}", JSONError(.unexpectedByte, at: 1)),
            ("{1:1}", JSONError(.unexpectedByte, at: 1)),
            ("{\"a\":1]", JSONError(.unexpectedByte, at: 6)),
            ("[1}", JSONError(.unexpectedByte, at: 2)),
            ("{\"a\":1,\"b\":2,\"a\":3}", JSONError(.duplicateName, at: 13)),
            ("{\"a\":1,\"\\u0061\":3}", JSONError(.duplicateName, at: 7)),
            ("'a'", JSONError(.unexpectedByte, at: 0)),
            ("tru", JSONError(.unexpectedEnd, at: 3)),
            ("trUe", JSONError(.unexpectedByte, at: 2)),
            ("nul1", JSONError(.unexpectedByte, at: 3)),
            ("truetrue", JSONError(.trailingBytes, at: 4)),
            ("NaN", JSONError(.notFinite, at: 0)),
            ("Infinity", JSONError(.notFinite, at: 0)),
            ("[-Infinity]", JSONError(.notFinite, at: 2)),
            ("// a", JSONError(.unexpectedByte, at: 0)),
            ("[1]\u{0}", JSONError(.trailingBytes, at: 3)),
            ("01", JSONError(.leadingZero, at: 0)),
            ("-00", JSONError(.leadingZero, at: 1)),
            ("+1", JSONError(.unexpectedByte, at: 0)),
            (".5", JSONError(.unexpectedByte, at: 0)),
            ("-", JSONError(.unexpectedEnd, at: 1)),
            ("-a", JSONError(.malformedNumber, at: 1)),
            ("1.", JSONError(.unexpectedEnd, at: 2)),
            ("1.e1", JSONError(.malformedNumber, at: 2)),
            ("1e", JSONError(.unexpectedEnd, at: 2)),
            ("1e+", JSONError(.unexpectedEnd, at: 3)),
            ("1e+-1", JSONError(.malformedNumber, at: 3)),
            ("0x10", JSONError(.trailingBytes, at: 1)),
            ("1_000", JSONError(.trailingBytes, at: 1)),
            ("\"abc", JSONError(.unexpectedEnd, at: 4)),
            ("\"abc\\", JSONError(.unexpectedEnd, at: 5)),
            ("\"abc\\\"", JSONError(.unexpectedEnd, at: 6)),
            ("\"a\nb\"", JSONError(.controlCharacter, at: 2)),
            ("\"a\u{0}b\"", JSONError(.controlCharacter, at: 2)),
            ("\"a\\x\"", JSONError(.invalidEscape, at: 2)),
            ("\"\\u12\"", JSONError(.invalidEscape, at: 1)),
            ("\"\\u12G4\"", JSONError(.invalidEscape, at: 1)),
            ("\"\\U0041\"", JSONError(.invalidEscape, at: 1)),
            ("\"\\\n\"", JSONError(.invalidEscape, at: 1)),
            ("\"\\ud800\"", JSONError(.loneSurrogate, at: 1)),
            ("\"\\udc00\"", JSONError(.loneSurrogate, at: 1)),
            ("\"\\ud800\\ud800\"", JSONError(.loneSurrogate, at: 1)),
            ("\"\\ud800\\u0041\"", JSONError(.loneSurrogate, at: 1)),
            ("\"\\ud800xxxxxx\"", JSONError(.loneSurrogate, at: 1)),
            ("\"ab\\udc00\\ud800\"", JSONError(.loneSurrogate, at: 3)),
        ])
    func faults(json: String, expected: JSONError) { #expect(Self.error(json) == expected) }

    @Test(
        "Bytes that are not UTF-8 are refused where they stand",
        arguments: [
            [0xFF], [0xC0, 0x80], [0xC3], [0x80], [0xED, 0xA0, 0x80], [0xF4, 0x90, 0x80, 0x80], [0xE2, 0x82],
            [0xF8, 0x88, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func invalidUTF8(bad: [UInt8]) {
        #expect(Self.error(Array("{\"ab".utf8) + bad + Array("\":1}".utf8)) == JSONError(.invalidUTF8, at: 4))
        #expect(Self.error(Array("\"\\n".utf8) + bad + Array("\"".utf8)) == JSONError(.invalidUTF8, at: 3))
        #expect(Self.error(bad) == JSONError(.unexpectedByte, at: 0))
    }

    @Test("Nesting is allowed up to the limit and not beyond, however far the document goes")
    func depth() throws {
        func nested(_ depth: Int) -> [UInt8] {
            Array((String(repeating: "[", count: depth) + String(repeating: "]", count: depth)).utf8)
        }
        #expect(Self.error(nested(32)) == nil)
        #expect(Self.error(nested(33)) == JSONError(.tooDeep, at: 32))
        #expect(Self.error(String(repeating: "[", count: 1_000_000)) == JSONError(.tooDeep, at: 32))
        #expect(Self.error(String(repeating: "{\"a\":", count: 100_000)) == JSONError(.tooDeep, at: 160))
        #expect(Self.error("[" + String(repeating: "[],", count: 100) + "[]]") == nil)
        #expect(throws: JSONError(.tooDeep, at: 0)) { try JSONValue.parse(Array("[]".utf8), maximumDepth: 0) }
        #expect(throws: JSONError(.tooDeep, at: 512)) { try JSONValue.parse(nested(100_000), maximumDepth: .max) }
    }

    @Test("A name that comes twice is found in small and in large objects, and similar names are not confused")
    func duplicates() {
        for count in [2, 15, 16, 17, 18, 40, 30_000] {
            let members = (0..<count).map { "\"n\($0)\":0" }
            #expect(Self.error("{" + members.joined(separator: ",") + "}") == nil)
            for index in [0, 1, count / 2, count - 1] {
                let twice = members + ["\"n\(index)\":1"]
                #expect(Self.error("{" + twice.joined(separator: ",") + "}")?.kind == .duplicateName)
            }
        }
        // The same letter in two Unicode forms, and the Kelvin sign: other bytes, other names.
        #expect(Self.error("{\"\u{E9}\":1,\"e\u{301}\":2,\"K\":3,\"\u{212A}\":4}") == nil)
    }

    @Test("A member is found by its exact bytes only")
    func lookup() throws {
        let value = try JSONValue.parse(Array("{\"\u{212A}\":1,\"b\":2}".utf8))
        #expect(value[member: "b"] == .number(JSONNumber(2)))
        #expect(value[member: "K"] == nil)
        #expect(JSONValue.array([])[member: "b"] == nil)
    }

    @Test("A document cut off anywhere is an error, and so are thousands of spoilt ones or else they parse; none traps")
    func truncationAndFuzz() throws {
        let text = #"{"a":[1,-2.5e-3,"x\u00e9\ud83d\ude00",true,false,null],"é":{"b":{}},"c":"87.5"}"#
        let bytes = Array(text.utf8)
        #expect(Self.error(bytes) == nil)
        for length in bytes.indices {
            let fault = try #require(Self.error(Array(bytes[..<length])), "cut at \(length)")
            #expect(fault.offset <= length)
        }
        var generator = SeededGenerator(seed: 1)
        var (parsed, refused) = (0, 0)
        for _ in 0..<20_000 {
            let mutant = generator.mutated(bytes)
            if let fault = Self.error(mutant) {
                refused += 1
                #expect((0...mutant.count).contains(fault.offset) && !fault.description.isEmpty)
            } else {
                parsed += 1
            }
        }
        #expect(parsed > 500 && refused > 5000)
    }

    @Test("The description says what is wrong in words and where")
    func description() {
        #expect(JSONError(.leadingZero, at: 7).description.hasSuffix("superfluous zero (byte 7)"))
    }
}
