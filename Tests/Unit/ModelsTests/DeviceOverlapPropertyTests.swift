import Models
import Testing

@Suite("Time that several devices cover, at random")
struct DeviceOverlapPropertyTests {
    /// A user's workouts around two midnights.
    ///
    /// With `coarse`, spans and counts that often tie.
    static func workouts(count: Int, coarse: Bool, _ random: inout SplitMix) throws -> [StoredWorkout] {
        let devices = ["b", nil, "a", "ab", "B"].prefix(Int.random(in: 1...5, using: &random))
        let clocks: [PiecewiseClock] = [.utc, .utc, PiecewiseClock(first: 20_700), .stJohns]
        return try (0..<count).map { _ in
            let unit: Int64 = coarse ? 1_800_000 : 1
            let start =
                Timestamp.utc(14_919, 12).milliseconds
                + Int64.random(in: 0...86_400_000 / unit, using: &random) * unit
            let longest = Bool.random(using: &random) ? DayCut.longestSpan : 14_400_000
            let end = start + Int64.random(in: 1...longest / unit, using: &random) * unit
            let steps =
                coarse
                ? Int32((end - start) / unit) * Int32.random(in: 0...2, using: &random)
                : Int32.random(in: 0...500_000, using: &random)
            return try DeviceOverlapTests.workout(
                devices.randomElement(using: &random) ?? nil, from: Timestamp(milliseconds: start),
                to: Timestamp(milliseconds: end), steps: steps,
                distance: Int64.random(in: 0...500_000_000, using: &random),
                clock: clocks.randomElement(using: &random) ?? .utc)
        }
    }

    @Test("The totals are those of a slow recount with exact fractions", arguments: [false, true])
    func recount(coarse: Bool) throws {
        var random = SplitMix(state: coarse ? 11 : 12)
        for _ in 0..<400 {
            let count = Int.random(in: 1...9, using: &random)
            let workouts = try Self.workouts(count: count, coarse: coarse, &random)
            #expect(DeviceOverlap.totals(of: workouts) == SlowRecount(workouts).totals)
        }
    }

    @Test("The order of the workouts does not matter", arguments: [false, true])
    func order(coarse: Bool) throws {
        var random = SplitMix(state: coarse ? 21 : 22)
        for _ in 0..<40 {
            let workouts = try Self.workouts(count: 30, coarse: coarse, &random)
            let totals = DeviceOverlap.totals(of: workouts)
            #expect(DeviceOverlap.totals(of: workouts.reversed()) == totals)
            for _ in 0..<10 {
                #expect(DeviceOverlap.totals(of: workouts.shuffled(using: &random)) == totals)
            }
        }
    }

    @Test("The order does not matter for sums that tie only within the rounding")
    func orderOfTies() throws {
        // 1/3 + 1/6, 1/2, 1/7 + 5/14 and 1/5 + 3/10 are equal; the fixed-point sums are not all.
        let start = Timestamp.utc(20_000, 0)
        let rates: [(String, Int32, Int64)] = [
            ("d", 1, 3), ("d", 1, 6), ("c", 1, 2), ("b", 1, 7), ("b", 5, 14), ("a", 1, 5), ("a", 3, 10),
        ]
        let workouts = try rates.map { device, steps, milliseconds in
            try DeviceOverlapTests.workout(
                device, from: start, to: Timestamp(milliseconds: start.milliseconds + milliseconds * 1000),
                steps: steps * 1000, distance: milliseconds)
        }
        let totals = DeviceOverlap.totals(of: workouts)
        #expect(totals == SlowRecount(workouts).totals)
        var random = SplitMix(state: 31)
        for _ in 0..<100 { #expect(DeviceOverlap.totals(of: workouts.shuffled(using: &random)) == totals) }
    }

    @Test("One more workout changes only the days that are said to be affected")
    func daysAffected() throws {
        var random = SplitMix(state: 41)
        var unaffected = 0
        for _ in 0..<400 {
            let coarse = Bool.random(using: &random)
            var workouts = try Self.workouts(count: Int.random(in: 1...7, using: &random), coarse: coarse, &random)
            let after = DeviceOverlap.totals(of: workouts)
            let new = workouts.removeLast()
            let before = DeviceOverlap.totals(of: workouts)
            let affected = DeviceOverlap.daysAffected(by: new, among: workouts)
            for day in Set(after.keys).union(before.keys) where !affected.contains(day) {
                #expect(before[day] == after[day])
                unaffected += 1
            }
        }
        #expect(unaffected > 50)
    }

    @Test("Which days are affected: the new workout's own, and with a rival those of all it overlaps")
    func daysAffectedByHand() throws {
        func days(_ device: String?, _ stored: [StoredWorkout]) throws -> Set<Int32> {
            // 23:00–23:30 of day 20 000.
            let new = try DeviceOverlapTests.workout(device, 1380, 1410, steps: 1)
            return Set(DeviceOverlap.daysAffected(by: new, among: stored).map(\.number))
        }
        let intoTomorrow = try DeviceOverlapTests.workout("a", 1400, 1500, steps: 1)
        let fromYesterday = try DeviceOverlapTests.workout("b", -10, 1390, steps: 1)
        let touching = try DeviceOverlapTests.workout("b", 1410, 3000, steps: 1)
        let nameless = try DeviceOverlapTests.workout(nil, 1380, 3000, steps: 1)
        #expect(try days("a", []) == [20_000])
        #expect(try days("a", [intoTomorrow, touching, nameless]) == [20_000])
        #expect(try days("b", [intoTomorrow]) == [20_000, 20_001])
        #expect(try days("a", [intoTomorrow, fromYesterday]) == [19_999, 20_000, 20_001])
        #expect(try days(nil, [intoTomorrow, fromYesterday]) == [20_000])
    }
}
