/// Cuts the span of a workout at the midnights of its own time zone.
///
/// The day of an instant is the date that the local clock shows then. Nothing else is asked of the time zone, so days of
/// 23 and 25 hours, midnights that do not exist, midnights that come twice and dates that a country skipped need no rule of
/// their own: the offset changes are found, and between two of them midnights are 24 hours apart.
///
/// A change is noticed by the offset at the start, every six hours, and at the last millisecond. Two changes less than six
/// hours apart that cancel each other are out of scope: in the time-zone database no two changes of a zone lie closer than
/// three days.
public enum DayCut {
    /// The longest span that is cut, in milliseconds: the 48 hours that a workout may last.
    ///
    /// It keeps the work small and the shares exact; see ``share(_:of:in:)``.
    public static let longestSpan: Int64 = 172_800_000

    /// How far apart the offset is looked at, in milliseconds.
    private static let lookEvery: Int64 = 21_600_000

    /// The stretches of `[start, end)` by local day, in order of time.
    ///
    /// They tile the span and none is empty. Neighbours have different days; where the clock is put back over midnight, a
    /// day comes twice.
    ///
    /// - Returns: nothing when the span is empty, reversed or longer than ``longestSpan``.
    public static func segments(from start: Timestamp, to end: Timestamp, clock: some LocalClock) -> [DaySegment] {
        guard length(from: start, to: end) != nil else { return [] }
        var segments: [DaySegment] = []
        var from = start
        while from < end {
            let offset = clock.offsetSeconds(at: from)
            let to = change(from: offset, after: from, before: end, clock: clock) ?? end
            append(from: from, to: to, offset: offset, into: &segments)
            from = to
        }
        return segments
    }

    /// The day of a span that crosses neither a midnight nor an offset change: nearly every workout.
    ///
    /// The same answer as ``segments(from:to:clock:)`` with one segment, but without an allocation.
    ///
    /// - Returns: nil when there is something to cut, or when the span is none (see ``segments(from:to:clock:)``).
    public static func singleDay(from start: Timestamp, to end: Timestamp, clock: some LocalClock) -> Day? {
        guard let length = length(from: start, to: end) else { return nil }
        let offset = clock.offsetSeconds(at: start)
        let (day, untilMidnight) = date(at: start, offset: offset)
        guard length <= untilMidnight, change(from: offset, after: start, before: end, clock: clock) == nil else {
            return nil
        }
        return day
    }

    /// The length of a span in milliseconds; nil when it is empty, reversed or longer than ``longestSpan``.
    static func length(from start: Timestamp, to end: Timestamp) -> Int64? {
        let (length, overflow) = end.milliseconds.subtractingReportingOverflow(start.milliseconds)
        return !overflow && length > 0 && length <= longestSpan ? length : nil
    }

    /// The first instant in `(start, end)` at which the clock is no longer `offset` seconds ahead; nil if there is none.
    private static func change(
        from offset: Int, after start: Timestamp, before end: Timestamp, clock: some LocalClock
    ) -> Timestamp? {
        let last = end.milliseconds - 1
        var low = start.milliseconds
        while low < last {
            var high = last - low > lookEvery ? low + lookEvery : last
            if clock.offsetSeconds(at: Timestamp(milliseconds: high)) == offset {
                low = high
                continue
            }
            while high - low > 1 {
                let middle = low + (high - low) / 2
                if clock.offsetSeconds(at: Timestamp(milliseconds: middle)) == offset {
                    low = middle
                } else {
                    high = middle
                }
            }
            return Timestamp(milliseconds: high)
        }
        return nil
    }

    /// Cuts a stretch of constant offset at its midnights; what continues the last segment's day makes that one longer.
    private static func append(from start: Timestamp, to end: Timestamp, offset: Int, into segments: inout [DaySegment])
    {
        var (day, untilMidnight) = date(at: start, offset: offset)
        var from = start
        while from < end {
            let rest = end.milliseconds - from.milliseconds
            let to = rest > untilMidnight ? Timestamp(milliseconds: from.milliseconds + untilMidnight) : end
            if let last = segments.last, last.day == day {
                segments[segments.count - 1].to = to
            } else {
                segments.append(DaySegment(day: day, from: from, to: to))
            }
            from = to
            day = day.advanced(by: 1)
            untilMidnight = Day.milliseconds
        }
    }

    /// The date at an instant under a known offset, and the milliseconds until the next midnight: 1 … 86 400 000.
    private static func date(at instant: Timestamp, offset: Int) -> (day: Day, untilMidnight: Int64) {
        let local = instant.milliseconds &+ Int64(offset) &* 1000
        let (days, time) = local.quotientAndRemainder(dividingBy: Day.milliseconds)
        return time < 0
            ? (Day(number: Int32(clamping: days - 1)), -time)
            : (Day(number: Int32(clamping: days)), Day.milliseconds - time)
    }
}
