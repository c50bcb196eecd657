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
        @inline(never)
        func put(_ digits: Int, of bits: UInt64, at place: Int) {
            var rest = bits
            for offset in stride(from: digits - 1, through: 0, by: -1) {
                text[place + offset] = lowercaseHexadecimal(UInt8(truncatingIfNeeded: rest & 0x0F))
                rest >>= 4
            }
        }
        put(8, of: high >> 32, at: 0)
        put(4, of: high >> 16, at: 9)
        put(4, of: high, at: 14)
        put(4, of: low >> 48, at: 19)
        put(12, of: low, at: 24)
        for group in 1...4 { text[group * 5 + 3] = UInt8(ascii: "-") }
    }
}
