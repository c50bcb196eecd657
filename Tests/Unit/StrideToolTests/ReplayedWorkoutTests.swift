import Models
import ServiceKit
import Testing

@testable import StrideTool

/// What an hour becomes on the wire.
@Suite struct ReplayedWorkoutTests {
    // Worked out with another implementation of SHA-256.
    @Test(
        "A request id is made from the person and the hour",
        arguments: [
            ("3/12/2016 0:00", "82301c92-3364-8f31-b734-48a835069fac"),
            ("3/13/2016 2:00", "93e35e00-d15e-8df8-8665-aecfb163275c"),
        ])
    func requestID(text: String, id: String) throws {
        let hour = try #require(LocalHour(parsing: text))
        #expect(try ReplayedWorkout.requestID(person: "7", hour: hour).description == id)
    }

    @Test("No two hours of a year share a request id, whoever walked")
    func distinct() throws {
        let first = try #require(Day(year: 2016, month: 1, day: 1))
        var seen: Set<RequestID> = []
        for person in ["1", "11", "2016"] {
            for hour in 0..<(366 * 24) {
                let local = LocalHour(day: first.advanced(by: hour / 24), hour: hour % 24)
                seen.insert(try ReplayedWorkout.requestID(person: person, hour: local))
            }
        }
        #expect(seen.count == 3 * 366 * 24)
    }

    @Test("An hour that the clocks leave out and the next one begin at once and are two workouts")
    func missingHour() throws {
        let workouts = try workouts(["3/13/2016 2:00", "3/13/2016 3:00"])
        #expect(workouts[0].start == workouts[1].start)
        #expect(workouts[0].requestID != workouts[1].requestID)
    }

    @Test("A batch is one that the API takes, with the hour, the steps, no distance and the zone")
    func batch() throws {
        let workouts = try workouts(["3/12/2016 0:00", "3/12/2016 23:00"])
        let value = try JSONValue.parse(ReplayedWorkout.batch(workouts))
        let decoded = BatchSubmission.decode(
            value, now: Timestamp(milliseconds: 1_764_460_800_000), isKnownZone: { $0 == "America/New_York" })
        guard case .batch(let batch) = decoded else {
            Issue.record("no batch: \(decoded)")
            return
        }
        let expected = workouts.map {
            WorkoutSubmission.Decoded.submission(
                WorkoutSubmission(
                    requestID: $0.requestID, requestIDText: $0.requestID.description, start: $0.start,
                    end: Timestamp(milliseconds: $0.start.milliseconds + 3_600_000), steps: 41, distance: .zero,
                    timeZone: "America/New_York"))
        }
        #expect(batch.items == expected)
    }

    private func workouts(_ hours: [String]) throws -> [ReplayedWorkout] {
        let clock = try #require(ZoneCatalogue().clock(of: "America/New_York"))
        return try hours.map { text in
            let hour = try #require(LocalHour(parsing: text))
            return try ReplayedWorkout(
                HourlySteps.Row(person: "7", hour: hour, steps: 41, line: 2), zone: "America/New_York", clock: clock)
        }
    }
}
