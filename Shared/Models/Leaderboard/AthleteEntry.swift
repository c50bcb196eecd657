/// What is recorded of an athlete, as it was sent.
public struct AthleteEntry: Sendable {
    /// The name, with the white space round it.
    public var name: String
    /// The result; nil for an athlete who has signed up and has none.
    public var score: Int64?
    /// Where the picture is; nil without one.
    public var imageURL: String?

    /// Joins the parts; the rules are not checked, `decode` does that.
    public init(name: String, score: Int64?, imageURL: String? = nil) {
        self.name = name
        self.score = score
        self.imageURL = imageURL
    }

    /// Checks an entry against every rule and lists all that it breaks; a score or picture left out counts as `null`.
    public static func decode(_ value: JSONValue) -> Checked<AthleteEntry> {
        guard case .object = value else {
            let detail = "must be an object that describes an athlete, not \(value.kindName)"
            return .invalid([Fault(pointer: "", detail: detail)])
        }
        var reader = MemberReader(value)
        let entry = reader.entry()
        guard reader.faults.isEmpty, let entry else { return .invalid(reader.faults.faults) }
        return .valid(entry)
    }
}

extension AthleteEntry: Equatable {
    /// Equal when every text has the same bytes: two spellings of one accented letter are two names.
    public static func == (left: AthleteEntry, right: AthleteEntry) -> Bool {
        guard left.score == right.score, hasSameBytes(left.name, right.name) else { return false }
        switch (left.imageURL, right.imageURL) {
        case (nil, nil): return true
        case (let left?, let right?): return hasSameBytes(left, right)
        default: return false
        }
    }
}

/// An athlete as a batch or a file names it.
public struct NamedEntry: Hashable, Sendable {
    /// The athlete's id, which the caller gives.
    public var id: Int64
    /// What is recorded.
    public var entry: AthleteEntry

    /// Joins the parts.
    public init(id: Int64, entry: AthleteEntry) {
        self.id = id
        self.entry = entry
    }

    /// Checks one item of a batch, whose pointers are relative to it: `/score`.
    public static func decode(_ value: JSONValue) -> Checked<NamedEntry> {
        guard case .object = value else {
            let detail = "must be an object that describes an athlete, not \(value.kindName)"
            return .invalid([Fault(pointer: "", detail: detail)])
        }
        var reader = MemberReader(value)
        let id = reader.number("id", expected: "an integer").flatMap { reader.bounded("id", $0) }
        let entry = reader.entry()
        guard reader.faults.isEmpty, let id, let entry else { return .invalid(reader.faults.faults) }
        return .valid(NamedEntry(id: id, entry: entry))
    }

    /// Checks a batch of 1 … 1000 athletes, each for itself.
    public static func decodeBatch(_ value: JSONValue) -> Checked<[Checked<NamedEntry>]> {
        guard case .object = value else {
            let detail = "must be an object with the member athletes, not \(value.kindName)"
            return .invalid([Fault(pointer: "", detail: detail)])
        }
        func refused(_ detail: String) -> Checked<[Checked<NamedEntry>]> {
            .invalid([Fault(pointer: "/athletes", detail: detail)])
        }
        guard let athletes = value[member: "athletes"] else { return refused("is required: an array of athletes") }
        guard case .array(let items) = athletes else {
            return refused("must be an array of athletes, not \(athletes.kindName)")
        }
        guard (1...LeaderboardLimits.batch).contains(items.count) else {
            return refused("must have 1 to 1000 athletes, not \(items.count)")
        }
        return .valid(items.map(decode))
    }
}

extension AthleteEntry: Hashable {
    /// Hashes what equality compares.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(score)
        for byte in name.utf8 { hasher.combine(byte) }
        for byte in (imageURL ?? "").utf8 { hasher.combine(byte) }
    }
}
