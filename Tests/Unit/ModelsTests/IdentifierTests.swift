import Models
import Testing

@Suite struct IdentifierTests {
    @Test("A UUID of either case is read into its bytes and written in lowercase")
    func parsing() throws {
        let value = try #require(UUIDValue(parsing: "7B0F1c1e-4b0C-4b5e-9a3e-0f3b1c2d4e5F"))
        #expect(value == UUIDValue(high: 0x7b0f_1c1e_4b0c_4b5e, low: 0x9a3e_0f3b_1c2d_4e5f))
        #expect(value.description == "7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f")
        #expect(RequestID(value).description == value.description && UserID(value).description == value.description)
        #expect(UUIDValue(high: 0, low: 0).description == "00000000-0000-0000-0000-000000000000")
    }

    @Test(
        "Anything but 8-4-4-4-12 hexadecimal digits is refused",
        arguments: [
            "", "7b0f1c1e", "7b0f1c1e4b0c4b5e9a3e0f3b1c2d4e5f", "{7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f}",
            "7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5", "7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f0",
            "7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5g", "7b0f1c1e-4b0c-4b5e-9a3e00f3b1c2d4e5f",
            "7b0f1c1-e4b0c-4b5e-9a3e-0f3b1c2d4e5f", " b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f",
            "+b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f", "7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e\u{E9}",
            "７b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e",
        ])
    func refused(text: String) { #expect(UUIDValue(parsing: text) == nil) }

    @Test("UUIDs are ordered as unsigned bytes")
    func order() {
        let sorted = [
            UUIDValue(high: 0, low: 1), UUIDValue(high: 0, low: .max), UUIDValue(high: 1, low: 0),
            UUIDValue(high: 0x8000_0000_0000_0000, low: 0), UUIDValue(high: .max, low: 0),
        ]
        #expect(sorted.reversed().sorted() == sorted)
        #expect(sorted.map(RequestID.init).reversed().sorted() == sorted.map(RequestID.init))
        #expect(sorted.map(UserID.init).reversed().sorted() == sorted.map(UserID.init))
    }
}
