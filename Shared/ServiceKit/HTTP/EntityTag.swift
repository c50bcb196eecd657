package import HTTP

/// The name of one state of an answer, by which a client asks whether its copy still holds (RFC 9110 §8.8.3).
package struct EntityTag: Sendable, Hashable {
    /// The tag as a field's value, in quotes, after `W/` if it is weak.
    package let field: String

    /// Makes a strong tag of printable ASCII without quotes and commas.
    package init(_ text: String) { field = "\"\(text)\"" }

    /// Makes a weak tag of what an answer says, for answers that also say when they were made.
    ///
    /// A hash of 64 bits: the bytes are one user's own, so nobody gains by a collision. With its eleven letters the field is the
    /// longest text that Swift keeps without an allocation.
    package init(weaklyOf bytes: [UInt8]) {
        let hash = Self.hash(bytes)
        field = unsafe String(unsafeUninitializedCapacity: 15) { text in
            unsafe (text[0], text[1], text[2]) = (UInt8(ascii: "W"), UInt8(ascii: "/"), UInt8(ascii: "\""))
            for place in 0..<11 {
                let digit = UInt8(truncatingIfNeeded: hash >> UInt64(place * 6)) & 0x3F
                unsafe text[3 + place] = Self.letter(digit)
            }
            unsafe text[14] = UInt8(ascii: "\"")
            return 15
        }
    }

    /// Whether `If-None-Match` names this state, so that the answer is 304: weak comparison, `*` names every state
    /// (RFC 9110 §13.1.2).
    package func isHeld(by headers: HTTPHeaders) -> Bool {
        guard headers.bytes(of: "If-None-Match") != nil else { return false }
        let opaque = field.utf8.drop { $0 != UInt8(ascii: "\"") }
        return headers.values(of: "If-None-Match").contains { value in
            value.split(separator: UInt8(ascii: ",")).contains { piece in
                var tag = piece.drop { Self.isSpace($0) }
                while let last = tag.last, Self.isSpace(last) { tag.removeLast() }
                if tag.elementsEqual("*".utf8) { return true }
                if tag.starts(with: "W/".utf8) { tag.removeFirst(2) }
                return tag.elementsEqual(opaque)
            }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }

    /// Eight bytes at a time, each step multiplied and folded, so that every bit of the bytes reaches every bit of the hash.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        var hash = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
        func add(_ word: UInt64) {
            let (high, low) = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            hash = high ^ low ^ word
        }
        unsafe bytes.withUnsafeBytes { bytes in
            let whole = bytes.count & ~7
            for offset in stride(from: 0, to: whole, by: 8) {
                unsafe add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            unsafe add(bytes[whole...].reduce(0) { $0 << 8 | UInt64($1) })
        }
        add(0)
        return hash
    }

    /// The letters of base64url (RFC 4648 §5).
    private static func letter(_ digit: UInt8) -> UInt8 {
        switch digit {
        case 0..<26: UInt8(ascii: "A") + digit
        case 26..<52: UInt8(ascii: "a") + (digit - 26)
        case 52..<62: UInt8(ascii: "0") + (digit - 52)
        case 62: UInt8(ascii: "-")
        default: UInt8(ascii: "_")
        }
    }
}
