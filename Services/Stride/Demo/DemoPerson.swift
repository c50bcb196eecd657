import Models

/// A made-up person with a desk job: to the station and back, a round at noon, long walks at the weekend.
///
/// A pure value. A day's walks are a function of the subject and the day, so that sending them again changes nothing.
struct DemoPerson: Sendable {
    let subject: String
    let zone: String
    let clock: ZoneOffsets

    /// How many days there are walks for, today included.
    static let days = 14

    /// The walks of the last fortnight that have ended.
    func walks(until now: Timestamp) throws -> [ReplayedWorkout] {
        let today = clock.day(at: now)
        return try (0..<Self.days).reversed()
            .flatMap { try walks(on: today.advanced(by: -$0)) }
            .filter { $0.end.milliseconds <= now.milliseconds }
    }

    /// All walks of a day, in the order in which they are done.
    func walks(on day: Day) throws -> [ReplayedWorkout] {
        let name = "stride-demo\n\(subject)\n\(day)"
        var mood = DemoMood(seed: try ReplayedWorkout.requestID(naming: name).value.high)
        return try Self.habits(on: day).enumerated().compactMap { index, habit in
            // Drawn for every habit, so that one that is left out does not change the others.
            let (goes, delay, minutes) = (mood.percent(), mood.number(0...12), mood.number(habit.minutes))
            let (cadence, stride) = (mood.number(habit.cadence), mood.number(690...770))
            guard goes < habit.likelihood else { return nil }
            let hour = LocalHour(day: day, hour: habit.hour).start(in: clock)
            let start = hour.milliseconds + Int64(habit.minute + delay) * 60_000
            let steps = minutes * cadence
            return ReplayedWorkout(
                requestID: try ReplayedWorkout.requestID(naming: "\(name)\n\(index)"),
                start: Timestamp(milliseconds: start), end: Timestamp(milliseconds: start + Int64(minutes) * 60_000),
                steps: steps, distance: Millimetres(Int64(steps * stride)), zone: zone, line: index)
        }
    }
}

extension DemoPerson {
    /// Something that is done on many days, at about the same time.
    private struct Habit {
        let hour: Int
        let minute: Int
        let minutes: ClosedRange<Int>
        /// Steps a minute; from 100 on walking is called brisk.
        var cadence = 98...114
        /// Percent of the days.
        var likelihood = 100
    }

    private static func habits(on day: Day) -> [Habit] {
        day < CalendarWeek.start(of: day, weekStart: .monday).advanced(by: 5) ? workday : weekend
    }

    private static let workday = [
        Habit(hour: 6, minute: 20, minutes: 9...16, cadence: 88...100, likelihood: 85),
        Habit(hour: 7, minute: 40, minutes: 12...18),
        Habit(hour: 10, minute: 15, minutes: 3...6, cadence: 80...95, likelihood: 70),
        Habit(hour: 12, minute: 20, minutes: 12...25, likelihood: 80),
        Habit(hour: 15, minute: 5, minutes: 3...7, cadence: 80...95, likelihood: 70),
        Habit(hour: 17, minute: 35, minutes: 12...18),
        Habit(hour: 20, minute: 10, minutes: 20...45, likelihood: 70),
    ]

    private static let weekend = [
        Habit(hour: 8, minute: 0, minutes: 9...20, cadence: 88...100),
        Habit(hour: 10, minute: 40, minutes: 35...85),
        Habit(hour: 15, minute: 15, minutes: 12...35, likelihood: 80),
        Habit(hour: 19, minute: 20, minutes: 8...20, likelihood: 60),
    ]
}

/// Random numbers that are the same for the same seed (SplitMix64).
private struct DemoMood: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return bits ^ (bits >> 31)
    }

    mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &self) }

    mutating func percent() -> Int { number(0...99) }
}
