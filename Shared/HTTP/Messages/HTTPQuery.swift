/// The query of a request target: decoded pairs in the order they were sent.
///
/// `a=1&b&a=2` has three items; `+` is a space, as forms and `URLSearchParams` write it. Without a query nothing is allocated.
package struct HTTPQuery: Sendable {
    /// One `name=value`; without `=` the value is empty.
    package struct Item: Sendable, Hashable {
        /// The decoded name.
        package let name: String
        /// The decoded value.
        package let value: String
    }

    /// All items in order.
    package let items: [Item]

    /// Decodes what follows the `?`; malformed percent-encoding is refused.
    init(_ bytes: ArraySlice<UInt8>) throws(HTTPRefusal) {
        guard !bytes.isEmpty else {
            items = []
            return
        }
        var items: [Item] = []
        for piece in bytes.split(separator: UInt8(ascii: "&")) {
            let equals = piece.firstIndex(of: UInt8(ascii: "=")) ?? piece.endIndex
            let value = equals < piece.endIndex ? piece[(equals + 1)...] : []
            guard let name = PercentCoding.string(piece[..<equals], plusIsSpace: true),
                let value = PercentCoding.string(value, plusIsSpace: true)
            else { throw .malformed(detail: "A name or value of the query is no percent-encoded UTF-8.") }
            items.append(Item(name: name, value: value))
        }
        self.items = items
    }

    /// The first value of a name, or nil.
    package subscript(name: String) -> String? {
        items.first { $0.name == name }?.value
    }

    /// All values of a name in order.
    package func values(of name: String) -> [String] {
        items.filter { $0.name == name }.map(\.value)
    }
}
