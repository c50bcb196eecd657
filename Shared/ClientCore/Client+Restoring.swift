import Models

extension Client {
    /// A `restore` event for records as they were stored; one whose value is no JSON is left out.
    ///
    /// - Parameters:
    ///   - records: as `store` effects put them.
    ///   - now: milliseconds since 1970.
    public static func restoring(_ records: [RecordChange], now: Int64) -> [UInt8] {
        jsonObject { writer in
            writer.member("type", "restore")
            writer.member("now", now)
            writer.list("records", records) { writer, record in
                guard let bytes = record.value, let value = parsed(bytes) else { return }
                writer.beginObject()
                writer.member("store", record.store)
                writer.member("key", record.key)
                writer.name("value")
                writer.value(value)
                writer.endObject()
            }
        }
    }

    /// An `answer` event: what a service said to a `send` effect, in the bytes that came.
    ///
    /// - Parameters:
    ///   - id: of the request.
    ///   - status: of HTTP; 0 if there was no answer.
    ///   - body: as it came; what is no JSON counts as none.
    ///   - date: of the answer's field `Date`, in milliseconds since 1970; nil without one. It shows whether the device's clock
    ///     is right.
    ///   - now: milliseconds since 1970.
    public static func answer(to id: Int64, status: Int, body: [UInt8], date: Int64? = nil, now: Int64) -> [UInt8] {
        jsonObject { writer in
            writer.member("type", "answer")
            writer.member("now", now)
            writer.member("id", id)
            writer.member("status", Int64(status))
            if let date { writer.member("date", date) }
            writer.name("body")
            if let value = parsed(body) { writer.value(value) } else { writer.null() }
        }
    }
}
