import HTTP

/// The validator of an answer (RFC 9110 §8.8.3).
///
/// Weak, because two answers with the same tag differ in `asOf`. A hash of 64 bits: the bytes are one user's own, so nobody
/// gains by a collision. With its eleven letters the field is the longest text that Swift keeps without an allocation.
struct EntityTag: Hashable {
    /// The field's value, `W/"…"`.
    let field: String

    /// The tag of some bytes.
    init(of bytes: [UInt8]) {
        let hash = Self.hash(bytes)
        field = String(unsafeUninitializedCapacity: 15) { text in
            (text[0], text[1], text[2]) = (UInt8(ascii: "W"), UInt8(ascii: "/"), UInt8(ascii: "\""))
            for place in 0..<11 {
                let digit = UInt8(truncatingIfNeeded: hash >> UInt64(place * 6)) & 0x3F
                text[3 + place] = Self.letter(digit)
            }
            text[14] = UInt8(ascii: "\"")
            return 15
        }
    }

    /// The opaque tag with its quotes.
    var opaque: String { String(field.dropFirst(2)) }

    /// Whether `If-None-Match` names this tag: `*`, or a list that has it, compared weakly (RFC 9110 §13.1.2).
    func matches(_ headers: HTTPHeaders) -> Bool {
        guard headers.bytes(of: "If-None-Match") != nil else { return false }
        return headers.values(of: "If-None-Match").contains { value in
            value.split(separator: UInt8(ascii: ",")).contains { candidate in
                let tag = Self.trimmed(candidate)
                return tag.elementsEqual("*".utf8) || tag.elementsEqual(opaque.utf8) || tag.elementsEqual(field.utf8)
            }
        }
    }

    /// Eight bytes at a time, each step multiplied and folded, so that every bit of the bytes reaches every bit of the hash.
    private static func hash(_ bytes: [UInt8]) -> UInt64 {
        var hash = 0xCBF2_9CE4_8422_2325 ^ UInt64(bytes.count)
        func add(_ word: UInt64) {
            let (high, low) = (hash ^ word).multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            hash = high ^ low ^ word
        }
        bytes.withUnsafeBytes { bytes in
            let whole = bytes.count & ~7
            for offset in stride(from: 0, to: whole, by: 8) {
                add(bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            }
            add(bytes[whole...].reduce(0) { $0 << 8 | UInt64($1) })
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

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return bytes
    }
}
