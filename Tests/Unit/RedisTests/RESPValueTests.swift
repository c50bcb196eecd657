import Redis
import Testing

@Suite("Replies are looked into safely")
struct RESPValueTests {
    @Test("a number is an integer or its decimal text, nothing else")
    func numbers() {
        #expect(RESPValue.integer(-3).number == -3)
        #expect(RESPText.bulk("9223372036854775807").number == .max)
        #expect(RESPText.bulk("-9223372036854775808").number == .min)
        #expect(RESPText.bulk("+5").number == 5)
        for text in ["", "-", "--1", " 1", "1e3", "0x1", "9223372036854775808", "-9223372036854775809", "1.5"] {
            #expect(RESPText.bulk(text).number == nil)
        }
        #expect(RESPValue.null.number == nil)
        #expect(RESPValue.array([.integer(1)]).number == nil)
        #expect(RESPText.error("1").number == nil)
    }

    @Test("text is valid UTF-8 or nothing")
    func text() {
        #expect(RESPText.bulk("Grüße").text == "Grüße")
        #expect(RESPValue.bulk([0xC3]).text == nil)
        #expect(RESPValue.bulk([0xC3]).bytes == [0xC3])
        #expect(RESPValue.integer(1).text == nil)
    }

    @Test("an accessor of another kind gives nil")
    func kinds() {
        #expect(RESPValue.simple(Array("OK".utf8)).isOK)
        #expect(!RESPText.bulk("OK").isOK)
        #expect(RESPValue.null.isNull)
        #expect(RESPValue.array([]).elements == [])
        #expect(RESPValue.null.elements == nil)
        #expect(RESPText.error("OOM x").error?.kind == .oom)
        #expect(RESPValue.null.error == nil)
    }
}
