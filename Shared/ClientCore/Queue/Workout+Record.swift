import Models

extension Workout {
    /// The stored form.
    var record: [UInt8] {
        jsonObject { writer in
            writer.member("start", start)
            writer.member("end", version.end)
            writer.member("steps", Int64(version.steps))
            writer.member("mm", version.millimetres)
            writer.member("status", version.isOpen ? "IN_PROGRESS" : "COMPLETE")
            writer.member("zone", zone)
            writer.member("source", source == .manual ? "manual" : "auto")
            writer.optional("device", device)
            writer.member("state", state.name)
            if let serverID { writer.member("id", serverID) }
            Self.write("sent", sent, to: &writer)
            Self.write("counted", counted, to: &writer)
            if wasTried { writer.member("tried", true) }
            if isLive { writer.member("live", true) }
            writer.member("run", run)
            if let reason { writer.optional("reason", raw: reason.record) }
        }
    }

    /// Reads a stored form; nil if it is none.
    init?(id: UUIDValue, record value: JSONValue) {
        guard let start = value.integer("start"), let end = value.integer("end"), let steps = value.integer("steps"),
            let millimetres = value.integer("mm"), let zone = value.text("zone"), ZoneTable.isName(zone),
            Self.isPossible(start: start, end: end, steps: steps, millimetres: millimetres),
            let stateName = value.text("state"),
            let state = State.allCases.first(where: { same($0.name, stateName) })
        else { return nil }
        self.id = id
        self.start = start
        self.zone = zone
        self.state = state
        version = Version(
            end: end, steps: Int32(truncatingIfNeeded: steps), millimetres: millimetres,
            isOpen: value.text("status").map { same($0, "IN_PROGRESS") } ?? false)
        source = value.text("source").map { same($0, "manual") } == true ? .manual : .auto
        device = value.text("device")
        serverID = value.integer("id")
        sent = value[member: "sent"].flatMap { Self.version($0, start: start) }
        counted = value[member: "counted"].flatMap { Self.version($0, start: start) }
        wasTried = value.flag("tried") ?? false
        isLive = value.flag("live") ?? false
        run = value.integer("run") ?? 0
        reason = value.object("reason").map { Reason($0) }
    }

    private static func write(_ name: MemberName, _ version: Version?, to writer: inout JSONWriter) {
        guard let version else { return }
        writer.name(name)
        writer.beginArray()
        writer.integer(version.end)
        writer.integer(Int64(version.steps))
        writer.integer(version.millimetres)
        writer.integer(version.isOpen ? 1 : 0)
        writer.endArray()
    }

    private static func version(_ value: JSONValue, start: Int64) -> Version? {
        let parts = value.elements.map { $0.integer ?? -1 }
        guard parts.count == 4,
            isPossible(start: start, end: parts[0], steps: parts[1], millimetres: parts[2])
        else { return nil }
        return Version(
            end: parts[0], steps: Int32(truncatingIfNeeded: parts[1]), millimetres: parts[2], isOpen: parts[3] == 1)
    }
}

extension Reason {
    /// Reads a problem of the server, an item's result, or the stored form.
    init(_ value: JSONValue) {
        code = value.text("code") ?? "UNKNOWN"
        detail = value.text("detail") ?? "The server gave no reason"
        for fault in (value.list("errors") ?? []).prefix(20) {
            faults.append((fault.text("pointer") ?? "", fault.text("detail") ?? ""))
        }
        clockError = value.integer("clock_error").flatMap { Self.isPossible($0) ? $0 : nil }
    }

    /// How far the device's clock is ahead, if that is why the server refused a workout.
    ///
    /// It is the reason only for what ended by this very clock. What lies ahead of it was recorded before the clock was put
    /// back, or typed in wrongly: moved by what the clock shows wrong now, it would lie where nobody walked.
    static func clockError(_ answer: JSONValue, end: Int64, now: Int64) -> Int64? {
        guard let server = answer.integer("serverTime"), end <= now else { return nil }
        let (error, overflow) = now.subtractingReportingOverflow(server)
        return !overflow && isPossible(error) && error >= leastError ? error : nil
    }

    /// A clock that is less than a minute ahead is no reason for anything.
    private static let leastError: Int64 = 60_000

    /// A clock may be wrong by as much as two centuries, which is what clocks are believed to show.
    private static func isPossible(_ error: Int64) -> Bool { error.magnitude < 7_258_118_400_000 }

    /// The stored form, which is also what a screen shows.
    var record: [UInt8] {
        jsonObject { writer in
            writer.member("code", code)
            writer.member("detail", detail)
            writer.list("errors", faults) { writer, fault in
                writer.beginObject()
                writer.member("pointer", fault.pointer)
                writer.member("detail", fault.detail)
                writer.endObject()
            }
            if let clockError { writer.member("clock_error", clockError) }
        }
    }
}
