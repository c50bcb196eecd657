/// The arguments of one command as they travel: `$length CRLF content CRLF` each, one behind the other.
///
/// Framed while they are appended, so that sending a command, or putting arguments in front of others, is one copy.
/// Cost: one growing buffer, however many arguments there are.
/// Source: Redis serialization protocol specification, RESP2, bulk strings.
package struct RedisArguments: Equatable, Sendable {
    /// The arguments with their frames.
    private(set) var bytes: [UInt8] = []
    /// How many there are.
    private(set) var count = 0

    /// No arguments.
    package init() {}

    /// Their size as they travel.
    package var byteCount: Int { bytes.count }

    /// Appends text as UTF-8.
    package mutating func append(_ text: String) {
        // A native text is one piece of memory; bridged ones do not exist here.
        let done: Void? = unsafe text.utf8.withContiguousStorageIfAvailable { unsafe append(framing: $0) }
        if done == nil { append(Array(text.utf8)) }
    }

    mutating func append(_ argument: [UInt8]) {
        unsafe argument.withUnsafeBufferPointer { unsafe append(framing: $0) }
    }

    mutating func append(_ number: Int64) {
        // Int64.min has twenty bytes.
        var digits = InlineArray<20, UInt8>(repeating: 0x30)
        var start = 20
        var rest = number.magnitude
        repeat {
            start -= 1
            digits[start] = 0x30 + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
        if number < 0 {
            start -= 1
            digits[start] = UInt8(ascii: "-")
        }
        unsafe digits.span.extracting(start...).withUnsafeBufferPointer { unsafe append(framing: $0) }
    }

    mutating func append(_ other: RedisArguments) {
        bytes.append(contentsOf: other.bytes)
        count += other.count
    }

    /// Makes room for so many arguments with so many bytes together.
    mutating func reserve(arguments: Int, bytes byteCount: Int) {
        // `$`, three digits and two line ends.
        bytes.reserveCapacity(byteCount + 8 * arguments)
    }

    private mutating func append(framing content: UnsafeBufferPointer<UInt8>) {
        bytes.append(prefix: UInt8(ascii: "$"), content.count)
        unsafe bytes.append(contentsOf: content)
        bytes.append(0x0D)
        bytes.append(0x0A)
        count += 1
    }
}

extension [UInt8] {
    /// Appends a type byte, a number that is not negative, and a line end.
    mutating func append(prefix type: UInt8, _ number: Int) {
        append(type)
        var divisor = 1
        while number / divisor >= 10 { divisor *= 10 }
        while divisor > 0 {
            append(0x30 + UInt8(truncatingIfNeeded: number / divisor % 10))
            divisor /= 10
        }
        append(0x0D)
        append(0x0A)
    }
}

/// How many decimal digits a number that is not negative has.
func decimalDigits(_ number: Int) -> Int {
    var digits = 1
    var rest = number / 10
    while rest > 0 {
        digits += 1
        rest /= 10
    }
    return digits
}
