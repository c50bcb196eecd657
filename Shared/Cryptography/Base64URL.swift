/// Base 64 with the URL-safe alphabet and no padding (RFC 4648 §5), as JSON Web Signatures use it.
///
/// Decoding is strict, so that each byte string has exactly one text: no padding, no white space, no character of another
/// alphabet, and the unused low bits of the last character are zero (RFC 4648 §3.5). Two texts for one token would
/// make two entries of one token in every cache and log.
package enum Base64URL {
    /// The text of `bytes`, as ASCII.
    package static func encode(_ bytes: Span<UInt8>) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        var index = 0
        while index < bytes.count {
            let available = min(3, bytes.count - index)
            var group: UInt32 = 0
            for offset in 0..<3 {
                group = group << 8 | (offset < available ? UInt32(bytes[index + offset]) : 0)
            }
            for position in 0...available {
                text.append(character(UInt8(truncatingIfNeeded: group >> UInt32(18 - 6 * position)) & 0x3f))
            }
            index += 3
        }
        return text
    }

    /// The bytes that `text` stands for, or nil when it is not the one text that `encode` gives for them.
    package static func decode(_ text: Span<UInt8>) -> [UInt8]? {
        guard text.count % 4 != 1 else { return nil }
        var bytes: [UInt8] = []
        bytes.reserveCapacity(text.count / 4 * 3 + 2)
        var group: UInt32 = 0
        var bits = 0
        for index in text.indices {
            guard let value = value(of: text[index]) else { return nil }
            group = group << 6 | UInt32(value)
            bits += 6
            if bits >= 8 {
                bits -= 8
                bytes.append(UInt8(truncatingIfNeeded: group >> UInt32(bits)))
                group &= (1 << UInt32(bits)) - 1
            }
        }
        return group == 0 ? bytes : nil
    }

    private static func character(_ value: UInt8) -> UInt8 {
        switch value {
        case 0..<26: UInt8(ascii: "A") + value
        case 26..<52: UInt8(ascii: "a") + value - 26
        case 52..<62: UInt8(ascii: "0") + value - 52
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }

    private static func value(of character: UInt8) -> UInt8? {
        switch character {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): character - UInt8(ascii: "A")
        case UInt8(ascii: "a")...UInt8(ascii: "z"): character - UInt8(ascii: "a") + 26
        case UInt8(ascii: "0")...UInt8(ascii: "9"): character - UInt8(ascii: "0") + 52
        case UInt8(ascii: "-"): 62
        case UInt8(ascii: "_"): 63
        default: nil
        }
    }
}
