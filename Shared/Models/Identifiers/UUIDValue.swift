/// A UUID as two integers: small, hashed quickly, and without Foundation (RFC 9562; any version).
public struct UUIDValue: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The first eight bytes, the first of them most significant.
    public var high: UInt64
    /// The last eight bytes.
    public var low: UInt64

    /// Joins the two halves.
    public init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// Reads 8-4-4-4-12 hexadecimal digits of either case; nil for anything else, braces and prefixes too.
    public init?(parsing text: String) {
        let bytes = text.utf8.span
        guard bytes.count == 36 else { return nil }
        var (high, low): (UInt64, UInt64) = (0, 0)
        for index in 0..<36 {
            let byte = bytes[index]
            if index == 8 || index == 13 || index == 18 || index == 23 {
                guard byte == UInt8(ascii: "-") else { return nil }
                continue
            }
            guard let digit = hexadecimalDigit(byte) else { return nil }
            high = high << 4 | low >> 60
            low = low << 4 | UInt64(digit)
        }
        self.init(high: high, low: low)
    }

    /// Orders by the sixteen bytes as unsigned numbers, first byte first, as PostgreSQL orders its `uuid`.
    public static func < (left: UUIDValue, right: UUIDValue) -> Bool {
        left.high == right.high ? left.low < right.low : left.high < right.high
    }

    /// The 36 characters in lowercase.
    public var description: String {
        var text: [UInt8] = []
        text.reserveCapacity(36)
        for nibble in 0..<32 {
            if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 { text.append(UInt8(ascii: "-")) }
            let half = nibble < 16 ? high : low
            text.append(lowercaseHexadecimal(UInt8(truncatingIfNeeded: half >> UInt64(60 - nibble % 16 * 4)) & 0x0F))
        }
        return String(decoding: text, as: UTF8.self)
    }
}
