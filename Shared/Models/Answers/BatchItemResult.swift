/// What became of one workout of a batch.
public struct BatchItemResult: Hashable, Sendable {
    /// What became of it.
    public enum Outcome: Hashable, Sendable {
        /// It is new.
        case created(workoutID: Int64)
        /// It changed nothing.
        case duplicate(workoutID: Int64)
        /// It replaced or closed a workout in progress.
        case updated(workoutID: Int64)
        /// It was refused with the problem that it would have had alone.
        case rejected(Problem)
    }

    /// The client's name of the workout as sent; nil when there was none, which leaves the member out.
    public var requestID: String?
    /// What became of it.
    public var outcome: Outcome

    /// Joins the parts.
    public init(requestID: String?, outcome: Outcome) {
        self.requestID = requestID
        self.outcome = outcome
    }

    /// The body of a batch's answer, results in the order sent.
    public static func encode(_ results: [BatchItemResult]) -> [UInt8] {
        var writer = JSONWriter(reserving: 16 + results.count * 112)
        writer.beginObject()
        writer.name("results")
        writer.beginArray()
        for result in results { result.write(to: &writer) }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }

    private func write(to writer: inout JSONWriter) {
        writer.beginObject()
        if let requestID { writer.member("requestId", requestID) }
        switch outcome {
        case .created(let id): Self.write("created", id, to: &writer)
        case .duplicate(let id): Self.write("duplicate", id, to: &writer)
        case .updated(let id): Self.write("updated", id, to: &writer)
        case .rejected(let problem):
            writer.member("result", "rejected")
            writer.member("code", problem.code.rawValue)
            writer.member("detail", problem.detail)
            if !problem.faults.isEmpty { writer.member("errors", problem.faults) }
            if let wait = problem.statedRetryAfterMilliseconds { writer.member("retry_after_ms", wait) }
            if let serverTime = problem.serverTime { writer.member("serverTime", serverTime) }
        }
        writer.endObject()
    }

    private static func write(_ result: String, _ workoutID: Int64, to writer: inout JSONWriter) {
        writer.member("result", result)
        writer.member("workout_id", workoutID)
    }
}
