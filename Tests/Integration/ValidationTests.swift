import StrideTestSupport
import Testing

/// Every rule of the contract that a workout can break, with the pointer that names the member.
@Suite(.serialized, .stand())
struct ValidationTests {
    private static let valid = workout(
        from: "2025-11-30T08:00:00Z", to: "2025-11-30T09:00:00Z", steps: 5000, metres: 3500.25, zone: "Europe/Berlin",
        device: "pixel-9")

    /// A change of the valid workout, and the pointers of the faults in their order.
    struct Case: Sendable, CustomTestStringConvertible {
        let changes: [String: JSON?]
        let pointers: [String]
        var testDescription: String { "\(changes.mapValues { $0?.text ?? "left out" })" }

        init(_ changes: [String: JSON?], _ pointers: String...) {
            self.changes = changes
            self.pointers = pointers
        }

        var body: JSON {
            var body = ValidationTests.valid.with(["requestId": .string(newRequestID())])
            for (name, value) in changes { body = value.map { body.with([name: $0]) } ?? body.without(name) }
            return body
        }
    }

    static let refused: [Case] = [
        // requestId
        Case(["requestId": JSON?.none], "/requestId"), Case(["requestId": .some(nil)], "/requestId"),
        Case(["requestId": 5], "/requestId"), Case(["requestId": ""], "/requestId"),
        Case(["requestId": "7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5"], "/requestId"),
        Case(["requestId": "7b0f1c1e4b0c4b5e9a3e0f3b1c2d4e5f"], "/requestId"),
        Case(["requestId": "{7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f}"], "/requestId"),
        Case(["requestId": "7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5g"], "/requestId"),
        // instants
        Case(["start_time": JSON?.none], "/start_time"), Case(["end_time": JSON?.none], "/end_time"),
        Case(["start_time": .some(nil)], "/start_time"), Case(["end_time": "1764460860000"], "/end_time"),
        Case(["start_time": .raw("1764489600000.5")], "/start_time"),
        Case(["start_time": .raw("1e400")], "/start_time"),
        Case(["end_time": .raw("9223372036854775808")], "/end_time"),
        Case(["start_time": 1_764_489_600], "/start_time"), Case(["start_time": 1], "/start_time"),
        Case(["start_time": 100_000_000_000], "/start_time"),
        Case(["start_time": 946_684_799_999, "end_time": 946_684_860_000], "/start_time"),
        Case(["start_time": 0, "end_time": 60_000_000_000], "/start_time", "/end_time"),
        Case(["start_time": -5], "/start_time", "/end_time"),
        // span
        Case(["end_time": .int(instant("2025-11-30T08:00:00Z"))], "/end_time"),
        Case(["end_time": .int(instant("2025-11-30T07:59:59Z"))], "/end_time"),
        Case(["start_time": .int(instant("2025-11-28T08:59:59Z"))], "/end_time"),
        // steps
        Case(["steps": JSON?.none], "/steps"), Case(["steps": .some(nil)], "/steps"), Case(["steps": -1], "/steps"),
        Case(["steps": 500_001], "/steps"), Case(["steps": 1.5], "/steps"), Case(["steps": .raw("1e400")], "/steps"),
        Case(["steps": "120"], "/steps"), Case(["steps": true], "/steps"), Case(["steps": []], "/steps"),
        Case(["steps": .raw("9223372036854775808")], "/steps"), Case(["steps": .raw("-1e-400")], "/steps"),
        // distance
        Case(["distance": JSON?.none], "/distance"), Case(["distance": .some(nil)], "/distance"),
        Case(["distance": -0.001], "/distance"), Case(["distance": .raw("500000.0001")], "/distance"),
        Case(["distance": .raw("1e400")], "/distance"), Case(["distance": "87.5"], "/distance"),
        // time_zone
        Case(["time_zone": "+07:00"], "/time_zone"), Case(["time_zone": "PST"], "/time_zone"),
        Case(["time_zone": "GMT+5"], "/time_zone"), Case(["time_zone": "Mars/Base"], "/time_zone"),
        Case(["time_zone": "europe/berlin"], "/time_zone"), Case(["time_zone": "Europe/berlin"], "/time_zone"),
        Case(["time_zone": ""], "/time_zone"), Case(["time_zone": "../etc/passwd"], "/time_zone"),
        Case(["time_zone": "Europe/Berlin "], "/time_zone"), Case(["time_zone": "/Europe/Berlin"], "/time_zone"),
        Case(["time_zone": "Europe//Berlin"], "/time_zone"), Case(["time_zone": "Europe/"], "/time_zone"),
        Case(["time_zone": "UTC+2"], "/time_zone"), Case(["time_zone": 1], "/time_zone"),
        Case(["time_zone": "GMT+0530"], "/time_zone"), Case(["time_zone": "posix/UTC/"], "/time_zone"),
        // words
        Case(["status": "complete"], "/status"), Case(["status": "DONE"], "/status"), Case(["status": 1], "/status"),
        Case(["source": "AUTO"], "/source"), Case(["source": ""], "/source"), Case(["source": false], "/source"),
        // device_id
        Case(["device_id": ""], "/device_id"), Case(["device_id": "pixel\u{7F}"], "/device_id"),
        Case(["device_id": .string(String(repeating: "d", count: 65))], "/device_id"),
        Case(["device_id": "bücher"], "/device_id"), Case(["device_id": "a\u{0}b"], "/device_id"),
        Case(["device_id": 9], "/device_id"),
        // everything at once, in the order of the members
        Case(
            [
                "requestId": "x", "start_time": 5, "end_time": "x", "steps": -1, "distance": -1, "time_zone": "PST",
                "status": "x", "source": "x", "device_id": "",
            ], "/requestId", "/start_time", "/end_time", "/steps", "/distance", "/time_zone", "/status", "/source",
            "/device_id"),
    ]

    @Test("A workout that breaks a rule is 400 with a pointer to each fault, and nothing is stored", arguments: refused)
    func refuses(_ refusal: Case) async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let answer = try await phone.post(refusal.body)
        #expect(answer.status == 400)
        #expect(answer["Content-Type"] == "application/problem+json")
        #expect(answer.json["code"] == "INVALID_REQUEST")
        #expect(answer.json["errors"].elements.compactMap { $0["pointer"].string } == refusal.pointers)
        #expect(answer.json["errors"].elements.allSatisfy { $0.names == ["detail", "pointer"] })
        let inBatch = try await phone.postBatch([refusal.body]).json["results"][0]
        #expect(inBatch["errors"] == answer.json["errors"])
        #expect(inBatch["detail"] == answer.json["detail"])
        #expect(try await stand.stores.database.workoutCount(of: phone.user) == 0)
    }

    static let accepted: [Case] = [
        Case([:]), Case(["steps": 0, "distance": 0]), Case(["steps": 500_000, "distance": 500_000]),
        Case(["steps": .raw("5.0e1")]), Case(["distance": .raw("-0.0")]), Case(["distance": .raw("1e-3")]),
        Case(["start_time": 946_684_800_000, "end_time": 946_684_800_001]),
        Case(["start_time": .int(instant("2025-11-28T09:00:00Z"))]),  // exactly 48 h
        Case(["time_zone": "Asia/Calcutta"]), Case(["time_zone": "UTC"]), Case(["time_zone": "Etc/GMT+5"]),
        Case(["time_zone": "America/Argentina/Buenos_Aires"]), Case(["time_zone": .some(nil)]),
        Case(["time_zone": JSON?.none]), Case(["status": "IN_PROGRESS"]), Case(["status": .some(nil)]),
        Case(["source": "manual"]), Case(["source": .some(nil)]), Case(["device_id": " "]),
        Case(["device_id": .string(String(repeating: "~", count: 64))]), Case(["device_id": .some(nil)]),
        Case(["unknown": ["deep": [1, 2, 3]]]), Case(["requestId": "00000000-0000-0000-0000-000000000000"]),
        Case(["requestId": "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF"]),
    ]

    @Test("A workout at the edge of the rules is 201", arguments: accepted)
    func accepts(_ acceptance: Case) async throws {
        let answer = try await Stand.ofSuite().phone().post(acceptance.body)
        #expect(answer.status == 201, "\(answer)")
    }

    @Test("An end 24 h after the server's clock is taken; a millisecond more is refused and tells the server's time")
    func clocks() async throws {
        let phone = try Stand.ofSuite().phone()
        let now = instant(InProcessIngest.now)
        let latest = now + 24 * 3_600_000
        let ahead = Self.valid.with(["start_time": .int(now), "end_time": .int(latest)])
        #expect(try await phone.post(ahead).status == 201)
        let refused = try await phone.post(ahead.with(["end_time": .int(latest + 1)]))
        #expect(refused.status == 400)
        #expect(refused.json["errors"].elements.map { $0["pointer"] } == ["/end_time"])
        #expect(refused.json["serverTime"].int == now)
        // A fault that has nothing to do with clocks does not tell it.
        #expect(try await phone.post(ahead.with(["steps": -1])).json["serverTime"] == .null)
    }

    @Test("An instant in seconds is refused and the detail says so")
    func seconds() async throws {
        let answer = try await Stand.ofSuite().phone().post(Self.valid.with(["start_time": 1_764_489_600]))
        #expect(answer.json["errors"][0]["detail"].string?.contains("seconds") == true)
    }

    @Test(
        "A body that is no JSON object, or breaks JSON, is 400",
        arguments: [
            "", "null", "[]", "5", "\"x\"", "{", "{\"a\":1,}", "{'a':1}", "{\"steps\":NaN}", "{\"steps\":Infinity}",
            "{\"steps\":01}", "{\"steps\":1,\"steps\":1}", "{} {}", "\u{FEFF}{}",
            String(repeating: "[", count: 33) + String(repeating: "]", count: 33), "{\"a\":\"\\ud800\"}",
        ])
    func noDocument(_ body: String) async throws {
        let answer = try await Stand.ofSuite().phone().send("POST", "/v1/workouts", body: Array(body.utf8))
        #expect(answer.status == 400)
        #expect(answer.json["code"] == "INVALID_REQUEST")
    }
}
