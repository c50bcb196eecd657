/// What is told about a challenge.
public struct Challenge: Sendable {
    /// What people call it, as sent.
    public var name: String
    /// Which score is better.
    public var order: BoardOrder
    /// What the workout is; empty when nothing was said.
    public var description: String
    /// Whether users may enter themselves.
    public var takesSelfReports: Bool

    /// Joins the parts; the rules are not checked, `decode` does that.
    public init(
        name: String, order: BoardOrder = .descending, description: String = "", takesSelfReports: Bool = false
    ) {
        self.name = name
        self.order = order
        self.description = description
        self.takesSelfReports = takesSelfReports
    }

    /// The body of an answer; also the form in which the cache keeps a challenge.
    public func encode() -> [UInt8] {
        var writer = JSONWriter(reserving: 128)
        writer.beginObject()
        writer.member("name", name)
        writer.member("order", order.rawValue)
        writer.member("description", description)
        writer.member("self_report", takesSelfReports)
        writer.endObject()
        return writer.bytes
    }

    /// Checks a challenge against every rule and lists all that it breaks.
    ///
    /// The whole of it is replaced: what is left out or `null` gets its default. A description may have line breaks and
    /// tabs, for a workout has several lines; other control characters are refused.
    public static func decode(_ value: JSONValue) -> Checked<Challenge> {
        guard case .object = value else {
            let detail = "must be an object that describes a challenge, not \(value.kindName)"
            return .invalid([Fault(pointer: "", detail: detail)])
        }
        var reader = MemberReader(value)
        let name = reader.athleteName("name")
        let order = reader.order("order")
        let description = reader.challengeDescription("description") ?? ""
        let takesSelfReports = reader.flag("self_report", of: value) ?? false
        guard reader.faults.isEmpty, let name else { return .invalid(reader.faults.faults) }
        return .valid(
            Challenge(
                name: name, order: order ?? .descending, description: description,
                takesSelfReports: takesSelfReports))
    }
}

extension Challenge: Equatable {
    /// Equal when every text has the same bytes.
    public static func == (left: Challenge, right: Challenge) -> Bool {
        hasSameBytes(left.name, right.name) && left.order == right.order
            && hasSameBytes(left.description, right.description) && left.takesSelfReports == right.takesSelfReports
    }
}

extension MemberReader {
    fileprivate mutating func order(_ name: String) -> BoardOrder? {
        guard let word = string(name, isRequired: false, expected: "desc or asc in a string") else { return nil }
        return BoardOrder(rawValue: word) ?? fault(name, "must be desc or asc")
    }

    fileprivate mutating func challengeDescription(_ name: String) -> String? {
        guard let text = string(name, isRequired: false, expected: "a text in a string") else { return nil }
        var length = 0
        for scalar in text.unicodeScalars {
            length += 1
            let isBreak = scalar == "\n" || scalar == "\r" || scalar == "\t"
            guard isBreak || !(scalar.value < 0x20 || (0x7F...0x9F).contains(scalar.value)) else {
                return fault(name, "must have no control characters but line breaks and tabs")
            }
        }
        guard length <= LeaderboardLimits.description else { return fault(name, "must have at most 2000 characters") }
        return text
    }

    fileprivate mutating func flag(_ name: String, of value: JSONValue) -> Bool? {
        switch value[member: name] {
        case nil, .null: return nil
        case .bool(let flag): return flag
        case .some(let other): return fault(name, "must be true or false, not \(other.kindName)")
        }
    }
}
