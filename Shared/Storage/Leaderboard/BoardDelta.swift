package import Models

/// What leads from one revision of a board to a later one: the same after a write and for a cache that is behind.
package struct BoardDelta: Sendable {
    /// Whose board.
    package let challenge: ChallengeName
    /// The challenge at the later revision.
    package let about: Challenge
    /// The revision that the change builds on.
    package let from: Int64
    /// The revision after it.
    package let to: Int64
    /// The sums after it.
    package let totals: BoardTotals
    /// The sums at the end of days that are different.
    package let days: [Day: BoardTotals]
    /// The athletes who are different, as they stand after it; nil for one who is gone.
    package let athletes: [(id: Int64, entry: AthleteEntry?)]
}

/// A challenge and what its board adds up to.
package struct BoardHead: Sendable {
    /// What is told about it.
    package let about: Challenge
    /// How often it was changed.
    package let revision: Int64
    /// The sums.
    package let totals: BoardTotals
    /// The last day on which something has changed.
    let lastDay: Day?
}
