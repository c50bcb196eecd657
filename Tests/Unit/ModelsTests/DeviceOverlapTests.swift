import Models
import Testing

@Suite("Time that several devices cover")
struct DeviceOverlapTests {
    /// A workout in UTC; times are minutes after midnight of day 20 000.
    static func workout(
        _ device: String?, _ from: Int64, _ to: Int64, steps: Int32, distance: Int64 = 0, clock: PiecewiseClock = .utc
    ) throws -> StoredWorkout {
        try workout(
            device, from: .utc(20_000, 0, from), to: .utc(20_000, 0, to), steps: steps, distance: distance, clock: clock
        )
    }

    static func workout(
        _ device: String?, from start: Timestamp, to end: Timestamp, steps: Int32, distance: Int64 = 0,
        clock: PiecewiseClock = .utc
    ) throws -> StoredWorkout {
        try #require(
            StoredWorkout(
                id: 0, start: start, end: end, steps: steps, distance: Millimetres(distance), deviceID: device,
                segments: DayCut.segments(from: start, to: end, clock: clock)))
    }

    static func day(_ number: Int32, _ steps: Int64, _ distance: Int64 = 0, _ workouts: Int32) -> [Day: DayTotals] {
        [
            Day(number: number): DayTotals(steps: steps, distance: Millimetres(distance), workouts: workouts)
        ]
    }

    @Test("The watch takes its forty minutes from the phone: 1333 + 3500 + 9922 steps")
    func example() throws {
        // Phone 4000/60 a minute, watch 3500/40. The phone keeps 20 of 60 minutes: 1333.33 steps, and of 3 000 050 mm 1 000 016.67.
        let totals = DeviceOverlap.totals(of: [
            try Self.workout("phone", 480, 540, steps: 4000, distance: 3_000_050),
            try Self.workout("watch", 490, 530, steps: 3500, distance: 2_500_000),
            try Self.workout("phone", 720, 780, steps: 9922, distance: 7_000_000),
        ])
        #expect(totals == Self.day(20_000, 14_755, 1_000_017 + 2_500_000 + 7_000_000, 3))
    }

    @Test("No workouts, no days")
    func empty() {
        #expect(DeviceOverlap.totals(of: []) == [:])
    }

    @Test("Workouts of one device, and workouts without a device, are added")
    func added() throws {
        let same = [
            try Self.workout("phone", 0, 60, steps: 100, distance: 7), try Self.workout("phone", 30, 90, steps: 50),
        ]
        #expect(DeviceOverlap.totals(of: same) == Self.day(20_000, 150, 7, 2))
        let without = [
            try Self.workout(nil, 0, 60, steps: 100), try Self.workout(nil, 0, 60, steps: 50),
            try Self.workout("phone", 0, 60, steps: 1), try Self.workout(nil, 0, 60, steps: 0),
        ]
        #expect(DeviceOverlap.totals(of: without) == Self.day(20_000, 151, 0, 4))
    }

    @Test("Devices that only touch lose nothing")
    func touching() throws {
        let workouts = [try Self.workout("a", 0, 60, steps: 1), try Self.workout("b", 60, 120, steps: 1000)]
        #expect(DeviceOverlap.totals(of: workouts) == Self.day(20_000, 1001, 0, 2))
    }

    @Test("The rates of one device's workouts are summed before devices are compared")
    func summedRates() throws {
        // 60 + 60 steps an hour of the phone beat the watch's 100; each phone workout alone would not.
        let workouts = [
            try Self.workout("phone", 0, 60, steps: 60), try Self.workout("phone", 0, 60, steps: 60),
            try Self.workout("watch", 0, 60, steps: 100),
        ]
        #expect(DeviceOverlap.totals(of: workouts) == Self.day(20_000, 120, 0, 3))
        // Half an hour later the second one ends, and the watch takes the rest: 60 × 30/60 + 60 + 100 × 30/60.
        let shorter = [
            try Self.workout("phone", 0, 60, steps: 60), try Self.workout("phone", 0, 30, steps: 60),
            try Self.workout("watch", 0, 60, steps: 100),
        ]
        #expect(DeviceOverlap.totals(of: shorter) == Self.day(20_000, 30 + 60 + 50, 0, 3))
    }

    @Test("Equal rates go to the smaller device id by bytes, rate zero included")
    func ties() throws {
        func distance(_ first: String, _ second: String, steps: Int32) throws -> Int64? {
            let workouts = [
                try Self.workout(first, 0, 60, steps: steps, distance: 1),
                try Self.workout(second, 0, 120, steps: steps * 2, distance: 20),
            ]
            return DeviceOverlap.totals(of: workouts)[Day(number: 20_000)]?.distance.count
        }
        for steps: Int32 in [0, 7] {
            // The first wins: 1 + 20 × 60/120. It loses: 0 + 20.
            #expect(try distance("a", "b", steps: steps) == 11)
            #expect(try distance("b", "a", steps: steps) == 20)
            #expect(try distance("Z", "a", steps: steps) == 11)
            #expect(try distance("a", "ab", steps: steps) == 11)
            #expect(try distance("10", "9", steps: steps) == 11)
            // One letter in two spellings: 65 CC 81 and C3 A9. Two devices, the longer spelling first.
            #expect(try distance("e\u{301}", "\u{E9}", steps: steps) == 11)
            #expect(try distance("\u{E9}", "e\u{301}", steps: steps) == 20)
        }
    }

    @Test("A tie is seen through rounding: 1/3 + 1/6 equals 1/2")
    func tieOfSums() throws {
        let start = Timestamp.utc(20_000, 0)
        func after(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: start.milliseconds + milliseconds) }
        // Device a with 1/3 + 1/6 steps a millisecond for 3 ms, b with 1/2 for 3 ms (3 in 6, the second half alone with a).
        // 0–3 ms: a tie, a counts. 3–6: a has 1/6, b 1/2, b counts. a: 1 + round(1 × 3/6) = 2. b: round(3 × 3/6) = 2.
        let workouts = [
            try Self.workout("a", from: start, to: after(3), steps: 1),
            try Self.workout("a", from: start, to: after(6), steps: 1),
            try Self.workout("b", from: start, to: after(6), steps: 3),
        ]
        #expect(DeviceOverlap.totals(of: workouts) == Self.day(20_000, 4, 0, 3))
    }

    @Test("Rates that differ by the least that two workouts can are told apart")
    func nearestRates() throws {
        // 500 000 × 69 119 654 = 199 999 × 172 799 999 − 1: the second rate is higher, by 8 × 10^-17 steps a millisecond.
        let start = Timestamp.utc(20_000, 0)
        func after(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: start.milliseconds + milliseconds) }
        let workouts = [
            try Self.workout("a", from: start, to: after(172_799_999), steps: 500_000),
            try Self.workout("b", from: start, to: after(69_119_654), steps: 199_999, distance: 1000),
        ]
        // The steps cannot show who won, the distance can: b keeps all of its own.
        #expect(DeviceOverlap.totals(of: workouts)[Day(number: 20_000)]?.distance.count == 1000)
        // One step less, and b loses everything.
        let slower = [
            workouts[0], try Self.workout("b", from: start, to: after(69_119_654), steps: 199_998, distance: 1000),
        ]
        #expect(DeviceOverlap.totals(of: slower)[Day(number: 20_000)]?.distance.count == 0)
    }

    @Test("A loser's share is rounded half up in each of its days, also where it loses nothing")
    func rounding() throws {
        // 22:00–02:00, 10 steps and 6 mm in four hours; a faster device takes 22:30–23:00.
        // Kept before midnight: 1.5 h = 3.75 steps and 2.25 mm. After it: 2 h = 5 steps and 3 mm.
        let long = try Self.workout("b", 1320, 1560, steps: 10, distance: 6)
        let totals = DeviceOverlap.totals(of: [long, try Self.workout("a", 1350, 1380, steps: 100)])
        #expect(totals[Day(number: 20_000)] == DayTotals(steps: 104, distance: Millimetres(2), workouts: 2))
        #expect(totals[Day(number: 20_001)] == DayTotals(steps: 5, distance: Millimetres(3), workouts: 1))
        // Three steps, equal halves: exact 2 + 1, but with one hour lost before midnight 0.75 and 1.5: 1 + 2.
        let odd = try Self.workout("b", 1320, 1560, steps: 3)
        let cut = DeviceOverlap.totals(of: [odd])
        #expect(cut[Day(number: 20_000)]?.steps == 2 && cut[Day(number: 20_001)]?.steps == 1)
        let rounded = DeviceOverlap.totals(of: [odd, try Self.workout("a", 1320, 1380, steps: 100)])
        #expect(rounded[Day(number: 20_000)]?.steps == 101 && rounded[Day(number: 20_001)]?.steps == 2)
    }

    @Test("A day that comes twice is rounded once")
    func dayTwice() throws {
        // St John's, 04:00Z of two hours: 30 min of the 6th, 1 of the 7th, 59 of the 6th, 30 of the 7th; 4 steps in 120 minutes.
        // A rival takes 10 minutes from each stretch of the 6th: 69 kept, 2.3 steps (10 + 49 min alone: 0.67 and 1.63, 1 + 2).
        let start = Timestamp.utc(14_920, 2)
        let long = try Self.workout("b", from: start, to: .utc(14_920, 4), steps: 4, clock: .stJohns)
        let rivals = [
            try Self.workout("a", from: start, to: .utc(14_920, 2, 10), steps: 100, clock: .stJohns),
            try Self.workout("a", from: .utc(14_920, 3), to: .utc(14_920, 3, 10), steps: 100, clock: .stJohns),
        ]
        let totals = DeviceOverlap.totals(of: [long] + rivals)
        #expect(totals[Day(number: 14_919)] == DayTotals(steps: 202, workouts: 3))
        #expect(totals[Day(number: 14_920)] == DayTotals(steps: 1, workouts: 1))
    }

    @Test("A workout that loses all its time still counts as a workout")
    func everythingLost() throws {
        let workouts = [
            try Self.workout("a", 10, 20, steps: 1, distance: 900), try Self.workout("b", 0, 60, steps: 600),
        ]
        #expect(DeviceOverlap.totals(of: workouts) == Self.day(20_000, 600, 0, 2))
    }

    @Test("Among three devices each stretch has one winner")
    func threeDevices() throws {
        // a 10 a minute all hour, b 20 from 10 to 40, c 30 from 30 to 50. Kept: a 0–10 and 50–60, b 10–30, c 30–50.
        let workouts = [
            try Self.workout("a", 0, 60, steps: 600), try Self.workout("b", 10, 40, steps: 600),
            try Self.workout("c", 30, 50, steps: 600),
        ]
        #expect(DeviceOverlap.totals(of: workouts) == Self.day(20_000, 200 + 400 + 600, 0, 3))
    }

    @Test("A thousand impossible workouts in one millisecond still beat a slow one")
    func manyAtOnce() throws {
        let start = Timestamp.utc(20_000, 0)
        let end = Timestamp(milliseconds: start.milliseconds + 1)
        // 1024 × 262 144 = 2^28 steps a millisecond: with 100 binary places the sum would wrap round to zero.
        let crowd = try (0..<1024).map { _ in try Self.workout("b", from: start, to: end, steps: 262_144) }
        let slow = try Self.workout("a", from: start, to: end, steps: 1)
        #expect(DeviceOverlap.totals(of: crowd + [slow]) == Self.day(20_000, 268_435_456, 0, 1025))
    }

    @Test("Rows that the rules cannot have written are refused")
    func refusedRows() {
        let day = Day(number: 0)
        func stored(
            _ start: Int64, _ end: Int64, steps: Int32 = 1, distance: Int64 = 1, _ bounds: [(Int64, Int64)]
        ) -> StoredWorkout? {
            StoredWorkout(
                id: 1, start: Timestamp(milliseconds: start), end: Timestamp(milliseconds: end), steps: steps,
                distance: Millimetres(distance), deviceID: "a",
                segments: bounds.map {
                    DaySegment(day: day, from: Timestamp(milliseconds: $0.0), to: Timestamp(milliseconds: $0.1))
                })
        }
        #expect(stored(0, 10, [(0, 10)]) != nil)
        #expect(stored(0, 10, [(0, 4), (4, 10)]) != nil)
        #expect(stored(.max - 1, .max, [(.max - 1, .max)]) != nil)
        for bounds: [(Int64, Int64)] in [
            [], [(0, 9)], [(1, 10)], [(0, 4), (5, 10)], [(0, 6), (5, 10)], [(0, 10), (10, 10)], [(0, 12), (12, 10)],
            [(0, 10), (10, 11)],
        ] {
            #expect(stored(0, 10, bounds) == nil, "\(bounds)")
        }
        #expect(stored(0, 10, steps: -1, [(0, 10)]) == nil)
        #expect(stored(0, 10, distance: -1, [(0, 10)]) == nil)
        #expect(stored(10, 10, []) == nil)
        #expect(stored(10, 0, [(10, 0)]) == nil)
        #expect(stored(.min, .max, [(.min, .max)]) == nil)
        #expect(stored(0, DayCut.longestSpan + 1, [(0, DayCut.longestSpan + 1)]) == nil)
    }

    @Test("The largest numbers that a row can hold do not trap")
    func extremes() throws {
        let ends: [(Int64, Int64)] = [(.min, .min + DayCut.longestSpan), (.max - DayCut.longestSpan, .max), (0, 1)]
        var workouts: [StoredWorkout] = []
        for (start, end) in ends {
            for device in [nil, "a", "b", ""] {
                for _ in 0..<3 {
                    workouts.append(
                        try Self.workout(
                            device, from: Timestamp(milliseconds: start), to: Timestamp(milliseconds: end), steps: .max,
                            distance: .max))
                }
            }
        }
        let totals = DeviceOverlap.totals(of: workouts)
        // In 1970 the three without a device and the three of the empty id count.
        #expect(totals[Day(number: 0)]?.steps == 6 * Int64(Int32.max))
        #expect(totals[Day(number: 0)]?.workouts == 12)
    }
}
