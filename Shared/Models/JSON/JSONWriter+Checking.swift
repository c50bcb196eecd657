/// Which texts cannot go into JSON as they are (RFC 8259 §7).
extension JSONWriter {
    /// Whether a text has a quote, a backslash or a control character; eight bytes at a time.
    ///
    /// Source: "Determine if a word has a byte less than n", Sean Eron Anderson, Bit Twiddling Hacks.
    static func needsEscape(_ text: UnsafeRawBufferPointer) -> Bool {
        let ones: UInt64 = 0x0101_0101_0101_0101
        var index = 0
        while index + 8 <= text.count {
            let word = text.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            let (quote, backslash) = (word ^ ones &* 0x22, word ^ ones &* 0x5C)
            let found =
                (word &- ones &* 0x20) & ~word | (quote &- ones) & ~quote | (backslash &- ones) & ~backslash
            if found & ones &* 0x80 != 0 { return true }
            index += 8
        }
        while index < text.count {
            if needsEscape(text[index]) { return true }
            index += 1
        }
        return false
    }

    @inline(__always)
    static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }
}
