/// The text of a cursor: a version, a kind, the position and a checksum, as lowercase hexadecimal digits, which need no escaping in a query.
///
/// The checksum (FNV-1a, 32 bits) finds every text in which one byte was changed, and all but one in 2^32 of others: a cursor that was cut
/// short, edited or made up is refused instead of answered with a wrong page. It is no signature, and none is needed: a position
/// says nothing about whose data is read.
struct CursorText {
    /// Whose position it is; never renumber.
    enum Kind: UInt8 {
        case workouts = 1
        case progress = 2
        case changes = 3
        case athletes = 16
    }

    /// Grows when the form of any position changes, so that older cursors are refused.
    private static let version: UInt8 = 2

    private var bytes: [UInt8]
    private var position = 2

    /// An empty position.
    init(_ kind: Kind) { bytes = [Self.version, kind.rawValue] }

    /// Opens a text of the given kind; nil for everything that this version of the server did not write.
    init?(_ text: String, of kind: Kind) {
        let digits = text.utf8.span
        guard digits.count >= 12, digits.count <= 128, digits.count % 2 == 0 else { return nil }
        var bytes: [UInt8] = []
        for index in stride(from: 0, to: digits.count, by: 2) {
            guard let high = hexadecimalDigit(digits[index]), let low = hexadecimalDigit(digits[index + 1]) else {
                return nil
            }
            bytes.append(UInt8(truncatingIfNeeded: high) << 4 | UInt8(truncatingIfNeeded: low))
        }
        var checksum: UInt32 = 0
        for byte in bytes.suffix(4) { checksum = checksum << 8 | UInt32(byte) }
        bytes.removeLast(4)
        guard checksum == Self.checksum(bytes), bytes[0] == Self.version, bytes[1] == kind.rawValue else { return nil }
        self.bytes = bytes
    }

    /// The text with its checksum.
    var text: String {
        var digits: [UInt8] = []
        digits.reserveCapacity(bytes.count * 2 + 8)
        func append(_ byte: UInt8) {
            digits.append(lowercaseHexadecimal(byte >> 4))
            digits.append(lowercaseHexadecimal(byte & 0x0F))
        }
        for byte in bytes { append(byte) }
        let checksum = Self.checksum(bytes)
        for shift: UInt32 in [24, 16, 8, 0] { append(UInt8(truncatingIfNeeded: checksum >> shift)) }
        return String(decoding: digits, as: UTF8.self)
    }

    private static func checksum(_ bytes: [UInt8]) -> UInt32 {
        var hash: UInt32 = 0x811C_9DC5
        for byte in bytes { hash = (hash ^ UInt32(byte)) &* 0x0100_0193 }
        return hash
    }
}

extension CursorText {
    /// Whether everything has been read.
    var isAtEnd: Bool { position == bytes.count }

    mutating func append(_ value: UInt64) {
        for shift in stride(from: UInt64(56), through: 0, by: -8) {
            bytes.append(UInt8(truncatingIfNeeded: value >> shift))
        }
    }

    mutating func append(_ value: UUIDValue) {
        append(value.high)
        append(value.low)
    }

    /// The next eight bytes; nil if there are fewer.
    mutating func readInteger() -> UInt64? {
        guard bytes.count - position >= 8 else { return nil }
        var value: UInt64 = 0
        for byte in bytes[position..<(position + 8)] { value = value << 8 | UInt64(byte) }
        position += 8
        return value
    }

    mutating func readUUID() -> UUIDValue? {
        guard let high = readInteger(), let low = readInteger() else { return nil }
        return UUIDValue(high: high, low: low)
    }
}
