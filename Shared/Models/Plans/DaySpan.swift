/// Calendar days in a row.
///
/// Dates as such: a day of 23 or 25 hours is one of them, and so is a date that a zone left out (Pacific/Apia had no 2011-12-30);
/// nothing was done on it, so it has zeros.
public struct DaySpan: Hashable, Sendable, RandomAccessCollection {
    /// The first day.
    public var start: Day
    /// How many days; at least 0.
    public let count: Int

    /// So many days from the first on; a count below 0 is none.
    public init(start: Day, count: Int) {
        self.start = start
        self.count = Swift.max(0, count)
    }

    /// The days from one to another, both included; none if they are in the wrong order.
    public init(from start: Day, through end: Day) {
        self.init(start: start, count: Int(clamping: Int64(end.number) - Int64(start.number) + 1))
    }

    /// The last seven days up to one, which comes last.
    public static func lastSeven(to day: Day) -> DaySpan { DaySpan(start: day.advanced(by: -6), count: 7) }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of days.
    public var endIndex: Int { count }
    /// The day so many days after the first.
    public subscript(position: Int) -> Day { start.advanced(by: position) }
}

extension DaySpan {
    /// The sum of what was done on the days; workouts that touch two of them count twice.
    public func sum(_ totals: (Day) -> DayTotals) -> DayTotals {
        var sum = DayTotals()
        for day in self {
            let day = totals(day)
            sum.steps &+= day.steps
            sum.distance += day.distance
            sum.workouts &+= day.workouts
        }
        return sum
    }
}
