/// How a challenge does: the two measures by which it is judged, today and at the end of each day.
public struct BoardSummary: Hashable, Sendable {
    /// The sums as they stand.
    public var now: BoardTotals
    /// The sums at the end of each day on which something has changed, in any order.
    public var changes: [Day: BoardTotals]

    /// Joins the parts.
    public init(now: BoardTotals, changes: [Day: BoardTotals]) {
        self.now = now
        self.changes = changes
    }

    /// Every day from the first entry's on through today, the last 400 at most; a day without a change is like the one before.
    ///
    /// A day of the database beyond today, of a server whose clock is ahead, counts as the last one.
    public func history(today: Day) -> [(day: Day, totals: BoardTotals)] {
        guard let first = changes.keys.min(), let lastChange = changes.keys.max() else { return [] }
        let last = max(today, lastChange)
        let start = max(first, last.advanced(by: 1 - LeaderboardLimits.historyDays))
        var totals = changes.filter { $0.key <= start }.max { $0.key < $1.key }?.value ?? BoardTotals()
        return DaySpan(from: start, through: last).map { day in
            totals = changes[day] ?? totals
            return (day, totals)
        }
    }

    /// The body of an answer.
    public func encode(today: Day) -> [UInt8] {
        let history = history(today: today)
        var writer = JSONWriter(reserving: 128 + history.count * 110)
        writer.beginObject()
        writer.members(now)
        writer.name("history")
        writer.beginArray()
        for (day, totals) in history {
            writer.beginObject()
            writer.member("day", day)
            writer.members(totals)
            writer.endObject()
        }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }
}
