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
        bytes = consume object
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
            bytes.append(UInt8(ascii: ":"))
            needsComma = false
        #else
            foreignName(name)
        #endif
    }

    /// Writes a member's name that came from elsewhere; its value must follow.
    mutating func foreignName(_ name: String) { quote(name, isName: true) }

    /// Writes a string, escaping what RFC 8259 §7 demands; other characters stay as they are.
    public mutating func string(_ text: String) { quote(text, isName: false) }

    /// Writes a whole number.
    public mutating func integer(_ value: Int64) {
        let comma = takeComma()
        put(atMost: 22) { place in
            var end = Self.comma(comma, at: place)
            if value < 0 { end = Self.byte("-", at: end) }
            return Self.digits(value.magnitude, atLeast: 1, at: end)
        }
    }

    /// Writes a day as a string, `"YYYY-MM-DD"`.
    public mutating func day(_ day: Day) {
        #if hasFeature(Embedded)
            string(day.description)  // small before fast
        #else
            let (year, month, number) = day.civil
            guard (0...9999).contains(year) else { return string(day.description) }
            let comma = takeComma()
            put(atMost: 13) { place in
                var end = Self.byte("\"", at: Self.comma(comma, at: place))
                end = Self.byte("-", at: Self.digits(UInt64(year), atLeast: 4, at: end))
                end = Self.byte("-", at: Self.digits(UInt64(month), atLeast: 2, at: end))
                return Self.byte("\"", at: Self.digits(UInt64(number), atLeast: 2, at: end))
            }
        #endif
    }

    /// Writes a distance in metres, up to three decimals, never with an exponent: 87500 mm is `87.5`.
    public mutating func metres(_ distance: Millimetres) {
        let metres = distance.count.magnitude / 1000
        var fraction = distance.count.magnitude % 1000
        var places = 3
        while fraction > 0, fraction % 10 == 0 {
            fraction /= 10
            places -= 1
        }
        let comma = takeComma()
        put(atMost: 26) { place in
            var end = Self.comma(comma, at: place)
            if distance.count < 0 { end = Self.byte("-", at: end) }
            end = Self.digits(metres, atLeast: 1, at: end)
            return fraction == 0 ? end : Self.digits(fraction, atLeast: places, at: Self.byte(".", at: end))
        }
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
        if takeComma() { bytes.append(UInt8(ascii: ",")) }
    }

    /// Whether a comma stands before the next value.
    private mutating func takeComma() -> Bool {
        defer { needsComma = true }
        return needsComma
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

    /// Writes a text in quotes, behind a comma or before a colon if there is to be one.
    private mutating func quote(_ text: String, isName: Bool) {
        let comma = takeComma()
        needsComma = !isName
        let text = text.utf8.span
        if !text.withUnsafeBytes(Self.needsEscape) {
            // Nearly every text goes in as it is.
            put(atMost: text.count + 4) { place in
                var end = Self.byte("\"", at: Self.comma(comma, at: place))
                text.withUnsafeBufferPointer {
                    if let from = $0.baseAddress { end.update(from: from, count: $0.count) }
                }
                end = Self.byte("\"", at: end + text.count)
                return isName ? Self.byte(":", at: end) : end
            }
            return
        }
        if comma { bytes.append(UInt8(ascii: ",")) }
        bytes.append(UInt8(ascii: "\""))
        for index in text.indices {
            if Self.needsEscape(text[index]) { escape(text[index]) } else { bytes.append(text[index]) }
        }
        bytes.append(UInt8(ascii: "\""))
        if isName { bytes.append(UInt8(ascii: ":")) }
    }

    /// Makes room once and lets `fill` write up to so many bytes; it answers where they end.
    ///
    /// Looking for room is most of what appending costs, and each answer is made of some hundred such pieces.
    #if hasFeature(Embedded)
        @inline(never)
    #else
        @inline(__always)
    #endif
    private mutating func put(atMost most: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8>) {
        bytes.append(addingCapacity: most) { room in
            room.withUnsafeMutableBufferPointer { buffer, used in
                if let place = buffer.baseAddress { used = fill(place) - place }
            }
        }
    }

    @inline(__always)
    private static func byte(_ character: Unicode.Scalar, at place: UnsafeMutablePointer<UInt8>)
        -> UnsafeMutablePointer<UInt8>
    {
        place.pointee = UInt8(ascii: character)
        return place + 1
    }

    @inline(__always)
    private static func comma(_ isNeeded: Bool, at place: UnsafeMutablePointer<UInt8>) -> UnsafeMutablePointer<UInt8> {
        isNeeded ? byte(",", at: place) : place
    }

    /// At most twenty digits.
    #if hasFeature(Embedded)
        @inline(never)
    #else
        @inline(__always)
    #endif
    private static func digits(_ value: UInt64, atLeast places: Int, at place: UnsafeMutablePointer<UInt8>)
        -> UnsafeMutablePointer<UInt8>
    {
        var (count, rest) = (1, value / 10)
        while rest > 0 { (count, rest) = (count + 1, rest / 10) }
        count = max(count, places)
        rest = value
        for offset in stride(from: count - 1, through: 0, by: -1) {
            place[offset] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        }
        return place + count
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
