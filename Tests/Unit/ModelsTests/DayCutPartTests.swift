import Models
import Testing

@Suite("The share of each day")
struct DayCutPartTests {
    /// Segments of the given lengths, one after the other from the epoch on.
    static func segments(_ stretches: [(day: Int32, milliseconds: Int64)]) -> [DaySegment] {
        var from: Int64 = 0
        return stretches.map { stretch in
            defer { from += stretch.milliseconds }
            return DaySegment(
                day: Day(number: stretch.day), from: Timestamp(milliseconds: from),
                to: Timestamp(milliseconds: from + stretch.milliseconds))
        }
    }

    static func part(_ day: Int32, _ milliseconds: Int64, _ steps: Int32, _ distance: Int64) -> DayPart {
        DayPart(day: Day(number: day), milliseconds: milliseconds, steps: steps, distance: Millimetres(distance))
    }

    @Test("Half before and half after midnight: the odd step goes to the earlier day")
    func halves() {
        let segments = DayCut.segments(from: .utc(20_422, 23, 30), to: .utc(20_423, 0, 30), clock: PiecewiseClock.utc)
        #expect(
            DayCut.parts(of: segments, steps: 6001, distance: Millimetres(4_200_001))
                == [Self.part(20_422, 1_800_000, 3001, 2_100_001), Self.part(20_423, 1_800_000, 3000, 2_100_000)])
    }

    @Test("The largest remainder goes first, whichever day it is")
    func largestRemainder() {
        // 10 steps over 1 : 2 : 4 of 7 are 1.43, 2.86 and 5.71: the floors leave two, for the second and the third.
        // 5 mm are 0.71, 1.43 and 2.86: the floors leave two, for the third and the first.
        #expect(
            DayCut.parts(
                of: Self.segments([(1, 1000), (2, 2000), (3, 4000)]), steps: 10, distance: Millimetres(5))
                == [Self.part(1, 1000, 1, 1), Self.part(2, 2000, 3, 1), Self.part(3, 4000, 6, 3)])
        // One step over three equal days: a tie of all three.
        #expect(
            DayCut.parts(of: Self.segments([(1, 5), (2, 5), (3, 5)]), steps: 1, distance: Millimetres(2))
                == [Self.part(1, 5, 1, 1), Self.part(2, 5, 0, 1), Self.part(3, 5, 0, 0)])
    }

    @Test("A day that comes twice is one part, in its place among the days")
    func dayTwice() {
        // St John's: 30 + 59 minutes of the 6th, 1 + 30 of the 7th. 1201 × 89 / 120 = 890.74, 1201 × 31 / 120 = 310.26.
        let segments = DayCut.segments(from: .utc(14_920, 2), to: .utc(14_920, 4), clock: PiecewiseClock.stJohns)
        #expect(
            DayCut.parts(of: segments, steps: 1201, distance: Millimetres(120_000))
                == [Self.part(14_919, 5_340_000, 891, 89_000), Self.part(14_920, 1_860_000, 310, 31_000)])
        // The later day first: still in order of the days.
        #expect(
            DayCut.parts(of: Self.segments([(8, 10), (7, 20), (8, 10)]), steps: 3, distance: Millimetres(4))
                == [Self.part(7, 20, 2, 2), Self.part(8, 20, 1, 2)])
    }

    @Test("A workout inside one day keeps everything")
    func oneDay() {
        #expect(
            DayCut.parts(of: Self.segments([(7, 60_000)]), steps: 120, distance: Millimetres(87_500))
                == [Self.part(7, 60_000, 120, 87_500)])
    }

    @Test("The largest workout of the longest span is exact, and so is any integer")
    func largest() {
        let segments = Self.segments([(1, 86_399_999), (2, 86_400_000), (3, 1)])
        // 500 000 × 86 399 999 / 172 800 000 = 249 999.9971; × 86 400 000 = 250 000; × 1 = 0.0029: the unit left is the first's.
        // 500 000 000 mm: 249 999 997.106…, 250 000 000, 2.893…: the unit left is the third's.
        #expect(
            DayCut.parts(of: segments, steps: 500_000, distance: Millimetres(500_000_000))
                == [
                    Self.part(1, 86_399_999, 250_000, 249_999_997), Self.part(2, 86_400_000, 250_000, 250_000_000),
                    Self.part(3, 1, 0, 3),
                ])
        let parts = DayCut.parts(of: segments, steps: .max, distance: Millimetres(.max))
        #expect(parts.reduce(0) { $0 + $1.steps } == .max)
        #expect(parts.reduce(0) { $0 + $1.distance.count } == .max)
    }

    @Test("Nothing is shared out over no time, and less than nothing is nothing")
    func hostile() {
        let (zero, one) = (Timestamp(milliseconds: 0), Timestamp(milliseconds: 1))
        let (least, most) = (Timestamp(milliseconds: .min), Timestamp(milliseconds: .max))
        let day = Day(number: 0)
        for segments in [
            [], [DaySegment(day: day, from: zero, to: zero)], [DaySegment(day: day, from: one, to: zero)],
            [DaySegment(day: day, from: least, to: most)], [DaySegment(day: day, from: most, to: least)],
            [DaySegment(day: day, from: zero, to: one), DaySegment(day: day, from: one, to: zero)],
            Self.segments([(1, 86_400_000), (2, 86_400_000), (3, 1)]),
        ] {
            #expect(DayCut.parts(of: segments, steps: 10, distance: Millimetres(10)) == [])
        }
        #expect(
            DayCut.parts(of: Self.segments([(1, 10), (2, 20)]), steps: .min, distance: Millimetres(.min))
                == [Self.part(1, 10, 0, 0), Self.part(2, 20, 0, 0)])
    }
}
