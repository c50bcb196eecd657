/// A workout as lists show it.
public struct WorkoutListItem: Hashable, Sendable {
    /// The server's number of the workout.
    public var workoutID: Int64
    /// The client's name of it.
    public var requestID: RequestID
    /// The first instant.
    public var start: Timestamp
    /// The instant after the last.
    public var end: Timestamp
    /// Steps as sent.
    public var steps: Int32
    /// The way as sent.
    public var distance: Millimetres
    /// The zone in which it was cut into days.
    public var timeZone: String
    /// Whether it may still grow.
    public var status: WorkoutStatus
    /// How it came about.
    public var source: WorkoutSource
    /// The device that counted; nil if it was not said.
    public var deviceID: String?

    /// Joins the parts.
    public init(
        workoutID: Int64, requestID: RequestID, start: Timestamp, end: Timestamp, steps: Int32,
        distance: Millimetres, timeZone: String, status: WorkoutStatus, source: WorkoutSource, deviceID: String?
    ) {
        self.workoutID = workoutID
        self.requestID = requestID
        self.start = start
        self.end = end
        self.steps = steps
        self.distance = distance
        self.timeZone = timeZone
        self.status = status
        self.source = source
        self.deviceID = deviceID
    }

    /// Where the page after this workout begins.
    public var cursor: WorkoutCursor { WorkoutCursor(start: start, requestID: requestID) }

    /// The body of a list: a JSON array in the order given.
    public static func encodeList(_ items: [WorkoutListItem]) -> [UInt8] {
        var writer = JSONWriter(reserving: 2 + items.count * 256)
        writer.beginArray()
        for item in items { writer.workout(item) }
        writer.endArray()
        return writer.bytes
    }
}

/// A workout as a second device learns of it.
public enum ChangedWorkout: Hashable, Sendable {
    /// It is there, new or with other numbers.
    case stored(WorkoutListItem)
    /// It was deleted; nothing else of it is left to tell.
    case deleted(workoutID: Int64, requestID: RequestID)
}

extension JSONWriter {
    /// Writes one workout of a list.
    ///
    /// - Parameter isDeleted: the member `deleted`, which only the list of changes has; nil leaves it out.
    public mutating func workout(_ item: WorkoutListItem, isDeleted: Bool? = nil) {
        beginObject()
        workoutMembers(item)
        if let isDeleted { member("deleted", isDeleted) }
        endObject()
    }

    /// Writes the members of a workout into an open object.
    mutating func workoutMembers(_ item: WorkoutListItem) {
        member("workout_id", item.workoutID)
        member("requestId", item.requestID.description)
        member("start_time", item.start)
        member("end_time", item.end)
        member("steps", Int64(item.steps))
        member("distance", item.distance)
        member("time_zone", item.timeZone)
        member("status", item.status.word)
        member("source", item.source.word)
        if let deviceID = item.deviceID { member("device_id", deviceID) } else { nullMember("device_id") }
    }

    /// Writes one workout of the changes: with `"deleted": false`, or only its names and `"deleted": true`.
    public mutating func changedWorkout(_ change: ChangedWorkout) {
        switch change {
        case .stored(let item): workout(item, isDeleted: false)
        case .deleted(let workoutID, let requestID):
            beginObject()
            member("workout_id", workoutID)
            member("requestId", requestID.description)
            member("deleted", true)
            endObject()
        }
    }
}
