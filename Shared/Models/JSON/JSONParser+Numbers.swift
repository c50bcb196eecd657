extension JSONParser {
    /// The number whose first byte is at the position (RFC 8259 §6).
    mutating func number(_ bytes: Span<UInt8>) throws(JSONError) -> JSONNumber {
        var decimal = Decimal()
        let hasMinus = bytes[position] == UInt8(ascii: "-")
        if hasMinus { position += 1 }
        if position < bytes.count && bytes[position] == UInt8(ascii: "I") { throw JSONError(.notFinite, at: position) }

        let start = position
        let wholeDigits = try digits(bytes) { decimal.append($0, isFraction: false) }
        if wholeDigits > 1 && bytes[start] == UInt8(ascii: "0") { throw JSONError(.leadingZero, at: start) }
        if position < bytes.count && bytes[position] == UInt8(ascii: ".") {
            position += 1
            _ = try digits(bytes) { decimal.append($0, isFraction: true) }
        }
        if position < bytes.count && bytes[position] | 0x20 == UInt8(ascii: "e") {
            position += 1
            decimal.scale(by: try exponent(bytes))
        }
        return decimal.number(hasMinus: hasMinus)
    }

    /// Steps over one digit or more and says how many there were.
    private mutating func digits(_ bytes: Span<UInt8>, each: (UInt8) -> Void) throws(JSONError) -> Int {
        let start = position
        while position < bytes.count, case let digit = bytes[position] &- UInt8(ascii: "0"), digit <= 9 {
            each(digit)
            position += 1
        }
        if position == start {
            throw JSONError(position == bytes.count ? .unexpectedEnd : .malformedNumber, at: position)
        }
        return position - start
    }

    /// The power of ten behind an `e`; beyond a thousand million it counts as that.
    private mutating func exponent(_ bytes: Span<UInt8>) throws(JSONError) -> Int64 {
        let sign = position < bytes.count ? bytes[position] : 0
        if sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { position += 1 }
        var power: Int64 = 0
        _ = try digits(bytes) { power = min(power * 10 + Int64($0), Decimal.largestExponent) }
        return sign == UInt8(ascii: "-") ? -power : power
    }
}

/// A number while its digits come in.
private struct Decimal {
    /// The bound of exponents; far beyond what the digits of a body can make up for.
    static let largestExponent: Int64 = 1_000_000_000

    private var digits: UInt64 = 0
    private var exponent: Int64 = 0
    private var tail = JSONNumber.Tail.nothing
    private var isFull = false

    /// Takes a digit; from the twentieth significant one on only what rounding needs.
    mutating func append(_ digit: UInt8, isFraction: Bool) {
        if digits < 1_000_000_000_000_000_000 {
            digits = digits * 10 + UInt64(digit)
            if isFraction { exponent -= 1 }
            return
        }
        if !isFull && digit >= 5 { tail = .halfOrMore }
        if tail == .nothing && digit > 0 { tail = .lessThanHalf }
        isFull = true
        if !isFraction { exponent += 1 }
    }

    mutating func scale(by power: Int64) { exponent += power }

    func number(hasMinus: Bool) -> JSONNumber {
        let bounded = max(-Self.largestExponent, min(Self.largestExponent, exponent))
        return JSONNumber(hasMinus: hasMinus, digits: digits, exponent: Int32(bounded), tail: tail)
    }
}
