import Cryptography
import Models

/// A workout of a recording as the API takes it.
struct ReplayedWorkout: Equatable, Sendable {
    let requestID: RequestID
    let start: Timestamp
    let end: Timestamp
    let steps: Int
    var distance = Millimetres.zero
    let zone: String
    /// Where it stands in the file.
    let line: Int
}

extension ReplayedWorkout {
    /// An hour of a recording.
    ///
    /// Everything but the place in the file is a function of the row and the zone, so a second run repeats the first.
    init(_ row: HourlySteps.Row, zone: String, clock: some LocalClock) throws(CryptographyError) {
        requestID = try Self.requestID(person: row.person, hour: row.hour)
        start = row.hour.start(in: clock)
        end = Timestamp(milliseconds: start.milliseconds + 3_600_000)
        steps = row.steps
        self.zone = zone
        line = row.line
    }

    /// The workout's name: made from the person and the wall-clock hour, not from the instant, so that two hours never
    /// share one, also where the clocks let both begin at once.
    ///
    /// The name is made of a fixed name space, the person and the hour, a line feed between them (none of them contains
    /// one).
    static func requestID(person: String, hour: LocalHour) throws(CryptographyError) -> RequestID {
        try requestID(naming: "stride-replay-hourly-steps\n\(person)\n\(hour)")
    }

    /// A UUID of version 8 (RFC 9562 §5.8) made of a name; the same name always gives the same id.
    ///
    /// It is the first 16 bytes of the name's SHA-256, with version and variant set.
    static func requestID(naming name: String) throws(CryptographyError) -> RequestID {
        let digest = try SHA256.digest(of: Array(name.utf8).span)
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
        writer.member("end_time", end)
        writer.member("steps", Int64(steps))
        writer.member("distance", distance)
        writer.member("time_zone", zone)
        writer.member("source", WorkoutSource.auto.word)
        writer.endObject()
    }
}
