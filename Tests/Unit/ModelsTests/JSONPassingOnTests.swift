import Models
import Testing

/// Values that are passed on as they were read.
struct JSONPassingOnTests {
    @Test(
        "what is written again is what was read",
        arguments: [
            "null", "true", "[]", "{}", "0", "-7", "1764500000000", "18446744073709551", "0.5", "-0.001", "87.5",
            "0.6666666666666666", #"{"a":[1,{"b":"\u0001ä\"\\"}],"c":-2.25}"#,
        ]) func same(text: String) throws
    {
        var writer = JSONWriter()
        writer.value(try JSONValue.parse(Array(text.utf8)))
        #expect(String(decoding: writer.bytes, as: UTF8.self) == text)
    }

    @Test(
        "numbers that are written otherwise keep their value",
        arguments: [
            ("1.50", "1.50"), ("1E3", "1e3"), ("-1.5e-30", "-15e-31"), ("1e-2", "0.01"), ("12e-1", "1.2"),
            ("9999999999999999999", "9999999999999999999"), ("-0", "-0"),
        ]) func number(text: String, written: String) throws
    {
        var writer = JSONWriter()
        writer.value(try JSONValue.parse(Array(text.utf8)))
        #expect(String(decoding: writer.bytes, as: UTF8.self) == written)
    }
}
