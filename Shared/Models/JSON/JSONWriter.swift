/// Writes JSON into bytes, front to back, without building values first.
///
/// The caller opens and closes; the writer sets the commas. Cost: one growing array, no other allocation.
public struct JSONWriter: Sendable {
    /// What has been written.
    public private(set) var bytes: [UInt8] = []
    private var needsComma = false

    /// A writer with room for so many bytes.
    public init(reserving capacity: Int = 256) { bytes.reserveCapacity(capacity) }

    /// Goes on with a finished object that has members: takes its last bracket away.
    init(reopening object: consuming [UInt8]) {
        bytes = object
        bytes.removeLast()
        needsComma = true
    }

    /// Writes `{`.
    public mutating func beginObject() { begin(UInt8(ascii: "{")) }
    /// Writes `}`.
    public mutating func endObject() { end(UInt8(ascii: "}")) }
    /// Writes `[`.
    public mutating func beginArray() { begin(UInt8(ascii: "[")) }
    /// Writes `]`.
    public mutating func endArray() { end(UInt8(ascii: "]")) }

    /// Writes a member's name; its value must follow.
    public mutating func name(_ name: MemberName) {
        #if hasFeature(Embedded)
            separate()
            bytes.append(UInt8(ascii: "\""))
            bytes.append(contentsOf: UnsafeBufferPointer(start: name.utf8Start, count: name.utf8CodeUnitCount))
            bytes.append(UInt8(ascii: "\""))
            colon()
        #else
            foreignName(name)
        #endif
    }

    /// Writes a member's name that came from elsewhere; its value must follow.
    mutating func foreignName(_ name: String) {
        string(name)
        colon()
    }

    private mutating func colon() {
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    /// Writes a string, escaping what RFC 8259 §7 demands; other characters stay as they are.
    public mutating func string(_ text: String) {
        separate()
        bytes.append(UInt8(ascii: "\""))
        let text = text.utf8.span
        var needsEscape = false
        for index in text.indices where Self.needsEscape(text[index]) { needsEscape = true }
        // Nearly every text goes in as it is, in one piece.
        if needsEscape {
            for index in text.indices {
                if Self.needsEscape(text[index]) { escape(text[index]) } else { bytes.append(text[index]) }
            }
        } else {
            append(text)
        }
        bytes.append(UInt8(ascii: "\""))
    }

    /// Writes a whole number.
    public mutating func integer(_ value: Int64) {
        separate()
        if value < 0 { bytes.append(UInt8(ascii: "-")) }
        appendDigits(value.magnitude, atLeast: 1)
    }

    /// Writes a distance in metres, up to three decimals, never with an exponent: 87500 mm is `87.5`.
    public mutating func metres(_ distance: Millimetres) {
        separate()
        if distance.count < 0 { bytes.append(UInt8(ascii: "-")) }
        var (metres, fraction) = distance.count.magnitude.quotientAndRemainder(dividingBy: 1000)
        appendDigits(metres, atLeast: 1)
        if fraction == 0 { return }
        var places = 3
        while fraction % 10 == 0 {
            fraction /= 10
            places -= 1
        }
        bytes.append(UInt8(ascii: "."))
        appendDigits(fraction, atLeast: places)
    }

    /// Writes `true` or `false`.
    public mutating func bool(_ value: Bool) { word(value ? "true" : "false") }

    /// Writes `null`.
    public mutating func null() { word("null") }

    /// Writes one value that is JSON already; it is not checked.
    public mutating func raw(_ json: [UInt8]) {
        separate()
        bytes.append(contentsOf: json)
    }
}

extension JSONWriter {
    private mutating func separate() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = true
    }

    private mutating func begin(_ bracket: UInt8) {
        separate()
        bytes.append(bracket)
        needsComma = false
    }

    private mutating func end(_ bracket: UInt8) {
        bytes.append(bracket)
        needsComma = true
    }

    private mutating func word(_ word: String) {
        separate()
        append(word.utf8.span)
    }

    @inline(__always)
    private mutating func append(_ text: Span<UInt8>) {
        text.withUnsafeBufferPointer { bytes.append(contentsOf: $0) }
    }

    private mutating func appendDigits(_ value: UInt64, atLeast places: Int) {
        // UInt64.max has twenty digits.
        var digits = InlineArray<20, UInt8>(repeating: UInt8(ascii: "0"))
        var start = 20
        var rest = value
        while rest > 0 || start > 20 - places {
            start -= 1
            digits[start] += UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        append(digits.span.extracting(start...))
    }

    @inline(__always)
    private static func needsEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private mutating func escape(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(UInt8(ascii: "0") + byte >> 4)
            bytes.append(lowercaseHexadecimal(byte & 0x0F))
        }
    }
}

/// The lowercase digit of a value below 16.
func lowercaseHexadecimal(_ value: UInt8) -> UInt8 {
    value < 10 ? UInt8(ascii: "0") + value : UInt8(ascii: "a") + (value - 10)
}
