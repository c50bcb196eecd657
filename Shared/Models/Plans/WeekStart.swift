/// The weekday on which a user's calendar weeks begin.
///
/// The raw values are what the database holds; never renumber.
public enum WeekStart: Int16, CaseIterable, Hashable, Sendable {
    /// ISO 8601 and most of Europe.
    case monday = 0
    /// The Americas and much of Asia.
    case sunday = 1
    /// Much of the Arab world.
    case saturday = 2

    /// Reads the wire's word, in exactly this spelling.
    public init?(word: String) {
        switch word {
        case "monday": self = .monday
        case "sunday": self = .sunday
        case "saturday": self = .saturday
        default: return nil
        }
    }

    /// The word on the wire.
    public var word: String {
        switch self {
        case .monday: "monday"
        case .sunday: "sunday"
        case .saturday: "saturday"
        }
    }
}
