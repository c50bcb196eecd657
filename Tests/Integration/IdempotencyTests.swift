import StrideTestSupport
import Testing

/// One requestId is one workout, whatever happens on the way.
@Suite(.serialized, .stand())
struct IdempotencyTests {
    private let walk = workout(
        from: "2025-06-10T08:00:00Z", to: "2025-06-10T09:00:00Z", steps: 120, metres: 87.5, zone: "UTC",
        device: "pixel-9")
    private let counted = ["2025-06-10": DayFigures(120, 87_500, 1)]

    @Test("I1: the same workout 20 at once: one row, one count, one 201, the same id in all answers")
    func atOnce() async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let answers = try await postAtOnce(20, walk, phone)
        #expect(answers.count { $0.status == 201 } == 1)
        #expect(answers.count { $0.status == 200 && $0.json["duplicate"] == true } == 19)
        #expect(Set(answers.map { $0.json["workout_id"] }).count == 1)
        #expect(try await stand.stores.database.workoutCount(of: phone.user) == 1)
        #expect(try await stand.days(of: phone) == counted)
    }

    @Test("I2: the same requestId with another day, month or year is 422 and never a second row")
    func otherDay() async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        _ = try await phone.post(walk)
        for day in ["2025-06-11", "2025-07-10", "2024-06-10", "2000-01-01"] {
            let moved = walk.with([
                "start_time": .int(instant("\(day)T08:00:00Z")), "end_time": .int(instant("\(day)T09:00:00Z")),
            ])
            #expect(try await phone.post(moved).status == 422)
        }
        #expect(try await stand.stores.database.workoutCount(of: phone.user) == 1)
        #expect(try await stand.days(of: phone) == counted)
    }

    @Test("I3: the same content in other spelling is a duplicate, and the answer repeats the spelling of the id")
    func respelled() async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let id = walk["requestId"].string ?? ""
        _ = try await phone.post(walk)
        let (start, end) = (walk["start_time"].text, walk["end_time"].text)
        let spellings = [
            // Other order of the members, more digits, members that nobody knows, null for what is left out.
            #"{"distance":87.50,"steps":120,"end_time":\#(end),"x":{"y":[1]},"start_time":\#(start),"device_id":"pixel-9","#
                + #""time_zone":"UTC","requestId":"\#(id)"}"#,
            #"{"requestId":"\#(id.uppercased())","start_time":\#(start).0,"end_time":\#(end),"steps":1.2e2,"#
                + #""distance":8.75e1,"time_zone":"UTC","device_id":"pixel-9","status":null,"source":"auto"}"#,
            " {\n\t\"requestId\" : \"\(id)\" , \"start_time\":\(start), \"end_time\":\(end),\r\n\"steps\":120,"
                + #""distance":87.5000000000000000000001,"time_zone":"UT\u0043","device_id":"pixel\u002d9"} "#,
        ]
        for body in spellings {
            let answer = try await phone.send("POST", "/v1/workouts", body: Array(body.utf8))
            #expect(answer.status == 200)
            #expect(answer.json["duplicate"] == true)
            let spelling = body.contains(id) ? id : id.uppercased()
            #expect(answer.json["requestId"].string == spelling)
        }
        #expect(try await stand.stores.database.workoutCount(of: phone.user) == 1)
        #expect(try await stand.days(of: phone) == counted)
    }

    @Test(
        "I3: a change of any member is another content",
        arguments: [
            ["steps": 121], ["distance": .raw("87.501")], ["end_time": .int(instant("2025-06-10T09:00:01Z"))],
            ["start_time": .int(instant("2025-06-10T08:00:01Z"))], ["time_zone": "Etc/UTC"], ["source": "manual"],
            ["device_id": "pixel-8"], ["device_id": nil], ["time_zone": nil],
        ] as [[String: JSON]])
    func changed(_ change: [String: JSON]) async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        _ = try await phone.post(walk)
        #expect(try await phone.post(walk.with(change)).status == 422)
        #expect(try await phone.post(walk).json["duplicate"] == true)
        #expect(try await stand.days(of: phone) == counted)
    }

    @Test("I6: the same requestId twice in one batch is one row, and both items have its id")
    func twiceInABatch() async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let id = walk["requestId"].string ?? ""
        let sent = [walk, walk.with(["requestId": .string(id.uppercased())]), walk.with(["steps": 9]), walk]
        let results = try await phone.postBatch(sent).json["results"].elements
        #expect(results.map { $0["result"] } == ["created", "duplicate", "rejected", "duplicate"])
        #expect(results[0]["workout_id"] == results[1]["workout_id"])
        #expect(results[0]["workout_id"] == results[3]["workout_id"])
        #expect(results[1]["requestId"].string == id.uppercased())
        #expect(results[2]["code"] == "IDEMPOTENCY_KEY_REUSED")
        #expect(try await stand.days(of: phone) == counted)
    }

    @Test("I6: singles and batches with the same requestId that come together are one row")
    func singlesBesideBatches() async throws {
        let stand = try Stand.ofSuite()
        for _ in 0..<5 {
            let phone = try stand.phone()
            let body = walk.with(["requestId": .string(newRequestID())])
            let ids = try await withThrowingTaskGroup(of: [JSON].self) { group in
                for place in 0..<6 {
                    group.addTask {
                        if place % 2 == 0 { return [try await phone.post(body).json["workout_id"]] }
                        return try await phone.postBatch([body, body]).json["results"].elements
                            .map { $0["workout_id"] }
                    }
                }
                return try await group.reduce(into: []) { $0 += $1 }
            }
            #expect(ids.count == 9 && Set(ids).count == 1 && ids.first?.int != nil)
            #expect(try await stand.days(of: phone) == counted)
        }
    }
}

/// Sends the same workout many times at once, over all processes by turns.
func postAtOnce(_ count: Int, _ workout: JSON, _ phone: Phone) async throws -> [HTTPAnswer] {
    try await withThrowingTaskGroup(of: HTTPAnswer.self) { group in
        for place in 0..<count { group.addTask { try await phone.post(workout, via: place) } }
        return try await group.reduce(into: []) { $0.append($1) }
    }
}
