/// The answer to one accepted workout.
public struct WorkoutReceipt: Hashable, Sendable {
    /// The server's number of the workout.
    public var workoutID: Int64
    /// The client's name of it, as this request spelt it.
    public var requestID: String
    /// Whether the call changed nothing.
    public var isDuplicate: Bool
    /// Whether the call replaced the numbers of a workout in progress, or closed it.
    public var isUpdate: Bool

    /// Joins the parts.
    public init(workoutID: Int64, requestID: String, isDuplicate: Bool = false, isUpdate: Bool = false) {
        self.workoutID = workoutID
        self.requestID = requestID
        self.isDuplicate = isDuplicate
        self.isUpdate = isUpdate
    }

    /// The HTTP status: 201 when the call made the workout, else 200.
    public var status: Int { isDuplicate || isUpdate ? 200 : 201 }

    /// The body; `updated` is there only when true.
    public func encode() -> [UInt8] {
        var writer = JSONWriter(reserving: 112)
        writer.beginObject()
        writer.member("workout_id", workoutID)
        writer.member("requestId", requestID)
        writer.member("duplicate", isDuplicate)
        if isUpdate { writer.member("updated", true) }
        writer.endObject()
        return writer.bytes
    }
}
