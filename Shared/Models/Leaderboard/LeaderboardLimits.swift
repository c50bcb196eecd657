/// The bounds of the leaderboard.
public enum LeaderboardLimits {
    /// The largest id and score, 2^53 − 1: up to here a number is exact in JSON, in JavaScript and in a Redis sorted set.
    public static let largestInteger: Int64 = 9_007_199_254_740_991
    /// The most athletes of one batch.
    public static let batch = 1000
    /// The most neighbours on each side.
    public static let around = 50
    /// The most bytes of a picture's address.
    public static let imageURLBytes = 500
    /// The most scalars of a description.
    public static let description = 2000
    /// The most scalars of a name with the white space round it, which is returned as sent but must not grow without end.
    public static let nameWithSpace = 200
    /// The most days of a history.
    public static let historyDays = 400

    /// Whether an id or a score may have this value.
    public static func accepts(_ value: Int64) -> Bool { (-largestInteger...largestInteger).contains(value) }
}
