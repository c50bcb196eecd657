import Models
import Testing

@Suite("The cut under random clocks and spans")
struct DayCutPropertyTests {
    /// A zone with a few changes, quarter hours and whole days among them, at least six hours apart.
    static func clock(_ random: inout SplitMix) -> PiecewiseClock {
        func offset() -> Int { Int.random(in: -64...64, using: &random) * 900 }
        var clock = PiecewiseClock(first: offset())
        var at = Timestamp.utc(20_000, 0).milliseconds
        for _ in 0..<Int.random(in: 0...4, using: &random) {
            at += Int64.random(in: 21_600_001...150_000_000, using: &random)
            clock.changes.append((Timestamp(milliseconds: at), offset()))
        }
        return clock
    }

    static func span(_ random: inout SplitMix) -> (start: Timestamp, end: Timestamp) {
        let longest: Int64 = Bool.random(using: &random) ? DayCut.longestSpan : 3_600_000
        let start = Timestamp.utc(20_000, 0).milliseconds + Int64.random(in: 0...400_000_000, using: &random)
        return (
            Timestamp(milliseconds: start),
            Timestamp(milliseconds: start + Int64.random(in: 1...longest, using: &random))
        )
    }

    @Test("Segments tile the span, show the clock's own day throughout, and differ from their neighbours")
    func tiling() {
        var random = SplitMix(state: 1)
        for _ in 0..<3000 {
            let clock = Self.clock(&random)
            let (start, end) = Self.span(&random)
            let segments = DayCut.segments(from: start, to: end, clock: clock)
            var reached = start
            var previous: Day?
            for segment in segments {
                #expect(segment.from == reached && segment.from < segment.to)
                #expect(segment.day != previous)
                for instant in [
                    segment.from.milliseconds, segment.to.milliseconds - 1,
                    Int64.random(in: segment.from.milliseconds..<segment.to.milliseconds, using: &random),
                ] {
                    #expect(clock.day(at: Timestamp(milliseconds: instant)) == segment.day)
                }
                reached = segment.to
                previous = segment.day
            }
            #expect(reached == end)
        }
    }

    @Test("The single day is there exactly when neither a midnight nor an offset change lies inside")
    func singleDay() {
        var random = SplitMix(state: 2)
        var found = 0
        for _ in 0..<3000 {
            let clock = Self.clock(&random)
            let (start, end) = Self.span(&random)
            let segments = DayCut.segments(from: start, to: end, clock: clock)
            let changesInside = clock.changes.enumerated().contains { index, change in
                let before = index == 0 ? clock.first : clock.changes[index - 1].offset
                return start < change.at && change.at < end && before != change.offset
            }
            let day = DayCut.singleDay(from: start, to: end, clock: clock)
            #expect(day == (segments.count == 1 && !changesInside ? segments[0].day : nil))
            found += day == nil ? 0 : 1
        }
        #expect(found > 500 && found < 2500)
    }

    @Test("Parts add up exactly and lie within one of their exact share")
    func parts() {
        var random = SplitMix(state: 3)
        for _ in 0..<3000 {
            let (start, end) = Self.span(&random)
            let segments = DayCut.segments(from: start, to: end, clock: Self.clock(&random))
            let steps = Int32.random(in: 0...(Bool.random(using: &random) ? 500_000 : 5), using: &random)
            let distance = Int64.random(in: 0...(Bool.random(using: &random) ? .max : 500_000_000), using: &random)
            let parts = DayCut.parts(of: segments, steps: steps, distance: Millimetres(distance))
            #expect(parts.map(\.day) == Set(segments.map(\.day)).sorted())
            #expect(parts.reduce(0) { $0 + $1.steps } == steps)
            #expect(parts.reduce(0) { $0 + $1.distance.count } == distance)
            let whole = Int128(end.milliseconds - start.milliseconds)
            #expect(parts.reduce(0) { $0 + Int128($1.milliseconds) } == whole)
            for part in parts {
                let share = Int128(part.milliseconds)
                #expect((Int128(part.steps) * whole - Int128(steps) * share).magnitude < whole.magnitude)
                #expect((Int128(part.distance.count) * whole - Int128(distance) * share).magnitude < whole.magnitude)
            }
        }
    }
}
