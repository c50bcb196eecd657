/// Reads the bytes of a field from the front: decimal numbers and the colons between them.
struct FieldReader {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    /// Whether everything has been read.
    var isAtEnd: Bool { position == bytes.endIndex }

    /// What has not been read.
    var rest: ArraySlice<UInt8> { bytes[position...] }

    /// Takes decimal digits, a minus in front at most; nil, and nothing taken, if there are none or they pass 64 bits.
    mutating func number() -> Int64? {
        var place = position
        let isNegative = place < bytes.endIndex && bytes[place] == UInt8(ascii: "-")
        if isNegative { place += 1 }
        let first = place
        var value: Int64 = 0
        while place < bytes.endIndex, case let digit = bytes[place] &- UInt8(ascii: "0"), digit <= 9 {
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isPast) = product.subtractingReportingOverflow(Int64(digit))
            guard !isTooLarge, !isPast else { return nil }
            value = sum  // negative, because there is one number more below zero
            place += 1
        }
        guard place > first, isNegative || value > .min else { return nil }
        position = place
        return isNegative ? value : -value
    }

    /// Takes a colon; false if there is none.
    mutating func colon() -> Bool {
        guard position < bytes.endIndex, bytes[position] == UInt8(ascii: ":") else { return false }
        position += 1
        return true
    }
}
