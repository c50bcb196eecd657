import Models

/// An hour as a wall clock shows it, without a zone: the hour in which the recording counted steps.
struct LocalHour: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// The date on the calendar.
    let day: Day
    /// 0 … 23.
    let hour: Int

    static func < (left: LocalHour, right: LocalHour) -> Bool { (left.day, left.hour) < (right.day, right.hour) }

    /// `2016-03-12T00`, the one spelling that goes into a request id.
    var description: String { "\(day)T\(hour < 10 ? "0" : "")\(hour)" }

    /// Milliseconds since 1970 if the wall clock showed UTC.
    private var wallMilliseconds: Int64 { Int64(day.number) * Day.milliseconds + Int64(hour) * 3_600_000 }

    /// The instant at which the hour begins: the first one at which the clock of the zone shows it or a later time.
    ///
    /// - An hour that comes twice, because the clocks are put back, is the first of the two.
    /// - An hour that never comes, because the clocks jump over it, begins at the moment of the jump. Where they jump by
    ///   an hour, that is also what `mktime` says with the offset before; the day stays the same, and the steps are
    ///   counted beside those of the hour that the clocks show then. Only where a zone has left out whole days
    ///   (Samoa, 2011) does such an hour count for the next day that there is.
    func start(in clock: some LocalClock) -> Timestamp {
        // Offsets lie between −12 and +14 hours, and no zone changes its clocks twice within three days.
        let low = Timestamp(milliseconds: wallMilliseconds - 15 * 3_600_000)
        let high = Timestamp(milliseconds: wallMilliseconds + 13 * 3_600_000)
        let (before, after) = (clock.offsetSeconds(at: low), clock.offsetSeconds(at: high))
        let early = Timestamp(milliseconds: wallMilliseconds - Int64(before) * 1000)
        guard before != after, clock.offsetSeconds(at: early) != before else { return early }
        let late = Timestamp(milliseconds: wallMilliseconds - Int64(after) * 1000)
        return clock.offsetSeconds(at: late) == after ? late : Self.change(low, high, clock)
    }

    /// The instant of the one change between two.
    private static func change(_ from: Timestamp, _ to: Timestamp, _ clock: some LocalClock) -> Timestamp {
        let before = clock.offsetSeconds(at: from)
        var (low, high) = (from.milliseconds, to.milliseconds)
        while high - low > 1 {
            let middle = low + (high - low) / 2
            if clock.offsetSeconds(at: Timestamp(milliseconds: middle)) == before {
                low = middle
            } else {
                high = middle
            }
        }
        return Timestamp(milliseconds: high)
    }
}

extension LocalHour {
    /// Reads `3/12/2016 0:00`: month, day, year, hour; nil for anything else, also for minutes other than 00.
    init?(parsing text: some StringProtocol) {
        let halves = text.split(separator: " ", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let date = halves[0].split(separator: "/", omittingEmptySubsequences: false).map { Self.number($0) }
        let time = halves[1].split(separator: ":", omittingEmptySubsequences: false)
        guard date.count == 3, let month = date[0], let dayOfMonth = date[1], let year = date[2], year >= 1000,
            let day = Day(year: year, month: month, day: dayOfMonth),
            time.count == 2, let hour = Self.number(time[0]), hour < 24, time[1] == "00"
        else { return nil }
        self.init(day: day, hour: Int(hour))
    }

    /// The hour of `01:00:00 PM`; nil for anything else.
    static func hourOfTwelve(_ text: some StringProtocol) -> Int? {
        let halves = text.split(separator: " ", omittingEmptySubsequences: false)
        guard halves.count == 2, halves[0].hasSuffix(":00:00"), let hour = number(halves[0].dropLast(6)),
            (1...12).contains(hour)
        else { return nil }
        switch halves[1] {
        case "AM": return Int(hour % 12)
        case "PM": return Int(hour % 12) + 12
        default: return nil
        }
    }

    /// Up to four plain digits.
    private static func number(_ text: some StringProtocol) -> Int32? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else {
            return nil
        }
        return Int32(text)
    }
}
