import Models
import Testing

@Suite("The cut of a span at local midnights")
struct DayCutSegmentTests {
    /// A segment in words: the day's number and its length in minutes.
    struct Stretch: Equatable, CustomStringConvertible {
        var day: Int32
        var minutes: Double
        var description: String { "\(day): \(minutes) min" }
    }

    static func cut(_ start: Timestamp, _ end: Timestamp, _ clock: PiecewiseClock) -> [Stretch] {
        DayCut.segments(from: start, to: end, clock: clock).map {
            Stretch(day: $0.day.number, minutes: Double($0.milliseconds) / 60_000)
        }
    }

    @Test("A span over midnight gives two segments that meet there")
    func midnight() {
        let segments = DayCut.segments(from: .utc(20_422, 23, 30), to: .utc(20_423, 0, 30), clock: PiecewiseClock.utc)
        #expect(
            segments == [
                DaySegment(day: Day(number: 20_422), from: .utc(20_422, 23, 30), to: .utc(20_423, 0)),
                DaySegment(day: Day(number: 20_423), from: .utc(20_423, 0), to: .utc(20_423, 0, 30)),
            ])
    }

    @Test("An end exactly at midnight leaves no empty segment, a start there neither")
    func boundaries() {
        #expect(Self.cut(.utc(9, 23), .utc(10, 0), .utc) == [Stretch(day: 9, minutes: 60)])
        #expect(Self.cut(.utc(10, 0), .utc(11, 0), .utc) == [Stretch(day: 10, minutes: 1440)])
        let oneMillisecondMore = Timestamp(milliseconds: Timestamp.utc(11, 0).milliseconds + 1)
        #expect(
            Self.cut(.utc(10, 0), oneMillisecondMore, .utc)
                == [Stretch(day: 10, minutes: 1440), Stretch(day: 11, minutes: 1.0 / 60_000)])
    }

    @Test("48 hours touch three days, or two from midnight to midnight")
    func twoDays() {
        #expect(
            Self.cut(.utc(10, 6), .utc(12, 6), .utc)
                == [
                    Stretch(day: 10, minutes: 1080), Stretch(day: 11, minutes: 1440), Stretch(day: 12, minutes: 360),
                ])
        #expect(
            Self.cut(.utc(10, 0), .utc(12, 0), .utc)
                == [Stretch(day: 10, minutes: 1440), Stretch(day: 11, minutes: 1440)])
    }

    @Test("Midnight is where the offset puts it, also before 1970")
    func fixedOffsets() {
        // Kathmandu, +05:45: midnight at 18:15Z.
        #expect(
            Self.cut(.utc(20_000, 18), .utc(20_000, 19), PiecewiseClock(first: 20_700))
                == [Stretch(day: 20_000, minutes: 15), Stretch(day: 20_001, minutes: 45)])
        // Kiritimati, +14:00: midnight at 10:00Z.
        #expect(
            Self.cut(.utc(20_000, 9, 30), .utc(20_000, 11), PiecewiseClock(first: 50_400))
                == [Stretch(day: 20_000, minutes: 30), Stretch(day: 20_001, minutes: 60)])
        // Pago Pago, −11:00: midnight at 11:00Z, and the day before.
        #expect(
            Self.cut(.utc(20_000, 10, 50), .utc(20_000, 11, 50), PiecewiseClock(first: -39_600))
                == [Stretch(day: 19_999, minutes: 10), Stretch(day: 20_000, minutes: 50)])
        #expect(
            Self.cut(.utc(-2, 23), .utc(0, 1), .utc)
                == [Stretch(day: -2, minutes: 60), Stretch(day: -1, minutes: 1440), Stretch(day: 0, minutes: 60)])
    }

    @Test("The day that the clock goes forward has 23 hours, the day it goes back 25")
    func summerTime() {
        // Berlin: 29 March is 23:00Z of the 28th to 22:00Z; 25 October is 22:00Z of the 24th to 23:00Z.
        #expect(
            Self.cut(.utc(20_540, 22), .utc(20_541, 23), .berlin)
                == [
                    Stretch(day: 20_540, minutes: 60), Stretch(day: 20_541, minutes: 23 * 60),
                    Stretch(day: 20_542, minutes: 60),
                ])
        #expect(
            Self.cut(.utc(20_750, 21), .utc(20_752, 0), .berlin)
                == [
                    Stretch(day: 20_750, minutes: 60), Stretch(day: 20_751, minutes: 25 * 60),
                    Stretch(day: 20_752, minutes: 60),
                ])
        // New York: 13 March 2016 is 05:00Z to 04:00Z.
        #expect(
            Self.cut(.utc(16_873, 4), .utc(16_874, 5), .newYork)
                == [
                    Stretch(day: 16_872, minutes: 60), Stretch(day: 16_873, minutes: 23 * 60),
                    Stretch(day: 16_874, minutes: 60),
                ])
    }

    @Test("Where midnight does not exist the day starts at one o'clock")
    func missingMidnight() {
        // Santiago, 2026-09-06: 03:00Z is 23:00 of the 5th, 04:00Z is 01:00 of the 6th, 03:00Z a day later is midnight.
        #expect(
            Self.cut(.utc(20_702, 3), .utc(20_703, 4), .santiago)
                == [
                    Stretch(day: 20_701, minutes: 60), Stretch(day: 20_702, minutes: 23 * 60),
                    Stretch(day: 20_703, minutes: 60),
                ])
    }

    @Test("A date that a country skipped gets nothing")
    func missingDay() {
        // Apia: 29 December ends at 10:00Z of the 30th, and 31 December lasts from then until 10:00Z of the 31st.
        #expect(
            Self.cut(.utc(15_338, 9), .utc(15_339, 11), .apia)
                == [
                    Stretch(day: 15_337, minutes: 60), Stretch(day: 15_339, minutes: 1440),
                    Stretch(day: 15_340, minutes: 60),
                ])
    }

    @Test("A clock put back from midnight makes the old day an hour longer")
    func backFromMidnight() {
        // Santiago, 2026-04-04: 02:30Z is 23:30, 03:00Z would be midnight and is 23:00, 04:00Z is midnight.
        #expect(
            Self.cut(.utc(20_548, 2, 30), .utc(20_548, 5), .santiago)
                == [Stretch(day: 20_547, minutes: 90), Stretch(day: 20_548, minutes: 60)])
        // A span that ends at the change, or starts there, sees one day.
        #expect(Self.cut(.utc(20_548, 2), .utc(20_548, 3), .santiago) == [Stretch(day: 20_547, minutes: 60)])
        #expect(Self.cut(.utc(20_548, 3), .utc(20_548, 4), .santiago) == [Stretch(day: 20_547, minutes: 60)])
    }

    @Test("A clock put back over midnight makes a day come twice")
    func backOverMidnight() {
        // St John's, 2010-11-06: midnight at 02:30Z, at 02:31Z it is 23:01 again, the second midnight is at 03:30Z.
        #expect(
            Self.cut(.utc(14_920, 2), .utc(14_920, 4), .stJohns)
                == [
                    Stretch(day: 14_919, minutes: 30), Stretch(day: 14_920, minutes: 1),
                    Stretch(day: 14_919, minutes: 59), Stretch(day: 14_920, minutes: 30),
                ])
    }

    @Test("Two changes within six hours are both found as long as they do not cancel")
    func twoChanges() {
        // +0 until 12:00Z, then +9 (21:00), then at 13:00Z +11 (24:00): the second midnight is that change.
        let clock = PiecewiseClock(first: 0, changes: [(.utc(10, 12), 32_400), (.utc(10, 13), 39_600)])
        #expect(
            Self.cut(.utc(10, 11), .utc(10, 14), clock)
                == [Stretch(day: 10, minutes: 120), Stretch(day: 11, minutes: 60)])
    }

    @Test("A span has a single day up to its last millisecond, and none when it holds a midnight or a change")
    func singleDay() {
        func day(_ start: Timestamp, _ end: Timestamp, _ clock: PiecewiseClock) -> Int32? {
            DayCut.singleDay(from: start, to: end, clock: clock)?.number
        }
        func after(_ instant: Timestamp) -> Timestamp { Timestamp(milliseconds: instant.milliseconds + 1) }
        #expect(day(.utc(10, 0), .utc(11, 0), .utc) == 10)
        #expect(day(.utc(10, 0), after(.utc(11, 0)), .utc) == nil)
        #expect(day(.utc(20_541, 0), .utc(20_541, 1), .berlin) == 20_541)
        #expect(day(.utc(20_541, 0), after(.utc(20_541, 1)), .berlin) == nil)
        #expect(day(.utc(20_541, 1), .utc(20_541, 22), .berlin) == 20_541)
    }

    @Test(
        "What is no span of a workout has no segments and no day",
        arguments: [
            (0, 0), (1, 0), (0, DayCut.longestSpan + 1), (.min, .max), (.max, .min), (.min, 0), (.max, .max),
        ] as [(Int64, Int64)])
    func noSpan(start: Int64, end: Int64) {
        let (start, end) = (Timestamp(milliseconds: start), Timestamp(milliseconds: end))
        #expect(DayCut.segments(from: start, to: end, clock: PiecewiseClock.utc) == [])
        #expect(DayCut.singleDay(from: start, to: end, clock: PiecewiseClock.utc) == nil)
    }

    @Test("At the ends of the integers and under absurd offsets the segments still tile the span")
    func extremes() {
        let spans: [(Int64, Int64)] = [
            (.min, .min + DayCut.longestSpan), (.max - DayCut.longestSpan, .max), (-86_400_000, 86_400_000),
        ]
        for (start, end) in spans {
            for offset in [0, 1, -1, 86_399, .max, .min] {
                let segments = DayCut.segments(
                    from: Timestamp(milliseconds: start), to: Timestamp(milliseconds: end),
                    clock: PiecewiseClock(first: offset))
                #expect(segments.reduce(0) { $0 + $1.milliseconds } == end - start)
                #expect(segments.first?.from.milliseconds == start && segments.last?.to.milliseconds == end)
            }
        }
    }
}
