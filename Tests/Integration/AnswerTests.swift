import StrideTestSupport
import Testing

/// What a client is told about its budget: how many workouts remain, and seconds until all are there again.
private struct Budget: Hashable {
    var remaining: Int
    var seconds: Int

    init?(_ answer: HTTPAnswer) {
        let parts = (answer["RateLimit"] ?? "").split(separator: ";")
        guard parts.count == 3, parts[0] == #""workouts""#, parts[1].hasPrefix("r="), parts[2].hasPrefix("t="),
            let remaining = Int(parts[1].dropFirst(2)), let seconds = Int(parts[2].dropFirst(2))
        else { return nil }
        self.remaining = remaining
        self.seconds = seconds
    }
}

/// Whether so many of a thousand are used, where each takes a minute to come back and the last minute has begun.
private func hasUsed(_ count: Int, _ answer: HTTPAnswer) -> Bool {
    guard let budget = Budget(answer) else { return false }
    return budget.remaining == 1000 - count && budget.seconds <= count * 60 && budget.seconds >= count * 60 - 59
}

/// The answers of the contract, member by member.
///
/// The budget is a thousand and hardly comes back within a test.
@Suite(.serialized, .stand(["STRIDE_USER_RATE_PER_MINUTE": "1", "STRIDE_USER_BURST": "1000"]))
struct AnswerTests {
    private let walk = workout(from: "2025-11-30T08:00:00Z", to: "2025-11-30T08:01:00Z", steps: 120, metres: 87.5)

    @Test("A new workout is 201 with its id, the requestId as sent, and the budget's fields")
    func created() async throws {
        let phone = try Stand.ofSuite().phone()
        let answer = try await phone.post(walk)
        let id = try #require(answer.json["workout_id"].int)
        #expect(id > 0)
        #expect(answer.status == 201)
        #expect(answer.json == ["workout_id": .int(id), "requestId": walk["requestId"], "duplicate": false])
        #expect(answer["Content-Type"] == "application/json")
        #expect(answer["RateLimit-Policy"] == #""workouts";q=1000;w=60000"#)
        #expect(hasUsed(1, answer))
        #expect(answer["Retry-After"] == nil)
        #expect(answer["Date"] != nil)
    }

    @Test("A repeat is 200 with the same id and duplicate true; growth is 200 with updated true")
    func repeatedAndUpdated() async throws {
        let phone = try Stand.ofSuite().phone()
        let open = walk.with(["status": "IN_PROGRESS"])
        let id = try await phone.post(open).json["workout_id"]
        let again = try await phone.post(open)
        #expect(again.status == 200)
        #expect(again.json == ["workout_id": id, "requestId": walk["requestId"], "duplicate": true])
        let grown = try await phone.post(open.with(["steps": 121]))
        #expect(grown.status == 200)
        #expect(
            grown.json == [
                "workout_id": id, "requestId": walk["requestId"], "duplicate": false, "updated": true,
            ])
    }

    @Test("I3: other content under a known requestId is 422 IDEMPOTENCY_KEY_REUSED and changes nothing")
    func reused() async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        _ = try await phone.post(walk)
        let answer = try await phone.post(walk.with(["steps": 121]))
        #expect(answer.status == 422)
        #expect(answer["Content-Type"] == "application/problem+json")
        #expect(answer.json["code"] == "IDEMPOTENCY_KEY_REUSED")
        #expect(answer.json["status"] == 422)
        #expect(answer.json.names == ["code", "detail", "instance", "status", "title", "type"])
        #expect(hasUsed(2, answer))
        #expect(try await stand.days(of: phone) == ["2025-11-30": DayFigures(120, 87_500, 1)])
    }

    @Test("A batch is 200 with one result for each item in the order sent, faulty ones among them")
    func batch() async throws {
        let phone = try Stand.ofSuite().phone()
        let bad = walk.with(["requestId": .string(newRequestID()), "steps": -1])
        let other = walk.with(["requestId": .string(newRequestID())])
        let answer = try await phone.postBatch([walk, bad, other, walk, walk.with(["steps": 7])])
        #expect(answer.status == 200)
        #expect(answer["Content-Type"] == "application/json")
        #expect(hasUsed(5, answer))
        #expect(answer.json.names == ["results"])
        let results = answer.json["results"].elements
        #expect(results.map { $0["result"] } == ["created", "rejected", "created", "duplicate", "rejected"])
        let sent = [walk, bad, other, walk, walk].map { $0["requestId"] }
        #expect(results.map { $0["requestId"] } == sent)
        #expect(results[0].names == ["requestId", "result", "workout_id"])
        #expect(results[0]["workout_id"] == results[3]["workout_id"])
        #expect(results[1].names == ["code", "detail", "errors", "requestId", "result"])
        #expect(results[1]["code"] == "INVALID_REQUEST")
        #expect(results[1]["errors"].elements.map { $0["pointer"] } == ["/steps"])
        #expect(results[4].names == ["code", "detail", "requestId", "result"])
        #expect(results[4]["code"] == "IDEMPOTENCY_KEY_REUSED")
    }

    @Test("What is no batch is 400 as a whole and costs nothing: not JSON, no array, 0 or 501 items")
    func noBatch() async throws {
        let phone = try Stand.ofSuite().phone()
        let many = Array(repeating: walk, count: 501)
        let bodies: [(text: String, pointer: JSON?)] = [
            ("{", nil), ("[]", ""), ("{}", "/workouts"), (#"{"workouts":{}}"#, "/workouts"),
            (#"{"workouts":[]}"#, "/workouts"), (JSON.object(["workouts": .array(many)]).text, "/workouts"),
        ]
        for body in bodies {
            let answer = try await phone.send("POST", "/v1/workouts/batch", body: Array(body.text.utf8))
            #expect(answer.status == 400)
            #expect(answer.json["code"] == "INVALID_REQUEST")
            #expect(answer.json["errors"][0]["pointer"] == body.pointer ?? .null)
            #expect(hasUsed(0, answer) || Budget(answer)?.seconds == 0)
        }
        #expect(try await phone.postBatch(many.dropLast()).status == 200)
    }

    @Test("DELETE is 204 without a body, again 204; an unknown id and text that is no id are 404")
    func deleted() async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let id = try #require(try await phone.post(walk).json["workout_id"].int)
        for used in [2, 3] {
            let answer = try await phone.delete(id)
            #expect(answer.status == 204)
            #expect(answer.body.isEmpty)
            #expect(answer["Content-Length"] == nil)
            #expect(hasUsed(used, answer))
        }
        for path in ["999999999", "abc", "-1", "0", "99999999999999999999", "1.5", "%00"] {
            let answer = try await phone.send("DELETE", "/v1/workouts/\(path)")
            #expect(answer.status == 404, "\(path)")
            #expect(answer.json["code"] == "NOT_FOUND")
        }
        #expect(try await stand.days(of: phone).isEmpty)
    }

    @Test("S3: another user's workout is 404 exactly as an absent one, and nothing of it changes")
    func otherUsers() async throws {
        let stand = try Stand.ofSuite()
        let (owner, stranger) = (try stand.phone(), try stand.phone())
        let id = try #require(try await owner.post(walk).json["workout_id"].int)
        let before = try await stand.days(of: owner)
        let refused = try await stranger.delete(id)
        let absent = try await stranger.delete(id + 1_000_000)
        #expect(refused.status == 404)
        #expect(refused.json.without("instance") == absent.json.without("instance"))
        // The stranger's own workout under the same requestId is another workout.
        let own = try await stranger.post(walk.with(["steps": 1]))
        #expect(own.status == 201)
        #expect(own.json["workout_id"].int != id)
        #expect(try await stranger.post(walk).status == 422)
        #expect(try await stand.days(of: owner) == before)
        #expect(try await owner.post(walk).json["duplicate"] == true)
    }

    @Test("Each workout of a well-formed request costs one: repeats, rejected ones and deletions too")
    func costs() async throws {
        let stand = try Stand.ofSuite()
        let phone = try stand.phone()
        let id = try await phone.post(walk)
        #expect(hasUsed(1, id))
        #expect(hasUsed(2, try await phone.post(walk)))
        #expect(hasUsed(3, try await phone.post(walk.without("steps"))))
        #expect(hasUsed(7, try await phone.postBatch([walk, .null, 5, walk])))
        #expect(hasUsed(8, try await phone.delete(id.json["workout_id"].int ?? 0)))
        #expect(hasUsed(9, try await phone.send("DELETE", "/v1/workouts/nothing")))
    }

    @Test("X-Request-Id is echoed when well-formed, made otherwise, and stands in the problem's instance")
    func requestIDs() async throws {
        let phone = try Stand.ofSuite().phone()
        let sixtyFour = String(repeating: "x", count: 64)
        for id in ["abc-123", sixtyFour, "!~#%{}"] {
            let answer = try await phone.send("DELETE", "/v1/workouts/1", fields: [("X-Request-Id", id)])
            #expect(answer["X-Request-Id"] == id)
            #expect(answer.json["instance"].string == id)
        }
        for id in [sixtyFour + "x", "", "a b", "a\u{7F}b", "é", "a\tb"] {
            let answer = try await phone.send("DELETE", "/v1/workouts/1", fields: [("X-Request-Id", id)])
            let made = try #require(answer["X-Request-Id"])
            #expect(made != id && !made.isEmpty && made.utf8.allSatisfy { (0x21...0x7E).contains($0) })
            #expect(answer.json["instance"].string == made)
        }
    }
}
