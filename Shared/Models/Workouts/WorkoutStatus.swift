/// Whether a workout may still grow.
///
/// The raw values are what the database holds; never renumber.
public enum WorkoutStatus: Int16, Hashable, Sendable {
    /// Nothing more will come.
    case complete = 0
    /// The phone will send greater numbers under the same requestId, or close it.
    case inProgress = 1

    /// Reads the wire's word, in exactly this spelling.
    public init?(word: String) {
        switch word {
        case "COMPLETE": self = .complete
        case "IN_PROGRESS": self = .inProgress
        default: return nil
        }
    }

    /// The word on the wire.
    public var word: String {
        switch self {
        case .complete: "COMPLETE"
        case .inProgress: "IN_PROGRESS"
        }
    }
}
