/// A JSON number as the exact decimal that was sent, so that `0.1` is a tenth and nothing is rounded twice.
///
/// Up to 19 significant digits are kept; of further ones, whether they round up and whether they are all zero.
public struct JSONNumber: Sendable {
    /// What followed the digits that are kept.
    enum Tail: UInt8 {
        case nothing
        case lessThanHalf
        case halfOrMore
    }

    /// Whether a minus sign stood in front; also true for `-0`.
    let hasMinus: Bool
    let tail: Tail
    /// The power of ten by which the digits are multiplied.
    let exponent: Int32
    /// The significant digits; 0 only if the number is zero.
    let digits: UInt64

    init(hasMinus: Bool, digits: UInt64, exponent: Int32, tail: Tail = .nothing) {
        self.hasMinus = hasMinus
        self.digits = digits
        self.exponent = exponent
        self.tail = tail
    }

    /// The number of a whole value.
    public init(_ value: Int64) { self.init(hasMinus: value < 0, digits: value.magnitude, exponent: 0) }

    /// Whether the number is below zero; `-0` is not.
    public var isNegative: Bool { hasMinus && digits != 0 }

    /// The value if it is whole and fits: `120`, `120.0` and `1.2e2` are 120; `1.5` and 2^63 are nil.
    public var exactInteger: Int64? {
        guard let scaled = scaled(by: 0), scaled.isExact else { return nil }
        return signed(scaled.whole)
    }

    /// The value times 1000, to the nearest whole, ties away from zero; nil if that does not fit.
    ///
    /// Metres become millimetres this way. Exact: computed in decimal, never through a binary fraction.
    public func thousandths() -> Int64? {
        guard let scaled = scaled(by: 3) else { return nil }
        let (rounded, overflow) = scaled.whole.addingReportingOverflow(scaled.roundsUp ? 1 : 0)
        return overflow ? nil : signed(rounded)
    }

    /// Whether the exact value, before any rounding, is above a limit: 500000.0001 exceeds 500000.
    public func exceeds(_ limit: UInt32) -> Bool {
        if isNegative { return false }
        guard let scaled = scaled(by: 0) else { return true }
        return scaled.whole > UInt64(limit) || (scaled.whole == UInt64(limit) && !scaled.isExact)
    }
}

extension JSONNumber: Equatable {
    /// Equal when the values are: 87.5, 87.50 and 8.75e1.
    public static func == (left: JSONNumber, right: JSONNumber) -> Bool {
        let (a, b) = (left.normalized, right.normalized)
        return a.hasMinus == b.hasMinus && a.digits == b.digits && a.exponent == b.exponent && a.tail == b.tail
    }

    /// The same value without trailing zeros and without a negative zero.
    private var normalized: JSONNumber {
        guard digits != 0 else { return JSONNumber(0) }
        guard tail == .nothing else { return self }
        var (digits, exponent) = (digits, exponent)
        while digits % 10 == 0 {
            digits /= 10
            exponent &+= 1
        }
        return JSONNumber(hasMinus: hasMinus, digits: digits, exponent: exponent)
    }
}

extension JSONNumber {
    /// The magnitude times a power of ten, cut to a whole, with what was cut off; nil if it exceeds 64 bits.
    ///
    /// At most about twenty steps, whatever the exponent: the digits run out or overflow. Digits that were not kept do not matter above the
    /// point: the whole is then at least 10^19, more than any caller takes.
    private func scaled(by power: Int32) -> (whole: UInt64, roundsUp: Bool, isExact: Bool)? {
        if digits == 0 { return (0, false, true) }
        var (whole, remaining) = (digits, exponent &+ power)
        var (roundsUp, isExact) = (tail == .halfOrMore, tail == .nothing)
        while remaining > 0 {
            let (product, overflow) = whole.multipliedReportingOverflow(by: 10)
            if overflow { return nil }
            whole = product
            remaining -= 1
        }
        while remaining < 0 {
            if whole == 0 { return (0, false, false) }
            let (quotient, digit) = whole.quotientAndRemainder(dividingBy: 10)
            roundsUp = digit >= 5
            isExact = isExact && digit == 0
            whole = quotient
            remaining += 1
        }
        return (whole, roundsUp, isExact)
    }

    private func signed(_ magnitude: UInt64) -> Int64? {
        if !hasMinus { return Int64(exactly: magnitude) }
        return magnitude <= Int64.min.magnitude ? Int64(truncatingIfNeeded: 0 &- magnitude) : nil
    }
}
