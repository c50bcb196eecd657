import HTTP

/// The validator of an answer (RFC 9110 §8.8.3).
///
/// Weak, because two answers with the same tag differ in `asOf`. FNV-1a over 64 bits: the bytes are one user's own, so nobody
/// gains by a collision, and the tag costs less than encoding the body.
struct EntityTag: Hashable {
    /// The opaque tag with its quotes.
    let opaque: String

    /// The tag of some bytes.
    init(of bytes: [UInt8]) {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3 }
        opaque = "\"\(String(hash, radix: 16))\""
    }

    /// The field's value.
    var field: String { "W/\(opaque)" }

    /// Whether `If-None-Match` names this tag: `*`, or a list that has it, compared weakly (RFC 9110 §13.1.2).
    func matches(_ headers: HTTPHeaders) -> Bool {
        headers.values(of: "If-None-Match").contains { value in
            value.split(separator: UInt8(ascii: ",")).contains { candidate in
                let tag = Self.trimmed(candidate)
                return tag.elementsEqual("*".utf8) || tag.elementsEqual(opaque.utf8) || tag.elementsEqual(field.utf8)
            }
        }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace: (UInt8) -> Bool = { $0 == 0x20 || $0 == 0x09 }
        var bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return bytes
    }
}
