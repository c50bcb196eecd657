/// The few byte classes that HTTP's grammar is made of.
enum ASCII {
    static let tab: UInt8 = 0x09
    static let lineFeed: UInt8 = 0x0A
    static let carriageReturn: UInt8 = 0x0D
    static let space: UInt8 = 0x20
    static let percent: UInt8 = 0x25
    static let slash: UInt8 = 0x2F
    static let colon: UInt8 = 0x3A

    /// A–Z to a–z; everything else unchanged.
    static func lowercased(_ byte: UInt8) -> UInt8 {
        byte >= 0x41 && byte <= 0x5A ? byte | 0x20 : byte
    }

    /// Letters and digits.
    static func isAlphanumeric(_ byte: UInt8) -> Bool {
        (byte >= 0x30 && byte <= 0x39) || (byte >= 0x41 && byte <= 0x5A) || (byte >= 0x61 && byte <= 0x7A)
    }

    /// `tchar` of RFC 9110 §5.6.2.
    static func isToken(_ byte: UInt8) -> Bool {
        // One bit for each byte below 128: letters, digits and !#$%&'*+-.^_`|~
        let set: UInt64 = byte < 64 ? 0x03FF_6CFA_0000_0000 : byte < 128 ? 0x57FF_FFFF_C7FF_FFFE : 0
        return set >> UInt64(byte & 63) & 1 == 1
    }

    /// Whether two runs of bytes are the same.
    static func same(_ bytes: ArraySlice<UInt8>, _ text: StaticString) -> Bool {
        let bytes = bytes.span
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        for index in bytes.indices where unsafe bytes[index] != text.utf8Start[index] { return false }
        return true
    }

    /// The value of a hexadecimal digit, or nil.
    static func hexadecimal(_ byte: UInt8) -> UInt8? {
        switch byte {
        case 0x30...0x39: byte - 0x30
        case 0x41...0x46: byte - 0x41 + 10
        case 0x61...0x66: byte - 0x61 + 10
        default: nil
        }
    }

    /// Whether two runs of bytes are the same but for the case of letters.
    static func equal(_ bytes: some Collection<UInt8>, _ text: StaticString) -> Bool {
        guard bytes.count == text.utf8CodeUnitCount else { return false }
        return text.withUTF8Buffer { expected in
            unsafe bytes.elementsEqual(expected) { lowercased($0) == lowercased($1) }
        }
    }

    /// The bytes without spaces and tabs at either end.
    static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        var rest = bytes
        while let first = rest.first, first == space || first == tab { rest.removeFirst() }
        while let last = rest.last, last == space || last == tab { rest.removeLast() }
        return rest
    }
}
