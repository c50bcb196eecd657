/// A calendar day without a time zone: days since 1970-01-01 in the proleptic Gregorian calendar.
public struct Day: Comparable, Hashable, Sendable {
    /// Days since 1970-01-01; negative before.
    public var number: Int32

    /// Wraps a day number.
    public init(number: Int32) { self.number = number }

    /// Milliseconds of a day without a change of the clock.
    public static let milliseconds: Int64 = 86_400_000

    /// Orders by date.
    public static func < (left: Day, right: Day) -> Bool { left.number < right.number }

    /// The day so many days later; negative counts go back.
    public func advanced(by days: Int) -> Day { Day(number: number &+ Int32(truncatingIfNeeded: days)) }
}

/// How far the clocks of a place are ahead of UTC.
///
/// The only thing that the rules of days need to know of a time zone.
public protocol LocalClock {
    /// Seconds ahead of UTC at an instant; negative west of Greenwich.
    func offsetSeconds(at instant: Timestamp) -> Int
}

extension LocalClock {
    /// The calendar day that this clock shows at an instant.
    public func day(at instant: Timestamp) -> Day {
        let local = instant.milliseconds &+ Int64(offsetSeconds(at: instant)) &* 1000
        let (days, rest) = local.quotientAndRemainder(dividingBy: Day.milliseconds)
        return Day(number: Int32(clamping: rest < 0 ? days - 1 : days))
    }
}
