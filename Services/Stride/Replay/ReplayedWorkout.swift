import Cryptography
import Models

/// An hour of a recording as the API takes it.
struct ReplayedWorkout: Equatable, Sendable {
    let requestID: RequestID
    let start: Timestamp
    let steps: Int
    let zone: String
    /// Where it stands in the file.
    let line: Int

    /// Everything but the place in the file is a function of the row and the zone, so a second run repeats the first.
    init(_ row: HourlySteps.Row, zone: String, clock: some LocalClock) throws(CryptographyError) {
        requestID = try Self.requestID(person: row.person, hour: row.hour)
        start = row.hour.start(in: clock)
        steps = row.steps
        self.zone = zone
        line = row.line
    }

    /// The workout's name: made from the person and the wall-clock hour, not from the instant, so that two hours never
    /// share one, also where the clocks let both begin at once.
    ///
    /// A UUID of version 8 (RFC 9562 §5.8): the first 16 bytes of SHA-256 over a fixed name space, the person and the
    /// hour, a line feed between them (none of them contains one); then version and variant are set.
    static func requestID(person: String, hour: LocalHour) throws(CryptographyError) -> RequestID {
        let digest = try SHA256.digest(of: Array("stride-replay-hourly-steps\n\(person)\n\(hour)".utf8).span)
        func word(_ range: Range<Int>) -> UInt64 { range.reduce(0) { $0 << 8 | UInt64(digest.bytes[$1]) } }
        let high = word(0..<8) & ~0xf000 | 8 << 12
        let low = word(8..<16) & ~(0b11 << 62) | 0b10 << 62
        return RequestID(UUIDValue(high: high, low: low))
    }

    /// The body of a batch.
    static func batch(_ workouts: some Collection<ReplayedWorkout>) -> [UInt8] {
        var writer = JSONWriter(reserving: 32 + workouts.count * 200)
        writer.beginObject()
        writer.name("workouts")
        writer.beginArray()
        for workout in workouts { workout.write(to: &writer) }
        writer.endArray()
        writer.endObject()
        return writer.bytes
    }

    private func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("requestId", requestID.description)
        writer.member("start_time", start)
        writer.member("end_time", start.milliseconds + 3_600_000)
        writer.member("steps", Int64(steps))
        writer.member("distance", Millimetres.zero)
        writer.member("time_zone", zone)
        writer.member("source", WorkoutSource.auto.word)
        writer.endObject()
    }
}
