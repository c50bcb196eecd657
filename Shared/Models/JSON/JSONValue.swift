/// A JSON document as it stands on the wire, before any rule of ours is applied to it.
///
/// Our own type, because the wire needs what Foundation does not give: decimals kept exactly, every fault of a body instead of the
/// first, and a build without Foundation for the browser.
public enum JSONValue: Equatable, Sendable {
    /// The word `null`.
    case null
    /// `true` or `false`.
    case bool(Bool)
    /// A number with the exact decimal that was sent.
    case number(JSONNumber)
    /// A string, escapes resolved.
    case string(String)
    /// An array in its order.
    case array([JSONValue])
    /// An object's members in the order sent; no name occurs twice in a parsed one.
    case object([JSONMember])

    /// The value of an object's member; nil where there is none, and for everything that is no object.
    ///
    /// Names are compared byte by byte, not by Unicode equivalence. Cost: linear in the number of members.
    public subscript(member name: String) -> JSONValue? {
        guard case .object(let members) = self else { return nil }
        for member in members where hasSameBytes(member.name, name) { return member.value }
        return nil
    }

    /// What to call this value when another was expected: "a string", "null".
    public var kindName: String {
        switch self {
        case .null: "null"
        case .bool: "a boolean"
        case .number: "a number"
        case .string: "a string"
        case .array: "an array"
        case .object: "an object"
        }
    }
}

/// One name and its value in a JSON object.
public struct JSONMember: Equatable, Sendable {
    /// The name, escapes resolved.
    public var name: String
    /// What it names.
    public var value: JSONValue

    /// Pairs a name with its value.
    public init(_ name: String, _ value: JSONValue) {
        self.name = name
        self.value = value
    }

    /// Equal when the names have the same bytes and the values are equal.
    public static func == (left: JSONMember, right: JSONMember) -> Bool {
        hasSameBytes(left.name, right.name) && left.value == right.value
    }
}

extension JSONValue {
    /// Reads one JSON document, strictly by RFC 8259, and nothing after it.
    ///
    /// Stricter than the RFC where it leaves a choice: a name twice in one object and a byte order mark are errors, lone surrogates
    /// too. `\u0000` is legal. Never traps, whatever the bytes. Cost: about 1 µs for a workout of 250 bytes.
    /// - Parameter maximumDepth: how many arrays and objects may lie within each other; above 512 counts as 512.
    /// - Throws: what is wrong, and at which byte.
    public static func parse(_ bytes: Span<UInt8>, maximumDepth: Int = 32) throws(JSONError) -> JSONValue {
        var parser = JSONParser(maximumDepth: min(maximumDepth, 512))
        return try parser.document(bytes)
    }

    /// Reads one JSON document from an array; see the other form.
    public static func parse(_ bytes: [UInt8], maximumDepth: Int = 32) throws(JSONError) -> JSONValue {
        try parse(bytes.span, maximumDepth: maximumDepth)
    }
}

/// Whether two texts are the same code points: `==` also takes the Kelvin sign for a K.
#if hasFeature(Embedded)
    @inline(never)
#endif
func hasSameBytes(_ left: String, _ right: String) -> Bool {
    guard left.utf8.count == right.utf8.count else { return false }
    let (one, other) = (left.utf8.span, right.utf8.span)
    for index in one.indices where one[index] != other[index] { return false }
    return true
}
