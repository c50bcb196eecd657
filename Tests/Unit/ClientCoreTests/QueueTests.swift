import StrideTestSupport
import Testing

/// The queue over time: order, sizes, waits, restarts.
struct QueueTests {
    private static func created(_ ids: [String]) -> JSON {
        DeliveryTests.results(ids, ["result": "created", "workout_id": 1])
    }

    @Test("the oldest go first, 500 at a time, whatever the order in which they came") func order() {
        var rig = Rig()
        for place in 0..<1203 { rig.add(minutesAgo: 20 + (place * 7) % 1203, steps: 1 + place) }
        rig.send("online", ["online": true])
        var starts: [Int] = []
        var sizes: [Int] = []
        while !rig.batch.isEmpty {
            sizes.append(rig.batch.count)
            starts += rig.request?["body"]["workouts"].elements.compactMap { $0["start_time"].int } ?? []
            rig.answer(200, Self.created(rig.batch))
        }
        #expect(sizes == [500, 500, 203])
        #expect(starts == starts.sorted())
        #expect(starts.count == 1203)
    }

    @Test("one poisoned workout among 500 is found, parked, and blocks nobody") func poison() {
        var rig = Rig()
        for place in 0..<500 { rig.add(minutesAgo: 20 + place, steps: 1 + place) }
        rig.send("online", ["online": true])
        var calls = 0
        while !rig.batch.isEmpty, calls < 100 {
            calls += 1
            let steps = rig.request?["body"]["workouts"].elements.compactMap { $0["steps"].int } ?? []
            if steps.contains(123) { rig.answer(413) } else { rig.answer(200, Self.created(rig.batch)) }
        }
        #expect(rig.queue == (0, 1, 499))
        #expect(calls < 40)
    }

    @Test("a workout that is refused for its body's sake is parked with the server's reason") func reason() {
        var rig = Rig()
        rig.add(minutesAgo: 100)
        rig.send("open", ["view": "settings"])
        rig.send("online", ["online": true])
        let fault: JSON = ["pointer": "/end_time", "detail": "is too late"]
        rig.answer(
            200,
            DeliveryTests.results(
                rig.batch,
                [
                    "result": "rejected", "code": "INVALID_REQUEST", "detail": "wrong", "errors": [fault],
                    "serverTime": .int(rig.now - 7_200_000),
                ]))
        let refused = rig.screens["settings"]?["refused"][0]
        #expect(refused?["reason"]["code"] == "INVALID_REQUEST")
        #expect(refused?["reason"]["detail"] == "wrong")
        #expect(refused?["reason"]["errors"] == [fault])
        #expect(rig.screens["settings"]?["notices"][0]["milliseconds"] == 7_200_000)
        // The clock was two hours ahead: sent again, it is two hours earlier, under another name.
        rig.read()
        let old = refused?["id"] ?? nil
        rig.send("retry_workout", ["id": old])
        let again = rig.request?["body"]["workouts"][0]
        #expect(again?["start_time"].int == (refused?["start_time"].int ?? 0) - 7_200_000)
        #expect(again?["requestId"] != old)
    }

    @Test(
        "a clock is blamed for what ended by it, not for what lies ahead of it: that is not moved to where nobody walked",
        arguments: [(0, 259_200_000), (1, 259_200_001), (-1, nil), (-259_200_000, nil)] as [(Int, Int?)])
    func clock(change: Int, error: Int?) {
        var rig = Rig()
        rig.add(minutesAgo: 10)  // It ends now.
        let server = rig.now - 259_200_000
        rig.now += change
        rig.send("open", ["view": "settings"])
        rig.send("online", ["online": true])
        let answer: JSON = ["result": "rejected", "code": "INVALID_REQUEST", "serverTime": .int(server)]
        rig.answer(200, DeliveryTests.results(rig.batch, answer))
        rig.restart()
        rig.send("open", ["view": "settings"])
        let refused = rig.screens["settings"]?["refused"][0]
        let told = rig.screens["settings"]?["notices"].elements.first { $0["code"] == "clock" }
        #expect(told?["milliseconds"].int == error)
        rig.send("retry_workout", ["id": refused?["id"] ?? nil])
        rig.send("online", ["online": true])
        #expect(rig.request?["body"]["workouts"][0]["end_time"].int == Rig.zero - (error ?? 0))
    }

    @Test(
        "when a clock was put back before the server was asked, the user says when the workout ended, and it arrives once"
    )
    func endSaid() {
        var rig = Rig()
        rig.now += 259_200_000  // Three days fast.
        rig.add(minutesAgo: 10)
        rig.now = Rig.zero + 60_000
        rig.send("open", ["view": "settings"])
        rig.send("online", ["online": true])
        let answer: JSON = ["result": "rejected", "code": "INVALID_REQUEST", "serverTime": .int(rig.now)]
        rig.answer(200, DeliveryTests.results(rig.batch, answer))
        rig.read()
        let old = rig.screens["settings"]?["refused"][0]["id"] ?? nil
        for wrong: JSON in [0, -1, .int(.max), .int(.min), "1764500000000", true] {
            rig.send("retry_workout", ["id": old, "end_time": wrong])
            #expect(rig.queue == (0, 1, 0))
        }
        rig.send("retry_workout", ["id": old, "end_time": .int(Rig.zero)])
        let again = rig.request?["body"]["workouts"]
        #expect(again?.elements.count == 1)
        #expect(again?[0]["start_time"].int == Rig.zero - 600_000)
        #expect(again?[0]["end_time"].int == Rig.zero)
        #expect(again?[0]["requestId"] != old)
        rig.answer(200, Self.created(rig.batch))
        #expect(rig.queue == (0, 0, 1))
    }

    @Test("after a delivery the sums are asked for again once a cache that had not heard of it has")
    func askedAgain() {
        var rig = Rig()
        rig.add(minutesAgo: 100)
        rig.send("open", ["view": "home"])
        rig.send("online", ["online": true])
        rig.answer(200, Self.created(rig.batch))
        rig.read()  // It knows of nothing yet.
        #expect(rig.screens["home"]?["day"]["steps"]["total"] == 0)
        #expect(rig.request == nil)
        #expect(rig.wake == Rig.zero + 6000)
        rig.now += 6000
        rig.send("tick")
        rig.read(days: ["2025-11-30": 1000])
        #expect(rig.screens["home"]?["day"]["steps"]["confirmed"] == 1000)
        #expect((rig.wake ?? 0) >= rig.now + 60_000)
    }

    @Test("failures are unlimited; the wait doubles up to a quarter of an hour") func backoff() throws {
        var rig = Rig()
        rig.add(minutesAgo: 100)
        rig.send("open", ["view": "settings"])
        rig.send("online", ["online": true])
        for attempt in 1...40 {
            rig.answer(500)
            rig.read()
            let most = min(900_000, 1000 << min(attempt, 20))
            let wait = try #require(rig.screens["settings"]?["queue"]["retry_at"].int) - rig.now
            #expect((most / 2...most).contains(wait), "attempt \(attempt): \(wait)")
            rig.now += most + 1
            rig.send("tick")
            rig.read()
            #expect(rig.batch.count == 1)
        }
    }

    @Test("being offline uses up no attempts") func offline() {
        var rig = Rig()
        rig.add(minutesAgo: 100)
        for _ in 0..<30 {
            rig.send("online", ["online": true])
            #expect(rig.batch.count == 1)
            rig.send("online", ["online": false])
            rig.answer(0)
            #expect(rig.request == nil)
            rig.now += 10
        }
        rig.send("online", ["online": true])
        #expect(rig.batch.count == 1)
    }

    @Test("what the server told to wait holds over a change of the network; a clock put back does not lock out")
    func told() {
        var rig = Rig()
        rig.add(minutesAgo: 100)
        rig.send("online", ["online": true])
        rig.answer(429, ["retry_after_ms": 60_000])
        rig.send("online", ["online": false])
        rig.send("online", ["online": true])
        rig.read()
        #expect(rig.request == nil)
        rig.now -= 86_400_000
        rig.send("tick")
        rig.read()
        #expect(rig.batch.count == 1)
    }

    @Test("a request that the host never answers is given up after two minutes") func watchdog() {
        var rig = Rig()
        rig.add(minutesAgo: 100)
        rig.send("online", ["online": true])
        let late = rig.request?["id"] ?? nil
        rig.now += 120_000
        rig.send("tick")
        rig.now += 2000
        rig.send("tick")
        rig.read()
        #expect(rig.batch.count == 1)
        let ids = rig.batch
        rig.send("answer", ["id": late, "status": 200, "body": Self.created(ids)])
        #expect(rig.queue.delivered == 0, "a late answer was believed")
        rig.answer(200, Self.created(ids))
        #expect(rig.queue.delivered == 1)
    }

    @Test("deleting: at once if it was never sent, else the server is told, offline too") func deletes() {
        var rig = Rig()
        rig.add(minutesAgo: 100)
        rig.add(minutesAgo: 90)
        let ids = rig.stored("workouts").keys.sorted()
        rig.send("delete_workout", ["id": .string(ids[0])])
        #expect(rig.stored("workouts").count == 1)
        rig.send("online", ["online": true])
        rig.answer(200, DeliveryTests.results(rig.batch, ["result": "created", "workout_id": 77]))
        rig.read()
        rig.send("online", ["online": false])
        rig.send("delete_workout", ["id": .string(ids[1])])
        rig.restart(online: true)
        #expect(rig.request?["method"] == "DELETE")
        #expect(rig.request?["path"] == "/v1/workouts/77")
        rig.answer(204)
        rig.read()
        #expect(rig.stored("workouts").isEmpty)
    }

    @Test("deleting what was sent without an answer: its name is asked for first, then it goes") func deletesUnknown() {
        var rig = Rig()
        rig.add(minutesAgo: 100)
        let id = rig.stored("workouts").keys.first ?? ""
        rig.send("online", ["online": true])
        rig.answer(0)
        rig.send("delete_workout", ["id": .string(id)])
        rig.read()
        rig.now += 2000
        rig.send("tick")
        #expect(rig.batch == [id])
        rig.answer(200, DeliveryTests.results([id], ["result": "duplicate", "workout_id": 5]))
        #expect(rig.request?["path"] == "/v1/workouts/5")
        rig.answer(204)
        rig.read()
        #expect(rig.stored("workouts").isEmpty)
    }
}
