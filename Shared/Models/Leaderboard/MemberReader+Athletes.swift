/// The rules of members that athletes and challenges share; each answers nil for what is faulty or left out.
extension MemberReader {
    /// Name, score and picture of an athlete.
    mutating func entry() -> AthleteEntry? {
        let name = athleteName("name")
        let score = score("score")
        let imageURL = imageURL("image_url")
        guard let name else { return nil }
        return AthleteEntry(name: name, score: score, imageURL: imageURL)
    }

    /// A required name.
    mutating func athleteName(_ member: String) -> String? {
        guard let text = string(member, isRequired: true, expected: "a text in a string") else { return nil }
        guard AthleteRules.acceptsName(text) else {
            return fault(
                member,
                "must have 1 to 100 characters besides white space at its ends, 200 with it, no control characters")
        }
        return text
    }

    /// An integer that a double holds exactly.
    mutating func bounded(_ member: String, _ number: JSONNumber) -> Int64? {
        guard let value = number.exactInteger, LeaderboardLimits.accepts(value) else {
            return fault(member, "must be an integer from -9007199254740991 to 9007199254740991")
        }
        return value
    }

    private mutating func score(_ member: String) -> Int64? {
        guard has(member), let number = number(member, expected: "an integer or null") else { return nil }
        return bounded(member, number)
    }

    private mutating func imageURL(_ member: String) -> String? {
        guard let text = string(member, isRequired: false, expected: "an https address in a string") else {
            return nil
        }
        guard AthleteRules.acceptsImageURL(text) else {
            return fault(member, "must be an https address of at most 500 printable ASCII characters without spaces")
        }
        return text
    }

    private func has(_ name: String) -> Bool { object.has(name) }
}

/// The rules of single values, for bodies and files alike.
public enum AthleteRules {
    /// Whether an athlete or a challenge may have this name.
    public static func acceptsName(_ text: String) -> Bool {
        TextRule.accepts(text) && text.unicodeScalars.count <= LeaderboardLimits.nameWithSpace
    }

    /// Whether a picture may have this address: `https://`, a host, and no byte that could end an attribute or
    /// a line, or that RFC 3986 allows in no path.
    public static func acceptsImageURL(_ text: String) -> Bool {
        let scheme: String = "https://"
        guard text.utf8.count <= LeaderboardLimits.imageURLBytes, text.utf8.starts(with: scheme.utf8) else {
            return false
        }
        let rest = text.utf8.dropFirst(scheme.utf8.count)
        guard let first = rest.first, !"/?#:@.".utf8.contains(first) else { return false }
        return rest.allSatisfy { (0x21...0x7E).contains($0) && !"\"<>[\\]^`{|}".utf8.contains($0) }
    }

    /// An id or score in decimal as paths and files spell it: one spelling each, so no `+1`, `01` or `-0`.
    public static func integer(_ text: some StringProtocol) -> Int64? {
        guard let value = Int64(text), LeaderboardLimits.accepts(value), "\(value)".utf8.elementsEqual(text.utf8)
        else { return nil }
        return value
    }
}
