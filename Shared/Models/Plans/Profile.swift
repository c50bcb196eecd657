/// Where a user lives, as far as days and weeks are concerned.
public struct Profile: Hashable, Sendable {
    /// The IANA name of the time zone.
    public var timeZone: String
    /// The weekday on which calendar weeks begin.
    public var weekStart: WeekStart

    /// Joins the parts; without arguments, the profile of a user who never put one.
    public init(timeZone: String = "UTC", weekStart: WeekStart = .monday) {
        self.timeZone = timeZone
        self.weekStart = weekStart
    }

    /// The body of an answer.
    public func encode() -> [UInt8] {
        var writer = JSONWriter(reserving: 64)
        writer.profile(self)
        return writer.bytes
    }
}

extension JSONWriter {
    /// Writes `{"time_zone":"Europe/Berlin","week_start":"monday"}`.
    mutating func profile(_ profile: Profile) {
        beginObject()
        member("time_zone", profile.timeZone)
        member("week_start", profile.weekStart.word)
        endObject()
    }
}

/// What a client changes of its profile; what is nil keeps its value.
public struct ProfileSubmission: Hashable, Sendable {
    /// The IANA name of a known time zone; nil if left out.
    public var timeZone: String?
    /// The weekday on which weeks begin; nil if left out.
    public var weekStart: WeekStart?

    /// Joins the parts; the rules are not checked, `decode` does that.
    public init(timeZone: String? = nil, weekStart: WeekStart? = nil) {
        self.timeZone = timeZone
        self.weekStart = weekStart
    }

    /// The profile after the change.
    public func applied(to profile: Profile) -> Profile {
        Profile(timeZone: timeZone ?? profile.timeZone, weekStart: weekStart ?? profile.weekStart)
    }

    /// Checks a change of the profile and lists all the rules that it breaks; `{}` changes nothing, `null` counts as left out.
    ///
    /// - Parameter isKnownZone: whether the time-zone database has a name; asked only for printable ASCII of at most 64 characters.
    public static func decode(_ value: JSONValue, isKnownZone: (String) -> Bool) -> Checked<ProfileSubmission> {
        guard case .object = value else {
            let detail = "must be an object with time_zone and week_start, not \(value.kindName)"
            return .invalid([Fault(pointer: "", detail: detail)])
        }
        var reader = MemberReader(value)
        let timeZone = reader.string(
            "time_zone", isRequired: false, expected: "the IANA name of a time zone in a string")
        if let timeZone, !isKnown(timeZone, isKnownZone) { reader.faults.add("/time_zone", unknownZone) }
        let word = reader.string("week_start", isRequired: false, expected: "monday, sunday or saturday in a string")
        let weekStart = word.flatMap { WeekStart(word: $0) }
        if word != nil, weekStart == nil { reader.faults.add("/week_start", "must be monday, sunday or saturday") }
        guard reader.faults.isEmpty else { return .invalid(reader.faults.faults) }
        return .valid(ProfileSubmission(timeZone: timeZone, weekStart: weekStart))
    }

    /// What is said of a zone that the database does not have.
    static let unknownZone = "is not the name of a time zone in the IANA database, such as Europe/Berlin"

    static func isKnown(_ zone: String, _ isKnownZone: (String) -> Bool) -> Bool {
        isPrintableASCII(zone, upTo: 64) && isKnownZone(zone)
    }
}
