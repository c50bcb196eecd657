/// Reads the members of one object by name and collects what is wrong with them.
struct MemberReader {
    /// What was found so far.
    var faults = FaultList()
    let object: JSONValue

    init(_ object: JSONValue) { self.object = object }

    /// Notes a fault of a member; the nil is for the caller to return.
    mutating func fault<Value>(_ name: String, _ detail: String) -> Value? {
        faults.add("/\(name)", detail)
        return nil
    }

    /// A required number.
    mutating func number(_ name: String, expected: String) -> JSONNumber? {
        guard let value = object[member: name] else { return fault(name, "is required: \(expected)") }
        if case .number(let number) = value { return number }
        return fault(name, "must be \(expected), not \(value.kindName)")
    }

    /// A string; if it is optional, `null` counts as left out.
    mutating func string(_ name: String, isRequired: Bool, expected: String) -> String? {
        guard let value = object[member: name] else {
            return isRequired ? fault(name, "is required: \(expected)") : nil
        }
        if case .string(let text) = value { return text }
        if case .null = value, !isRequired { return nil }
        return fault(name, "must be \(expected), not \(value.kindName)")
    }

    /// A member's text if it is a string; no fault otherwise.
    func text(at name: String) -> String? {
        if case .string(let text)? = object[member: name] { return text }
        return nil
    }
}
