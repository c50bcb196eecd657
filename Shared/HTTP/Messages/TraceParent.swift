/// The grammar of `traceparent` (W3C Trace Context §3.2.2): `version-traceid-parentid-flags`, lower-case hexadecimal.
enum TraceParent {
    /// Whether a value is well-formed; later versions may append fields, `ff` and all-zero ids are invalid.
    static func isWellFormed(_ value: ArraySlice<UInt8>) -> Bool {
        let bytes = Array(value.prefix(56))
        guard bytes.count >= 55, bytes[2] == 0x2D, bytes[35] == 0x2D, bytes[52] == 0x2D else { return false }
        let isVersionZero = bytes[0] == 0x30 && bytes[1] == 0x30
        guard isVersionZero ? value.count == 55 : (value.count == 55 || bytes[55] == 0x2D) else { return false }
        guard !(bytes[0] == 0x66 && bytes[1] == 0x66) else { return false }
        let parts = [0..<2, 3..<35, 36..<52, 53..<55]
        guard parts.allSatisfy({ bytes[$0].allSatisfy(isLowerHexadecimal) }) else { return false }
        return bytes[3..<35].contains { $0 != 0x30 } && bytes[36..<52].contains { $0 != 0x30 }
    }

    private static func isLowerHexadecimal(_ byte: UInt8) -> Bool {
        (byte >= 0x30 && byte <= 0x39) || (byte >= 0x61 && byte <= 0x66)
    }
}
