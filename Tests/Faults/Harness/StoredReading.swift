import Models
import StrideTestSupport

extension TestDatabase {
    /// Everything of one user, in one snapshot.
    func stored(of person: UserID) async throws -> StoredUser {
        let user = "user_id = '\(person)'"
        let row = try await rows(
            """
            select (select coalesce(json_agg(w), '[]') from (select request_id, workout_id, start_ms, end_ms, steps,
                distance_mm, device_id, status, is_deleted from workouts where \(user)) w) as workouts,
                (select coalesce(json_agg(d), '[]') from (select day, steps, distance_mm, workouts from daily_totals
                where \(user)) d) as days
            """
        ).first
        guard let row else { throw Late("no answer") }
        var days: [String: DayFigures] = [:]
        for day in row["days"].elements {
            guard let name = day["day"].string, let steps = day["steps"].int, let distance = day["distance_mm"].int,
                let workouts = day["workouts"].int
            else { throw Late("a day that cannot be read: \(day)") }
            days[name] = DayFigures(steps, distance, workouts)
        }
        return StoredUser(
            workouts: try row["workouts"].elements.map(Self.workout),
            days: days.filter { $0.value != DayFigures(0, 0, 0) })
    }

    private static func workout(_ row: JSON) throws -> StoredWorkout {
        let zero = instant("2025-06-10T00:00:00Z")
        guard let request = row["request_id"].string, let id = row["workout_id"].int, let start = row["start_ms"].int,
            let end = row["end_ms"].int, let steps = row["steps"].int, let distance = row["distance_mm"].int,
            let status = row["status"].int
        else { throw Late("a row that cannot be read: \(row)") }
        let span = NaiveRecount.Span(
            from: (start - zero) / 60_000, to: (end - zero) / 60_000, steps: steps, millimetres: distance,
            device: row["device_id"].string)
        return StoredWorkout(
            request, id: id, WorkoutVersion(span, isComplete: status == completeStatus),
            isDeleted: row["is_deleted"] == true)
    }
}

/// `workouts.status` of a workout that has ended.
private let completeStatus = 0
