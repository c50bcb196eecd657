extension JSONParser {
    /// The string whose opening quote is at the position.
    mutating func string(_ bytes: Span<UInt8>) throws(JSONError) -> String {
        let start = position + 1
        var end = start
        var hasEscape = false
        while true {
            guard end < bytes.count else { throw JSONError(.unexpectedEnd, at: bytes.count) }
            let byte = bytes[end]
            if byte == UInt8(ascii: "\"") { break }
            if byte < 0x20 { throw JSONError(.controlCharacter, at: end) }
            if byte == UInt8(ascii: "\\") {
                hasEscape = true
                end += 1  // What is escaped is judged later; here it only must not end the string.
            }
            end += 1
        }
        position = end + 1
        let text = try Self.validated(bytes.extracting(start..<end), from: start)
        return hasEscape ? try Self.unescaped(bytes.extracting(start..<end), from: start) : text
    }

    /// A string of bytes, if they are UTF-8.
    private static func validated(_ raw: Span<UInt8>, from start: Int) throws(JSONError) -> String {
        do throws(UTF8.ValidationError) {
            return String(copying: try UTF8Span(validating: raw))
        } catch {
            throw JSONError(.invalidUTF8, at: start + error.byteOffsets.lowerBound)
        }
    }

    /// The text that valid UTF-8 with escapes stands for.
    private static func unescaped(_ raw: Span<UInt8>, from start: Int) throws(JSONError) -> String {
        var text: [UInt8] = []
        text.reserveCapacity(raw.count)
        var index = 0
        while index < raw.count {
            if raw[index] != UInt8(ascii: "\\") {
                text.append(raw[index])
                index += 1
                continue
            }
            guard index + 1 < raw.count else { throw JSONError(.invalidEscape, at: start + index) }
            if raw[index + 1] == UInt8(ascii: "u") {
                let (scalar, length) = try escapedScalar(raw, at: index, from: start)
                text.append(contentsOf: Unicode.UTF8.encode(scalar) ?? Unicode.UTF8.encodedReplacementCharacter)
                index += length
            } else {
                guard let byte = escapedByte(raw[index + 1]) else { throw JSONError(.invalidEscape, at: start + index) }
                text.append(byte)
                index += 2
            }
        }
        return String(decoding: text, as: UTF8.self)
    }

    /// What a backslash and one letter stand for.
    private static func escapedByte(_ letter: UInt8) -> UInt8? {
        switch letter {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): letter
        case UInt8(ascii: "n"): 0x0A
        case UInt8(ascii: "t"): 0x09
        case UInt8(ascii: "r"): 0x0D
        case UInt8(ascii: "b"): 0x08
        case UInt8(ascii: "f"): 0x0C
        default: nil
        }
    }

    /// The character of one `\uXXXX`, or of two that are a surrogate pair, and how many bytes it took.
    private static func escapedScalar(
        _ raw: Span<UInt8>, at index: Int, from start: Int
    ) throws(JSONError) -> (Unicode.Scalar, length: Int) {
        guard let first = hexadecimal(raw, at: index) else { throw JSONError(.invalidEscape, at: start + index) }
        if let scalar = Unicode.Scalar(first) { return (scalar, 6) }
        guard first < 0xDC00, let second = hexadecimal(raw, at: index + 6), (0xDC00...0xDFFF).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw JSONError(.loneSurrogate, at: start + index) }
        return (scalar, 12)
    }

    /// The value of `\uXXXX` at an index; nil if that is not what stands there.
    private static func hexadecimal(_ raw: Span<UInt8>, at index: Int) -> UInt32? {
        guard index + 6 <= raw.count, raw[index] == UInt8(ascii: "\\"), raw[index + 1] == UInt8(ascii: "u") else {
            return nil
        }
        var value: UInt32 = 0
        for offset in 2..<6 {
            guard let digit = hexadecimalDigit(raw[index + offset]) else { return nil }
            value = value << 4 | UInt32(digit)
        }
        return value
    }
}

/// The value of a hexadecimal digit of either case.
func hexadecimalDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
}
