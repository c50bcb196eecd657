/// What was done on each of some days in a row, days without workouts included.
public struct DaysPage: Hashable, Sendable {
    /// The days, in their order.
    public let days: DaySpan
    /// What was done on each of them.
    public let totals: [DayTotals]

    /// Looks up each of the days.
    public init(days: DaySpan, totals: (Day) -> DayTotals) {
        self.days = days
        self.totals = days.map { totals($0) }
    }

    /// The body of an answer.
    public func encode() -> [UInt8] {
        var writer = JSONWriter(reserving: 16 + totals.count * 72)
        writer.beginObject()
        writer.array("days", zip(days, totals)) { writer, entry in
            writer.beginObject()
            writer.member("day", entry.0)
            writer.member("steps", entry.1.steps)
            writer.member("distance", entry.1.distance)
            writer.member("workouts", Int64(entry.1.workouts))
            writer.endObject()
        }
        writer.endObject()
        return writer.bytes
    }
}
