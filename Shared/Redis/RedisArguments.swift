/// The arguments of one command, one behind the other in a single array.
///
/// Cost: two allocations however many arguments there are, where an array of arrays takes one for each.
struct RedisArguments: Equatable, Sendable {
    /// The bytes of all arguments.
    private(set) var bytes: [UInt8] = []
    /// Where each argument ends in `bytes`.
    private(set) var ends: [Int] = []

    mutating func append(_ text: String) {
        bytes.append(contentsOf: text.utf8)
        ends.append(bytes.count)
    }

    mutating func append(_ argument: [UInt8]) {
        bytes.append(contentsOf: argument)
        ends.append(bytes.count)
    }

    mutating func append(_ other: RedisArguments) {
        let base = bytes.count
        bytes.append(contentsOf: other.bytes)
        for end in other.ends { ends.append(base + end) }
    }

    mutating func reserve(arguments: Int, bytes byteCount: Int) {
        ends.reserveCapacity(arguments)
        bytes.reserveCapacity(byteCount)
    }

    /// Bytes on the wire without the frame around all arguments: `$length CRLF content CRLF` each.
    var encodedByteCount: Int {
        var total = bytes.count
        var start = 0
        for end in ends {
            total += 5 + decimalDigits(end - start)
            start = end
        }
        return total
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
