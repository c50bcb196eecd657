import Models

extension JSONValue {
    /// The text of a member; nil if it is none.
    func text(_ name: MemberName) -> String? {
        if case .string(let text)? = self[member: name] { return text }
        return nil
    }

    /// The integer of a member; nil if it is none that fits.
    func integer(_ name: MemberName) -> Int64? {
        if case .number(let number)? = self[member: name] { return number.exactInteger }
        return nil
    }

    /// The truth value of a member; nil if it is none.
    func flag(_ name: MemberName) -> Bool? {
        if case .bool(let value)? = self[member: name] { return value }
        return nil
    }

    /// The elements of a member; nil if it is no array.
    func list(_ name: MemberName) -> [JSONValue]? {
        if case .array(let items)? = self[member: name] { return items }
        return nil
    }

    /// A member that is an object; nil if it is none.
    func object(_ name: MemberName) -> JSONValue? {
        if case .object? = self[member: name] { return self[member: name] }
        return nil
    }

    /// Whether there is a member other than null.
    func holds(_ name: MemberName) -> Bool {
        switch self[member: name] {
        case nil, .null: false
        default: true
        }
    }

    /// The millimetres of a member in metres; nil if it is no distance.
    func metres(_ name: MemberName) -> Int64? {
        guard case .number(let number)? = self[member: name], !number.isNegative else { return nil }
        return number.thousandths()
    }

    /// The UUID of a member; nil if it is none.
    func uuid(_ name: MemberName) -> UUIDValue? { text(name).flatMap { UUIDValue(parsing: $0) } }

    /// The day of a member; nil if it is none.
    func day(_ name: MemberName) -> Day? { text(name).flatMap { Day(parsing: $0) } }

    /// Elements of an array; empty if this is none.
    var elements: [JSONValue] {
        if case .array(let items) = self { return items }
        return []
    }

    /// An integer; nil if this is none.
    var integer: Int64? {
        if case .number(let number) = self { return number.exactInteger }
        return nil
    }
}

/// Whether two texts have the same bytes: names are never compared as text, which would need the tables of Unicode.
func same(_ left: String, _ right: String) -> Bool { left.utf8.elementsEqual(right.utf8) }
