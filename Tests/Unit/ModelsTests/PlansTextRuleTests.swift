import Models
import Testing

@Suite struct PlansTextRuleTests {
    @Test(
        "Texts of 1 to 100 scalars are accepted; white space at the ends does not count",
        arguments: [
            "a", " a ", "10 000 steps", "\u{3000}a\u{2028}", String(repeating: "x", count: 100),
            String(repeating: " ", count: 300) + String(repeating: "x", count: 100) + "   ",
            String(repeating: "👟", count: 100), "a" + String(repeating: " ", count: 98) + "b", "\u{200B}", "مرحبا",
        ])
    func accepted(_ text: String) { #expect(TextRule.accepts(text)) }

    @Test(
        "Empty, blank, too long texts and texts with a control character are refused",
        arguments: [
            "", " ", "\u{A0}\u{2003}", String(repeating: "x", count: 101),
            "a" + String(repeating: " ", count: 99) + "b",
            String(repeating: "e\u{301}", count: 51), "a\n", "\ta", "a\0b", "a\u{7F}", "a\u{85}", "\u{9F}",
        ])
    func refused(_ text: String) { #expect(!TextRule.accepts(text)) }

    @Test("The bound can be another")
    func bound() {
        #expect(TextRule.accepts(String(repeating: "x", count: 2000), upTo: 2000))
        #expect(!TextRule.accepts(String(repeating: "x", count: 2001), upTo: 2000))
    }
}
