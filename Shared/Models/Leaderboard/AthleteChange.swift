/// Something that is done to the athletes of a challenge.
public enum AthleteChange: Hashable, Sendable {
    /// An organiser records an athlete under an id of their choice.
    case record(NamedEntry, by: UserID?)
    /// An organiser takes an athlete off the board.
    case remove(id: Int64, by: UserID?)
    /// A user enters themselves; `fresh` is the id that a new entry gets.
    case recordOwn(AthleteEntry, of: UserID, fresh: Int64)
    /// A user takes their own entry off the board.
    case removeOwn(of: UserID)
    /// A user is erased: their own entry leaves the board, whatever the challenge allows, and the log does not name them.
    case erase(UserID)

    /// An id for somebody who enters themselves: at random from the upper half of the range, where organisers' numbers seldom are.
    public static func freshID() -> Int64 {
        Int64.random(in: (LeaderboardLimits.largestInteger / 2)...LeaderboardLimits.largestInteger)
    }
}

/// What became of a change.
public enum AthleteOutcome: Hashable, Sendable {
    /// The athlete is new.
    case created(id: Int64)
    /// The athlete was there and is different now.
    case updated(id: Int64)
    /// Everything is as it was: recorded twice counts once.
    case unchanged(id: Int64)
    /// The athlete is gone, or was not there.
    case removed
    /// The id belongs to a user who has entered themselves, and only they may record it.
    case belongsToUser
    /// The challenge takes no entries of users.
    case takesNoSelfReports
    /// The fresh id is taken; try another one.
    case freshIDTaken
    /// The user was erased, and this token does not count any more, or does not count yet because that is under way.
    case refused(isUnderWay: Bool)
}

/// One athlete as it is stored.
public struct StoredAthlete: Hashable, Sendable {
    /// The athlete's id.
    public var id: Int64
    /// What is recorded.
    public var entry: AthleteEntry
    /// The user whose own entry it is; nil for an organiser's.
    public var owner: UserID?

    /// Joins the parts.
    public init(id: Int64, entry: AthleteEntry, owner: UserID?) {
        self.id = id
        self.entry = entry
        self.owner = owner
    }
}
