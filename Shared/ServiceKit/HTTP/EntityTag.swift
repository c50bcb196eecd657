package import HTTP

/// The name of one state of an answer, by which a client asks whether its copy still holds (RFC 9110 §8.8.3).
package struct EntityTag: Sendable, Hashable {
    /// The tag as a field's value, in quotes.
    package let field: String

    /// Makes a tag of printable ASCII without quotes and commas.
    package init(_ text: String) { field = "\"\(text)\"" }

    /// Whether `If-None-Match` names this state, so that the answer is 304: weak comparison, `*` names every state
    /// (RFC 9110 §13.1.2).
    package func isHeld(by headers: HTTPHeaders) -> Bool {
        headers.values(of: "If-None-Match").contains { value in
            value.split(separator: UInt8(ascii: ",")).contains { piece in
                var tag = piece.drop { Self.isSpace($0) }
                while let last = tag.last, Self.isSpace(last) { tag.removeLast() }
                if tag.elementsEqual("*".utf8) { return true }
                if tag.starts(with: "W/".utf8) { tag.removeFirst(2) }
                return tag.elementsEqual(field.utf8)
            }
        }
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 }
}
