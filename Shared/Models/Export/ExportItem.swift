/// One line of an export.
public enum ExportItem: Hashable, Sendable {
    /// The first line: what this is and when it was begun.
    case begin(at: Timestamp)
    /// The profile, if one was put.
    case profile(Profile)
    /// The recurring goal, if there is one.
    case weeklyGoal(WeeklyGoal)
    /// A plan, also one that was replaced or deleted.
    case plan(WorkoutPlan, isCurrent: Bool)
    /// The user's own entry on a leaderboard.
    case athlete(NamedEntry, challenge: String)
    /// A result that the user has recorded on a leaderboard, about whomever; a removal has no score.
    case result(ExportedResult)
    /// What was done on a day, as far as anything was.
    case day(Day, DayTotals)
    /// A workout, or one that was deleted and is kept so that a late repeat brings nothing back.
    case workout(WorkoutListItem, isDeleted: Bool)
    /// The last line: how many there were before it. Without it an export is not whole.
    case end(lines: Int)

    /// The word by which a reader tells lines apart.
    public var kind: String {
        switch self {
        case .begin: "export"
        case .profile: "profile"
        case .weeklyGoal: "weekly_goal"
        case .plan: "plan"
        case .athlete: "athlete"
        case .result: "result"
        case .day: "day"
        case .workout(_, let isDeleted): isDeleted ? "deleted_workout" : "workout"
        case .end: "end"
        }
    }
}

/// A result as the log of a leaderboard has it.
public struct ExportedResult: Hashable, Sendable {
    /// Whose board.
    public var challenge: String
    /// The athlete's id.
    public var athleteID: Int64
    /// The score; nil without one, and when it was taken away.
    public var score: Int64?
    /// Whether the athlete was taken off the board.
    public var isRemoval: Bool
    /// When it was recorded.
    public var recordedAt: Timestamp

    /// Joins the parts.
    public init(challenge: String, athleteID: Int64, score: Int64?, isRemoval: Bool, recordedAt: Timestamp) {
        self.challenge = challenge
        self.athleteID = athleteID
        self.score = score
        self.isRemoval = isRemoval
        self.recordedAt = recordedAt
    }
}
