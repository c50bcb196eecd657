/// Percent-decoding of paths and queries (RFC 3986 §2.1), strict: what is malformed is refused, never passed through.
enum PercentCoding {
    /// Decodes into `output` and says whether the bytes were well-formed: each `%` with two digits, the result UTF-8.
    static func decode(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool, into output: inout [UInt8]) -> Bool {
        let start = output.count
        var index = bytes.startIndex
        var isASCII = true
        while index < bytes.endIndex {
            var byte = bytes[index]
            if byte == ASCII.percent {
                guard index + 2 < bytes.endIndex,
                    let high = ASCII.hexadecimal(bytes[index + 1]), let low = ASCII.hexadecimal(bytes[index + 2])
                else { return false }
                byte = high << 4 | low
                index += 2
                isASCII = isASCII && byte < 0x80
            } else if plusIsSpace && byte == UInt8(ascii: "+") {
                byte = ASCII.space
            }
            output.append(byte)
            index += 1
        }
        return isASCII || String(validating: output[start...], as: UTF8.self) != nil
    }

    /// The decoded text, or nil if it is malformed.
    static func string(_ bytes: ArraySlice<UInt8>, plusIsSpace: Bool) -> String? {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        guard decode(bytes, plusIsSpace: plusIsSpace, into: &output) else { return nil }
        return String(decoding: output, as: UTF8.self)
    }
}
