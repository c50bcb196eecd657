/// One reply of Redis in the second version of its protocol.
///
/// Strings stay bytes: Redis does not know encodings, and most replies are compared or parsed, never shown.
/// Cost: one allocation for an array, and one for all strings that came in one read; none for integers and null.
/// Source: Redis serialization protocol specification, RESP2.
package enum RESPValue: Equatable, Sendable {
    /// No value: a null bulk string or a null array.
    case null
    /// A status such as `OK`.
    case simple([UInt8])
    /// A binary-safe string: a piece of the bytes that came with it, which stay as long as the piece is kept.
    case bulk(ArraySlice<UInt8>)
    /// A signed 64-bit integer.
    case integer(Int64)
    /// The server refused this one command; the others of the exchange are not touched by it.
    indirect case error(RedisServerError)
    /// Replies within a reply; errors may stand inside.
    case array([RESPValue])
}

extension RESPValue {
    /// Whether there is no value.
    package var isNull: Bool { self == .null }

    /// Whether the reply is the status `OK`.
    package var isOK: Bool { self == .simple([0x4F, 0x4B]) }

    /// The bytes of a status or string, nil for everything else.
    package var bytes: ArraySlice<UInt8>? {
        switch self {
        case .simple(let bytes): bytes[...]
        case .bulk(let bytes): bytes
        case .null, .integer, .error, .array: nil
        }
    }

    /// The text of a status or string, nil for everything else and for bytes that are not UTF-8.
    package var text: String? { bytes.flatMap { String(validating: $0, as: UTF8.self) } }

    /// The integer itself, or the number that a string spells in decimal, as hash fields and counters do.
    ///
    /// Nil for everything else, for other spellings (`1e3`, ` 1`) and beyond 64 bits.
    package var number: Int64? {
        switch self {
        case .integer(let value): value
        case .simple(let bytes): Self.number(bytes[...])
        case .bulk(let bytes): Self.number(bytes)
        case .null, .error, .array: nil
        }
    }

    /// A sign at most and decimal digits, read where they stand.
    private static func number(_ bytes: ArraySlice<UInt8>) -> Int64? {
        let isNegative = bytes.first == UInt8(ascii: "-")
        let digits = isNegative || bytes.first == UInt8(ascii: "+") ? bytes.dropFirst() : bytes
        guard !digits.isEmpty else { return nil }
        var value: Int64 = 0
        for byte in digits {
            guard case let digit = byte &- UInt8(ascii: "0"), digit <= 9 else { return nil }
            let (product, isTooLarge) = value.multipliedReportingOverflow(by: 10)
            let (sum, isPast) = product.subtractingReportingOverflow(Int64(digit))
            guard !isTooLarge, !isPast else { return nil }
            value = sum  // negative, because there is one number more below zero
        }
        if isNegative { return value }
        return value > .min ? -value : nil
    }

    /// The elements of an array, nil for everything else.
    package var elements: [RESPValue]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The refusal, nil if the server did what it was asked.
    package var error: RedisServerError? {
        if case .error(let error) = self { error } else { nil }
    }
}
