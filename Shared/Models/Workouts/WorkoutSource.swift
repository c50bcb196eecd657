/// How a workout came about.
///
/// The raw values are what the database holds; never renumber.
public enum WorkoutSource: Int16, Hashable, Sendable {
    /// The phone noticed steps by itself.
    case auto = 0
    /// The user entered or started it.
    case manual = 1

    /// Reads the wire's word, in exactly this spelling.
    public init?(word: String) {
        switch word {
        case "auto": self = .auto
        case "manual": self = .manual
        default: return nil
        }
    }

    /// The word on the wire.
    public var word: String {
        switch self {
        case .auto: "auto"
        case .manual: "manual"
        }
    }
}
