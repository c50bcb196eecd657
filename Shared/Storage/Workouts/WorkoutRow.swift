package import Models
internal import Postgres

/// A workout as it stands in the table.
package struct WorkoutRow: Sendable {
    /// Whose it is, and the phone's name for it.
    package let key: WorkoutKey
    /// The server's name for it.
    package let workoutID: Int64
    /// What a repeat is compared with: as sent.
    package let content: WorkoutContent
    /// The zone it counts in.
    package let zone: String
    /// Its pieces by local day.
    package let segments: [DaySegment]
    /// The form in which the rule of several devices takes it.
    package let stored: StoredWorkout
    /// A tombstone: it counts for nothing and stays.
    package let isDeleted: Bool

    /// The columns, in the order in which `init` reads them.
    static let columns = """
        w.user_id, w.request_id, w.workout_id, w.start_ms, w.end_ms, w.steps, w.distance_mm, w.time_zone, \
        w.zone_was_sent, w.status, w.source, w.device_id, w.day, w.cut, w.is_deleted
        """

    init(_ result: PostgresResult, row: Int) throws(PostgresError) {
        key = WorkoutKey(
            user: UserID(try result.uuid(row, 0)), request: RequestID(try result.uuid(row, 1)))
        workoutID = try result.int64(row, 2)
        let start = Timestamp(milliseconds: try result.int64(row, 3))
        let end = Timestamp(milliseconds: try result.int64(row, 4))
        zone = try result.text(row, 7)
        guard let status = WorkoutStatus(rawValue: try result.int16(row, 9)),
            let source = WorkoutSource(rawValue: try result.int16(row, 10)),
            let segments = DayCutText.segments(
                of: result.isNull(row, 13) ? nil : try result.text(row, 13),
                day: Day(number: try result.date(row, 12).daysSince1970), start: start, end: end)
        else { throw PostgresError.unexpectedResult("a workout row that no build has written") }
        self.segments = segments
        content = WorkoutContent(
            start: start, end: end, steps: try result.int32(row, 5),
            distance: Millimetres(try result.int64(row, 6)),
            timeZone: try result.bool(row, 8) ? zone : nil, status: status, source: source,
            deviceID: result.isNull(row, 11) ? nil : try result.text(row, 11))
        isDeleted = try result.bool(row, 14)
        let stored = StoredWorkout(
            id: workoutID, start: start, end: end, steps: content.steps, distance: content.distance,
            deviceID: content.deviceID, segments: segments)
        guard let stored else { throw PostgresError.unexpectedResult("a workout row whose cut does not fit its span") }
        self.stored = stored
    }
}

extension UserID {
    init(_ uuid: PostgresUUID) { self.init(UUIDValue(high: uuid.high, low: uuid.low)) }
    var postgres: PostgresUUID { PostgresUUID(high: value.high, low: value.low) }
}

extension RequestID {
    init(_ uuid: PostgresUUID) { self.init(UUIDValue(high: uuid.high, low: uuid.low)) }
    var postgres: PostgresUUID { PostgresUUID(high: value.high, low: value.low) }
}

extension Day {
    var postgres: PostgresDate { PostgresDate(daysSince1970: number) }
}
