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
        place(of: name, from: 0).map { buffer[fields[$0].value] }
    }

    /// How often a field was sent.
    package func count(of name: String) -> Int {
        var (count, next) = (0, place(of: name, from: 0))
        while let found = next { (count, next) = (count + 1, place(of: name, from: found + 1)) }
        return count
    }

    /// All values of a field, in the order they were sent.
    package func values(of name: String) -> [ArraySlice<UInt8>] {
        var values: [ArraySlice<UInt8>] = []
        forEachValue(of: name) { values.append($0) }
        return values
    }

    /// Lends each value of a field, in the order they were sent, without an allocation.
    func forEachValue(of name: String, _ body: (ArraySlice<UInt8>) -> Void) {
        var next = place(of: name, from: 0)
        while let found = next {
            body(buffer[fields[found].value])
            next = place(of: name, from: found + 1)
        }
    }

    /// All fields as they were sent, in order.
    ///
    /// For tests and diagnosis: it makes two strings a field.
    package var all: [(name: String, value: String)] {
        fields.map {
            (String(decoding: buffer[$0.name], as: UTF8.self), String(decoding: buffer[$0.value], as: UTF8.self))
        }
    }

    /// The place of the next field of a name.
    private func place(of name: String, from start: Int) -> Int? {
        let wanted = name.utf8.span
        search: for place in start..<max(start, fields.count) where fields[place].name.count == wanted.count {
            let first = fields[place].name.lowerBound
            for index in wanted.indices
            where ASCII.lowercased(wanted[index]) != ASCII.lowercased(buffer[first + index]) { continue search }
            return place
        }
        return nil
    }
}
