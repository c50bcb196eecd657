/// The position within a document that is being read.
///
/// The bytes are passed along, since a span cannot be stored.
struct JSONParser {
    var position = 0
    private var depth = 0
    private let maximumDepth: Int
    /// How many members the last object had: the next one likely has the same form, and then its array is allocated once.
    private var expectedMembers = 9

    init(maximumDepth: Int) { self.maximumDepth = maximumDepth }

    /// The whole document.
    mutating func document(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
        if bytes.count >= 3 && bytes[0] == 0xEF && bytes[1] == 0xBB && bytes[2] == 0xBF {
            throw JSONError(.byteOrderMark, at: 0)
        }
        if nextByte(bytes) == nil { throw JSONError(.empty, at: 0) }
        let value = try value(bytes)
        if nextByte(bytes) != nil { throw JSONError(.trailingBytes, at: position) }
        return value
    }

    /// The value that begins at the next byte that is no white space.
    private mutating func value(_ bytes: Span<UInt8>) throws(JSONError) -> JSONValue {
        guard let first = nextByte(bytes) else { throw JSONError(.unexpectedEnd, at: position) }
        switch first {
        case UInt8(ascii: "\""):
            return .string(try string(bytes))
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return .number(try number(bytes))
        case UInt8(ascii: "{"):
            try enter()
            defer { depth -= 1 }
            return .object(try members(bytes))
        case UInt8(ascii: "["):
            try enter()
            defer { depth -= 1 }
            return .array(try elements(bytes))
        case UInt8(ascii: "t"):
            try word("true", bytes)
            return .bool(true)
        case UInt8(ascii: "f"):
            try word("false", bytes)
            return .bool(false)
        case UInt8(ascii: "n"):
            try word("null", bytes)
            return .null
        case UInt8(ascii: "N"), UInt8(ascii: "I"):
            throw JSONError(.notFinite, at: position)
        default:
            throw JSONError(.unexpectedByte, at: position)
        }
    }

    /// Steps over the bracket that opens an array or object.
    private mutating func enter() throws(JSONError) {
        if depth >= maximumDepth { throw JSONError(.tooDeep, at: position) }
        depth += 1
        position += 1
    }

    private mutating func elements(_ bytes: Span<UInt8>) throws(JSONError) -> [JSONValue] {
        var elements: [JSONValue] = []
        if try takes(UInt8(ascii: "]"), bytes) { return elements }
        while true {
            elements.append(try value(bytes))
            if try ends(with: UInt8(ascii: "]"), bytes) { return elements }
        }
    }

    private mutating func members(_ bytes: Span<UInt8>) throws(JSONError) -> [JSONMember] {
        var members: [JSONMember] = []
        var names = JSONNameSet()
        if try takes(UInt8(ascii: "}"), bytes) { return members }
        members.reserveCapacity(expectedMembers)
        while true {
            guard let quote = nextByte(bytes) else { throw JSONError(.unexpectedEnd, at: position) }
            guard quote == UInt8(ascii: "\"") else { throw JSONError(.unexpectedByte, at: position) }
            let start = position
            let name = try string(bytes)
            guard names.insert(name, beside: members) else { throw JSONError(.duplicateName, at: start) }
            guard let colon = nextByte(bytes) else { throw JSONError(.unexpectedEnd, at: position) }
            guard colon == UInt8(ascii: ":") else { throw JSONError(.unexpectedByte, at: position) }
            position += 1
            members.append(JSONMember(name, try value(bytes)))
            if try ends(with: UInt8(ascii: "}"), bytes) { break }
        }
        expectedMembers = min(members.count, JSONNameSet.linearLimit)
        return members
    }
}

extension JSONParser {
    /// The next byte that is no white space, without stepping over it; nil at the end.
    private mutating func nextByte(_ bytes: Span<UInt8>) -> UInt8? {
        while position < bytes.count {
            switch bytes[position] {
            case 0x20, 0x0A, 0x0D, 0x09: position += 1
            case let byte: return byte
            }
        }
        return nil
    }

    /// Steps over a byte if it is the next one.
    private mutating func takes(_ byte: UInt8, _ bytes: Span<UInt8>) throws(JSONError) -> Bool {
        guard let next = nextByte(bytes) else { throw JSONError(.unexpectedEnd, at: position) }
        if next == byte { position += 1 }
        return next == byte
    }

    /// Steps over the closing bracket (true) or a comma (false).
    private mutating func ends(with bracket: UInt8, _ bytes: Span<UInt8>) throws(JSONError) -> Bool {
        if try takes(bracket, bytes) { return true }
        guard try takes(UInt8(ascii: ","), bytes) else { throw JSONError(.unexpectedByte, at: position) }
        return false
    }

    private mutating func word(_ word: String, _ bytes: Span<UInt8>) throws(JSONError) {
        for byte in word.utf8 {
            guard position < bytes.count else { throw JSONError(.unexpectedEnd, at: position) }
            guard bytes[position] == byte else { throw JSONError(.unexpectedByte, at: position) }
            position += 1
        }
    }
}
