import StrideTestSupport
import Testing

/// What other devices did.
struct ChangesTests {
    private static func item(_ id: String, _ start: Int, steps: Int = 100, zone: String = "Europe/Berlin") -> JSON {
        [
            "workout_id": 9, "requestId": .string(id), "start_time": .int(start), "end_time": .int(start + 600_000),
            "steps": .int(steps), "distance": 80.5, "time_zone": .string(zone), "status": "COMPLETE", "source": "auto",
            "device_id": "watch", "deleted": false,
        ]
    }

    private static func page(_ items: [JSON], _ cursor: String = "c", more: Bool = false) -> JSON {
        ["workouts": .array(items), "nextCursor": .string(cursor), "more": .bool(more)]
    }

    @Test("pages are followed to their end, stored, and the cursor survives a restart") func pages() {
        var rig = Rig(online: true)
        #expect(rig.request?["path"] == "/v1/changes?limit=200")
        rig.answer(200, Self.page([Self.item(newRequestID(), Rig.zero - 3_600_000)], "aa", more: true))
        #expect(rig.request?["path"] == "/v1/changes?limit=200&cursor=aa")
        rig.restart(online: true)
        #expect(rig.request?["path"] == "/v1/changes?limit=200&cursor=aa")
        rig.answer(200, Self.page([Self.item(newRequestID(), Rig.zero - 7_200_000)], "bb"))
        #expect(rig.stored("workouts").count == 2)
        #expect(
            rig.request?["path"].string?.hasPrefix("/v1/days?from=2024-10-28&to=2025-12-01") == true,
            "\(String(describing: rig.request))")
    }

    @Test("a workout deleted elsewhere goes; so does what was never told again after a 410") func deletedElsewhere() {
        var rig = Rig(online: true)
        let (one, two, three) = (newRequestID(), newRequestID(), newRequestID())
        let items = [one, two, three].enumerated().map { Self.item($1, Rig.zero - 3_600_000 * ($0 + 1)) }
        rig.answer(200, Self.page(items))
        rig.read()
        rig.add(minutesAgo: 10)
        rig.answer(503, ["retry_after_ms": 3_000_000])
        rig.read()
        rig.send("refresh")
        rig.answer(200, Self.page([["workout_id": 9, "requestId": .string(one), "deleted": true]]))
        rig.read()
        #expect(rig.stored("workouts").count == 3)
        rig.send("refresh")
        rig.answer(410, ["code": "CURSOR_EXPIRED"])
        #expect(rig.request?["path"] == "/v1/changes?limit=200")
        rig.restart(online: true)
        // What was told to wait waits on; it stays whatever the server tells.
        rig.answer(200, Self.page([items[2]]))
        rig.read()
        #expect(rig.stored("workouts")[two] == nil)
        #expect(rig.stored("workouts")[three] != nil)
        #expect(rig.queue.waiting == 1)
    }

    @Test("a workout that the server has although its answer was lost is delivered") func lostAnswer() {
        var rig = Rig()
        rig.add(minutesAgo: 60, steps: 1000, metres: 700)
        rig.send("online", ["online": true])
        let sent = rig.request?["body"]["workouts"][0] ?? nil
        rig.answer(0)
        rig.answer(200, Self.page([sent.with(["workout_id": 4, "deleted": false])]))
        rig.send("open", ["view": "home"])
        rig.read(days: ["2025-11-30": 1000])
        #expect(rig.queue == (0, 0, 1))
        #expect(rig.screens["home"]?["day"]["steps"] == ["confirmed": 1000, "waiting": 0, "total": 1000])
        rig.now += 60_000
        rig.send("tick")
        #expect(rig.batch.isEmpty)
    }

    @Test("the zone of a foreign workout is asked for once") func zones() {
        var rig = Rig(online: true)
        let items = [1, 2].map { Self.item(newRequestID(), Rig.zero - 3_600_000 * $0, zone: "Asia/Tokyo") }
        let effects = rig.answer(200, Self.page(items))
        #expect(effects.filter { $0["type"] == "zone" } == [["type": "zone", "name": "Asia/Tokyo"]])
        rig.send("zone", ["zone": ["name": "Asia/Tokyo", "offsets": [[0, 32_400]]]])
        // 10:53 UTC less an hour is 18:53 in Tokyo, still the 30th; 16 hours before it is the 30th there, the 29th here.
        rig.send("open", ["view": "day", "day": "2025-11-30"])
        #expect(rig.screens["day"]?["workouts"].elements.count == 2)
    }

    @Test("a page that makes no sense changes nothing and is asked for again later") func nonsense() {
        var rig = Rig(online: true)
        for body in [nil, [], ["workouts": 1], ["workouts": [], "nextCursor": "a b", "more": false]] as [JSON] {
            rig.answer(200, body)
            #expect(rig.request == nil)
            rig.now += 900_000
            rig.send("tick")
            #expect(rig.request?["path"] == "/v1/changes?limit=200")
        }
        rig.answer(200, Self.page([["requestId": "x"], ["requestId": .string(newRequestID()), "steps": -1], 7]))
        #expect(rig.stored("workouts").isEmpty)
        #expect(rig.reports == ["unreadable_workout"])
    }
}
