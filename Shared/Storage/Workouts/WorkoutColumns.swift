internal import Models
internal import Postgres

/// The columns of the workouts that one statement inserts, filled in one pass: one buffer a column, no array in between.
struct WorkoutColumns {
    private var user: PostgresArray
    private var request: PostgresArray
    private var start: PostgresArray
    private var end: PostgresArray
    private var steps: PostgresArray
    private var distance: PostgresArray
    private var zone: PostgresArray
    private var zoneWasSent: PostgresArray
    private var status: PostgresArray
    private var source: PostgresArray
    private var device: PostgresArray
    private var day: PostgresArray
    private var cut: PostgresArray

    init(rows: Int) {
        user = PostgresArray(of: .uuid, capacity: rows)
        request = PostgresArray(of: .uuid, capacity: rows)
        start = PostgresArray(of: .int8, capacity: rows)
        end = PostgresArray(of: .int8, capacity: rows)
        steps = PostgresArray(of: .int4, capacity: rows)
        distance = PostgresArray(of: .int8, capacity: rows)
        zone = PostgresArray(of: .text, capacity: rows)
        zoneWasSent = PostgresArray(of: .bool, capacity: rows)
        status = PostgresArray(of: .int2, capacity: rows)
        source = PostgresArray(of: .int2, capacity: rows)
        device = PostgresArray(of: .text, capacity: rows)
        day = PostgresArray(of: .date, capacity: rows)
        cut = PostgresArray(of: .text, capacity: rows)
    }

    mutating func append(_ write: WorkoutWrite) {
        let submission = write.submission
        user.append(write.user.postgres)
        request.append(submission.requestID.postgres)
        start.append(submission.start.milliseconds)
        end.append(submission.end.milliseconds)
        steps.append(submission.steps)
        distance.append(submission.distance.count)
        zone.append(write.zone)
        zoneWasSent.append(submission.timeZone != nil)
        status.append(submission.status.rawValue)
        source.append(submission.source.rawValue)
        device.append(orNull: submission.deviceID)
        day.append(write.firstDay.postgres)
        cut.append(orNull: DayCutText.text(of: write.segments))
    }

    /// In the order of the insert's parameters.
    var parameters: [PostgresValue] {
        [
            .array(user), .array(request), .array(start), .array(end), .array(steps), .array(distance), .array(zone),
            .array(zoneWasSent), .array(status), .array(source), .array(device), .array(day), .array(cut),
        ]
    }
}

extension PostgresArray {
    fileprivate mutating func append(orNull text: String?) {
        if let text { append(text) } else { appendNull() }
    }
}
