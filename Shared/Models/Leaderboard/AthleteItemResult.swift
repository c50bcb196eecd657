/// What became of one athlete of a batch.
public enum AthleteItemResult: Hashable, Sendable {
    /// It is recorded: `created`, `updated` or `unchanged`.
    case recorded(id: Int64, word: String)
    /// It was refused with the problem that it would have had alone; the id is nil if none could be read.
    case rejected(id: Int64?, Problem)

    /// The body of a batch's answer, results in the order sent.
    public static func encode(_ results: [AthleteItemResult]) -> [UInt8] {
        var writer = JSONWriter(reserving: 16 + results.count * 40)
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
        switch self {
        case .recorded(let id, let word):
            writer.member("id", id)
            writer.member("result", word)
        case .rejected(let id, let problem):
            if let id { writer.member("id", id) }
            writer.member("result", "rejected")
            writer.member("code", problem.code.rawValue)
            writer.member("detail", problem.detail)
            if !problem.faults.isEmpty { writer.member("errors", problem.faults) }
            if let wait = problem.statedRetryAfterMilliseconds { writer.member("retry_after_ms", wait) }
        }
        writer.endObject()
    }
}
