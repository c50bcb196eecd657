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
    public init?(parsing text: String) { self.init(parsing: text.utf8.span) }

    /// The same of bytes.
    public init?(parsing bytes: Span<UInt8>) {
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
        String(unsafeUninitializedCapacity: 36) { text in
            write(into: text)
            return 36
        }
    }

    /// A text with the 36 characters in the middle, made at once.
    public func description(after prefix: StaticString, before suffix: StaticString) -> String {
        let (first, last) = (prefix.utf8CodeUnitCount, suffix.utf8CodeUnitCount)
        return String(unsafeUninitializedCapacity: first + 36 + last) { text in
            for place in 0..<first { text[place] = prefix.utf8Start[place] }
            write(into: UnsafeMutableBufferPointer(rebasing: text[first...]))
            for place in 0..<last { text[first + 36 + place] = suffix.utf8Start[place] }
            return first + 36 + last
        }
    }

    private func write(into text: UnsafeMutableBufferPointer<UInt8>) {
        var place = 0
        for nibble in 0..<32 {
            if nibble == 8 || nibble == 12 || nibble == 16 || nibble == 20 {
                text[place] = UInt8(ascii: "-")
                place += 1
            }
            let half = nibble < 16 ? high : low
            text[place] = lowercaseHexadecimal(UInt8(truncatingIfNeeded: half >> UInt64(60 - nibble % 16 * 4)) & 0x0F)
            place += 1
        }
    }
}
