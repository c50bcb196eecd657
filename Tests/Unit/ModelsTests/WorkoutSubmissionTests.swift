import Models
import Testing

@Suite struct WorkoutSubmissionTests {
    /// 2025-11-30T00:01:00Z.
    static let now = Timestamp(milliseconds: 1_764_460_860_000)
    static let zones: Set<String> = ["Europe/Berlin", "UTC", "Asia/Kuala_Lumpur"]

    static let leftOut: String? = nil

    /// The members of a valid workout; a replacement changes or, when nil, drops one.
    static func json(_ replacements: [String: String?] = [:]) -> String {
        let valid = [
            ("requestId", #""7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f""#), ("start_time", "1764460800000"),
            ("end_time", "1764460860000"), ("steps", "120"), ("distance", "87.5"), ("time_zone", #""Europe/Berlin""#),
            ("status", #""COMPLETE""#), ("source", #""auto""#), ("device_id", #""pixel-9""#),
        ]
        let members = valid.compactMap { name, value -> String? in
            guard let replacement = replacements[name] else { return "\"\(name)\":\(value)" }
            return replacement.map { "\"\(name)\":\($0)" }
        }
        return "{" + members.joined(separator: ",") + "}"
    }

    static func decode(_ json: String) throws -> WorkoutSubmission.Decoded {
        WorkoutSubmission.decode(try JSONValue.parse(Array(json.utf8)), now: now) { zones.contains($0) }
    }

    private static func submission(_ replacements: [String: String?]) throws -> WorkoutSubmission {
        switch try decode(json(replacements)) {
        case .submission(let submission): return submission
        case .rejected(let rejection): throw Unexpected(faults: rejection.faults)
        }
    }

    private static func rejection(_ json: String) throws -> WorkoutSubmission.Rejection {
        switch try decode(json) {
        case .submission: throw Unexpected(faults: [])
        case .rejected(let rejection): return rejection
        }
    }

    private struct Unexpected: Error { var faults: [Fault] }

    @Test("The example of the contract is read member by member")
    func example() throws {
        #expect(
            try Self.submission([:])
                == WorkoutSubmission(
                    requestID: RequestID(UUIDValue(high: 0x7b0f_1c1e_4b0c_4b5e, low: 0x9a3e_0f3b_1c2d_4e5f)),
                    requestIDText: "7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f",
                    start: Timestamp(milliseconds: 1_764_460_800_000),
                    end: Timestamp(milliseconds: 1_764_460_860_000), steps: 120, distance: Millimetres(87_500),
                    timeZone: "Europe/Berlin", status: .complete, source: .auto, deviceID: "pixel-9"))
    }

    @Test("Optional members may be left out or null, with the same meaning", arguments: [nil, "null"] as [String?])
    func optional(value: String?) throws {
        let submission = try Self.submission(["time_zone": value, "status": value, "source": value, "device_id": value])
        #expect(submission.timeZone == nil && submission.deviceID == nil)
        #expect(submission.status == .complete && submission.source == .auto)
    }

    @Test("The other words, unknown members and the spelling of the requestId are taken as sent")
    func variants() throws {
        let id = "7B0F1C1E-4b0c-4b5e-9a3e-0f3b1c2d4e5f"
        let submission = try Self.submission([
            "requestId": "\"\(id)\",\"user\":{\"steps\":[]}", "status": "\"IN_PROGRESS\"", "source": "\"manual\"",
        ])
        #expect(submission.status == .inProgress && submission.source == .manual)
        #expect(submission.requestIDText == id)
        #expect(submission.requestID.description == "7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f")
    }

    @Test(
        "Values at the edge of a rule are accepted",
        arguments: [
            ["steps": "0"], ["steps": "500000"], ["steps": "120.0"], ["steps": "1.2e2"], ["steps": "-0"],
            ["distance": "0"], ["distance": "500000"], ["distance": "500000.000"], ["distance": "5e5"],
            ["distance": "1e-400"],
            ["distance": "499999.99999"], ["distance": "-0.0"],
            ["start_time": "946684800000", "end_time": "946684800001"],
            ["start_time": "1764460859999"], ["start_time": "1764288060000"],
            ["start_time": "1764460860000", "end_time": "1764547260000"],
            ["start_time": "1764460800000.0", "end_time": "176446086e4"],
            ["device_id": "\" \""], ["device_id": "\"~\""], ["device_id": "\"\(String(repeating: "x", count: 64))\""],
            ["time_zone": "\"UTC\""], ["time_zone": "\"Asia/Kuala_Lumpur\""],
        ] as [[String: String]])
    func accepted(replacements: [String: String]) throws { _ = try Self.submission(replacements) }

    @Test(
        "A value beyond a rule is one fault, named where it stands and in words",
        arguments: [
            ("requestId", "7", "must be a UUID in a string, not a number"),
            ("requestId", "null", "must be a UUID in a string, not null"),
            ("requestId", "\"\"", "must be a UUID of the form"),
            ("requestId", "\"7b0f1c1e4b0c4b5e9a3e0f3b1c2d4e5f\"", "must be a UUID of the form"),
            ("start_time", "\"1764460800000\"", "not a string"), ("start_time", "null", "not null"),
            ("start_time", "1764460800000.5", "must be an integer"), ("start_time", "1e400", "must be an integer"),
            ("start_time", "9223372036854775808", "64 bits"),
            ("start_time", "1764460800", "looks like seconds"), ("start_time", "1", "looks like seconds"),
            ("start_time", "100000000000", "looks like seconds"),
            ("end_time", "1764460860", "looks like seconds"), ("end_time", "[]", "not an array"),
            ("end_time", "1764460800000", "after start_time"), ("end_time", "1764460799999", "after start_time"),
            ("steps", "-1", "from 0 to 500000"), ("steps", "500001", "from 0 to 500000"),
            ("steps", "1.5", "without a fraction"), ("steps", "1e400", "must be from 0 to 500000"),
            ("steps", "9223372036854775808", "must be from 0 to 500000"), ("steps", "\"120\"", "not a string"),
            ("steps", "true", "not a boolean"), ("steps", "null", "not null"), ("steps", "{}", "not an object"),
            ("distance", "-0.0001", "from 0 to 500000 metres"), ("distance", "500000.0001", "from 0 to 500000 metres"),
            ("distance", "1e400", "from 0 to 500000 metres"), ("distance", "-1e400", "from 0 to 500000 metres"),
            ("distance", "\"87.5\"", "not a string"), ("distance", "null", "not null"),
            ("time_zone", "\"Europe/Berlim\"", "IANA"), ("time_zone", "\"\"", "IANA"),
            ("time_zone", "1", "not a number"),
            ("time_zone", "\"Asia/\u{212A}uala_Lumpur\"", "IANA"), ("time_zone", "\"UTC\\u0000\"", "IANA"),
            ("status", "\"complete\"", "COMPLETE or IN_PROGRESS"), ("status", "\"\"", "COMPLETE or IN_PROGRESS"),
            ("status", "false", "not a boolean"), ("source", "\"AUTO\"", "auto or manual"),
            ("source", "0", "not a number"),
            ("device_id", "\"\"", "1 to 64"), ("device_id", "\"\(String(repeating: "x", count: 65))\"", "1 to 64"),
            ("device_id", "\"a\\u007f\"", "printable"), ("device_id", "\"a\\nb\"", "printable"),
            ("device_id", "\"é\"", "printable"), ("device_id", "9", "not a number"),
        ])
    func refused(member: String, value: String, detail: String) throws {
        let rejection = try Self.rejection(Self.json([member: value]))
        #expect(rejection.faults.map(\.pointer) == ["/\(member)"])
        #expect(rejection.faults.first?.detail.contains(detail) == true, "\(rejection.faults)")
        #expect(!rejection.isClockFault)
    }

    @Test(
        "Each required member that is missing is named",
        arguments: ["requestId", "start_time", "end_time", "steps", "distance"])
    func missing(member: String) throws {
        let rejection = try Self.rejection(Self.json([member: Self.leftOut]))
        #expect(rejection.faults.map(\.pointer) == ["/\(member)"])
        #expect(rejection.faults.first?.detail.hasPrefix("is required") == true)
        #expect(rejection.requestIDText == (member == "requestId" ? nil : "7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f"))
    }

    @Test("All faults are listed at once, in the order of the members, none twice")
    func allFaults() throws {
        let rejection = try Self.rejection(
            #"{"device_id":"","requestId":"x","start_time":1764460800,"steps":1.5,"distance":-1,"time_zone":"Mars","status":1,"source":"x"}"#
        )
        #expect(
            rejection.faults.map(\.pointer) == [
                "/requestId", "/start_time", "/end_time", "/steps", "/distance", "/time_zone", "/status", "/source",
                "/device_id",
            ])
        #expect(rejection.requestIDText == "x")
        #expect(Set(rejection.faults).count == rejection.faults.count)
        #expect(
            try Self.rejection("{}").faults.map(\.pointer)
                == ["/requestId", "/start_time", "/end_time", "/steps", "/distance"])
    }

    @Test("What is no object is one fault of the whole document", arguments: ["[]", "null", "1", "\"a\"", "true"])
    func noObject(json: String) throws {
        let rejection = try Self.rejection(json)
        #expect(rejection.faults.map(\.pointer) == [""])
        #expect(rejection.requestIDText == nil)
    }

    @Test("A span of more than 48 hours and an instant before 2000 are refused")
    func spans() throws {
        let long = try Self.rejection(Self.json(["start_time": "1764288059999"]))
        #expect(long.faults.map(\.pointer) == ["/end_time"] && long.faults[0].detail.contains("48 hours"))
        let old = try Self.rejection(Self.json(["start_time": "946684799999", "end_time": "946684800001"]))
        #expect(old.faults.map(\.pointer) == ["/start_time"] && old.faults[0].detail.contains("2000-01-01"))
        let older = try Self.rejection(Self.json(["start_time": "100000000001", "end_time": "100000000002"]))
        #expect(older.faults.map(\.pointer) == ["/start_time", "/end_time"])
        let zero = try Self.rejection(Self.json(["start_time": "-86400000", "end_time": "0"]))
        #expect(zero.faults.map(\.pointer) == ["/start_time", "/end_time"])
        let extreme = try Self.rejection(
            Self.json(["start_time": "-9223372036854775808", "end_time": "9223372036854775807"]))
        #expect(extreme.faults.map(\.pointer) == ["/start_time", "/end_time", "/end_time"])
    }

    @Test("An end more than 24 hours ahead of the server is a fault of a clock and says so")
    func clock() throws {
        let ahead = try Self.rejection(Self.json(["start_time": "1764460860000", "end_time": "1764547260001"]))
        #expect(ahead.isClockFault && ahead.faults.map(\.pointer) == ["/end_time"])
        let alone = try Self.rejection(Self.json(["start_time": Self.leftOut, "end_time": "9223372036854775807"]))
        #expect(alone.isClockFault && alone.faults.map(\.pointer) == ["/start_time", "/end_time"])
        for now in [Int64.min, Int64.max] {
            let value = try JSONValue.parse(Array(Self.json().utf8))
            let decoded = WorkoutSubmission.decode(value, now: Timestamp(milliseconds: now)) { _ in true }
            guard case .rejected(let rejection) = decoded else {
                #expect(now == .max)
                continue
            }
            #expect(now == .min && rejection.isClockFault)
        }
    }

    @Test("The zone database is never asked for a text that cannot be a name")
    func zoneQuestions() throws {
        var asked: [String] = []
        for zone in ["\"\"", "\"\(String(repeating: "a", count: 65))\"", "\"é\"", "\"a\\u0000\"", "\"ok\""] {
            let value = try JSONValue.parse(Array(Self.json(["time_zone": zone]).utf8))
            _ = WorkoutSubmission.decode(value, now: Self.now) {
                asked.append($0)
                return false
            }
        }
        #expect(asked == ["ok"])
    }

    @Test("Thousands of spoilt workouts are refused with faults, or keep the rules; none traps")
    func fuzz() {
        var generator = SeededGenerator(seed: 3)
        let valid = Array(Self.json().utf8)
        var (accepted, refused) = (0, 0)
        for _ in 0..<20_000 {
            guard let value = try? JSONValue.parse(generator.mutated(valid)) else { continue }
            switch WorkoutSubmission.decode(value, now: Self.now, isKnownZone: { Self.zones.contains($0) }) {
            case .submission(let workout):
                accepted += 1
                #expect(workout.start < workout.end && workout.end.milliseconds <= 1_764_547_260_000)
                #expect((0...500_000).contains(workout.steps) && (0...500_000_000).contains(workout.distance.count))
            case .rejected(let rejection):
                refused += 1
                #expect(!rejection.faults.isEmpty && Set(rejection.faults).count == rejection.faults.count)
            }
        }
        #expect(accepted > 300 && refused > 300)
    }
}
