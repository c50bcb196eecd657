/// The header fields of a received request: one buffer and ranges into it.
///
/// No `String` is made until one is asked for; a look-up costs one pass over the fields, comparing lengths first. Names are
/// compared without regard to ASCII case (RFC 9110 §5.1). Values have no white space around them.
package struct HTTPHeaders: Sendable {
    /// Where one field stands in the buffer.
    struct Field: Sendable {
        var name: Range<Int>
        var value: Range<Int>
    }

    private let buffer: [UInt8]
    private let fields: [Field]

    init(buffer: [UInt8], fields: [Field]) {
        self.buffer = buffer
        self.fields = fields
    }

    /// How many fields there are; a name sent twice counts twice.
    package var count: Int { fields.count }

    /// The first value of a field, or nil; bytes that are no UTF-8 are replaced by U+FFFD.
    package subscript(name: String) -> String? {
        bytes(of: name).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The first value of a field as it was sent, without a copy, or nil.
    package func bytes(of name: String) -> ArraySlice<UInt8>? {
        fields.first { matches($0, name) }.map { buffer[$0.value] }
    }

    /// How often a field was sent.
    package func count(of name: String) -> Int {
        fields.reduce(0) { matches($1, name) ? $0 + 1 : $0 }
    }

    /// All values of a field, in the order they were sent.
    package func values(of name: String) -> [ArraySlice<UInt8>] {
        fields.filter { matches($0, name) }.map { buffer[$0.value] }
    }

    /// Lends each value of a field, in the order they were sent, without an allocation.
    func forEachValue(of name: String, _ body: (ArraySlice<UInt8>) -> Void) {
        for field in fields where matches(field, name) { body(buffer[field.value]) }
    }

    /// All fields as they were sent, in order.
    ///
    /// For tests and diagnosis: it makes two strings a field.
    package var all: [(name: String, value: String)] {
        fields.map {
            (String(decoding: buffer[$0.name], as: UTF8.self), String(decoding: buffer[$0.value], as: UTF8.self))
        }
    }

    private func matches(_ field: Field, _ name: String) -> Bool {
        guard field.name.count == name.utf8.count else { return false }
        var index = field.name.lowerBound
        for byte in name.utf8 {
            guard ASCII.lowercased(byte) == ASCII.lowercased(buffer[index]) else { return false }
            index += 1
        }
        return true
    }
}
