internal import Models
internal import Postgres

/// A row of `workouts` as lists show it.
enum WorkoutListRow {
    /// The columns, in the order in which `item` reads them.
    static let columns = """
        request_id, workout_id, start_ms, end_ms, steps, distance_mm, time_zone, status, source, device_id
        """

    static func requestID(_ result: PostgresResult, row: Int) throws(PostgresError) -> RequestID {
        RequestID(try result.uuid(row, 0))
    }

    static func item(_ result: PostgresResult, row: Int) throws(PostgresError) -> WorkoutListItem {
        guard let status = WorkoutStatus(rawValue: try result.int16(row, 7)),
            let source = WorkoutSource(rawValue: try result.int16(row, 8))
        else { throw PostgresError.unexpectedResult("a workout row that no build has written") }
        return WorkoutListItem(
            workoutID: try result.int64(row, 1), requestID: try requestID(result, row: row),
            start: Timestamp(milliseconds: try result.int64(row, 2)),
            end: Timestamp(milliseconds: try result.int64(row, 3)), steps: try result.int32(row, 4),
            distance: Millimetres(try result.int64(row, 5)), timeZone: try result.text(row, 6), status: status,
            source: source, deviceID: result.isNull(row, 9) ? nil : try result.text(row, 9))
    }
}
