/// The last workout of a page of the list, which goes by (start, requestId): the next page begins after it.
///
/// By key and not by number of rows, so that nothing is lost or repeated when workouts arrive between two pages or many start in the same
/// millisecond.
public struct WorkoutCursor: Hashable, Sendable {
    /// When the last workout started.
    public var start: Timestamp
    /// Its requestId, which decides among those that started with it.
    public var requestID: RequestID

    /// Joins the parts.
    public init(start: Timestamp, requestID: RequestID) {
        self.start = start
        self.requestID = requestID
    }

    /// Reads a cursor that the server gave out; nil for anything else.
    public init?(text: String) {
        guard var cursor = CursorText(text, of: .workouts), let start = cursor.readInteger(),
            let id = cursor.readUUID(), cursor.isAtEnd
        else { return nil }
        self.init(start: Timestamp(milliseconds: Int64(bitPattern: start)), requestID: RequestID(id))
    }

    /// The cursor as clients see it, opaque to them.
    public var text: String {
        var cursor = CursorText(.workouts)
        cursor.append(UInt64(bitPattern: start.milliseconds))
        cursor.append(requestID.value)
        return cursor.text
    }
}

/// The week of a plan with which the next page begins.
///
/// It names its plan: weeks of two plans joined into one list would be the weeks of neither.
public struct ProgressCursor: Hashable, Sendable {
    /// The plan whose weeks are listed.
    public var planID: UUIDValue
    /// The week's number, 0 … 103.
    public var week: Int

    /// Joins the parts.
    public init(planID: UUIDValue, week: Int) {
        self.planID = planID
        self.week = week
    }

    /// Reads a cursor that the server gave out; nil for anything else.
    public init?(text: String) {
        guard var cursor = CursorText(text, of: .progress), let week = cursor.readInteger(),
            week < UInt64(PlanLimits.weeks), let planID = cursor.readUUID(), cursor.isAtEnd
        else { return nil }
        self.init(planID: planID, week: Int(week))
    }

    /// The cursor as clients see it, opaque to them.
    public var text: String {
        var cursor = CursorText(.progress)
        cursor.append(UInt64(clamping: week))
        cursor.append(planID)
        return cursor.text
    }
}

/// How far a second device has followed a user's changes, which go by (revision, requestId).
public struct ChangesCursor: Hashable, Sendable {
    /// The revision up to which everything was seen, at least 0.
    public var revision: Int64
    /// Where within the revision the page ended; nil if all of it was seen.
    public var requestID: RequestID?

    /// Joins the parts.
    public init(revision: Int64, requestID: RequestID? = nil) {
        self.revision = revision
        self.requestID = requestID
    }

    /// Reads a cursor that the server gave out; nil for anything else.
    public init?(text: String) {
        guard var cursor = CursorText(text, of: .changes), let number = cursor.readInteger(),
            let revision = Int64(exactly: number)
        else { return nil }
        self.init(revision: revision)
        if cursor.isAtEnd { return }
        guard let id = cursor.readUUID(), cursor.isAtEnd else { return nil }
        requestID = RequestID(id)
    }

    /// The cursor as clients see it, opaque to them; a negative revision counts as 0.
    public var text: String {
        var cursor = CursorText(.changes)
        cursor.append(UInt64(clamping: revision))
        if let requestID { cursor.append(requestID.value) }
        return cursor.text
    }
}
