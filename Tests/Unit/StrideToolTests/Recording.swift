import Models

@testable import StrideTool

/// Made-up hours of one person, in UTC.
func madeUpWorkouts(_ count: Int, person: String = "7") throws -> [ReplayedWorkout] {
    try (0..<count).map { number in
        let hour = LocalHour(day: Day(number: 16_872 + Int32(number / 24)), hour: number % 24)
        return try ReplayedWorkout(
            HourlySteps.Row(person: person, hour: hour, steps: number + 1, line: number + 2), zone: "UTC",
            clock: ZoneOffsets(fixed: 0))
    }
}
