import StrideTestSupport
import Testing

/// What screens show: the server's numbers and what waits, by the rule of two devices.
struct HomeTests {
    private static func triple(_ confirmed: Int, _ waiting: Int) -> JSON {
        ["confirmed": .int(confirmed), "waiting": .int(waiting), "total": .int(confirmed + waiting)]
    }

    private static func remote(_ device: String, _ from: Int, _ to: Int, _ steps: Int) -> JSON {
        [
            "workout_id": 9, "requestId": .string(newRequestID()), "start_time": .int(from), "end_time": .int(to),
            "steps": .int(steps), "distance": .int(steps), "time_zone": "Europe/Berlin", "status": "COMPLETE",
            "source": "auto", "device_id": .string(device), "deleted": false,
        ]
    }

    @Test("confirmed and waiting are both seen, and a delivered workout is waiting until the server's number has it")
    func confirmedAndWaiting() {
        var rig = Rig(online: true)
        rig.send("open", ["view": "home"])
        rig.read(days: ["2025-11-30": 4000, "2025-11-24": 50])
        rig.send("online", ["online": false])
        rig.add(minutesAgo: 60, steps: 500)
        #expect(rig.screens["home"]?["day"]["steps"] == Self.triple(4000, 500))
        #expect(rig.screens["home"]?["days"].elements.count == 7)
        #expect(rig.screens["home"]?["days"][6]["steps"] == Self.triple(50, 0))
        // Monday the 24th to Sunday the 30th.
        #expect(rig.screens["home"]?["week"]["steps"] == Self.triple(4050, 500))
        rig.send("online", ["online": true])
        rig.answer(200, DeliveryTests.results(rig.batch, ["result": "created", "workout_id": 1]))
        #expect(rig.screens["home"]?["day"]["steps"] == Self.triple(4000, 500))
        rig.read(days: ["2025-11-30": 4500])
        #expect(rig.screens["home"]?["day"]["steps"] == Self.triple(4500, 0))
    }

    @Test("time that the watch covers faster adds only what the server will add: 1333 of 4000 steps") func twoDevices()
    {
        // Phone 08:00-09:00 4000 steps, watch 08:10-08:50 3500; Berlin is an hour ahead of UTC.
        var rig = Rig(online: true)
        rig.send("open", ["view": "home"])
        let eight = 1_764_486_000_000
        rig.answer(
            200,
            [
                "workouts": [Self.remote("watch", eight + 600_000, eight + 3_000_000, 3500)], "nextCursor": "c",
                "more": false,
            ])
        rig.read(days: ["2025-11-30": 3500])
        rig.send("online", ["online": false])
        rig.send(
            "add_workout",
            ["start_time": .int(eight), "end_time": .int(eight + 3_600_000), "steps": 4000, "distance": 0])
        #expect(rig.screens["home"]?["day"]["steps"] == Self.triple(3500, 1333))
    }

    @Test("days are cut at the local midnights of the zone") func midnights() {
        // 23:30 to 00:30 in Berlin before the 30th: half of it belongs to each day.
        var rig = Rig()
        rig.send("open", ["view": "home"])
        let midnight = 1_764_457_200_000
        rig.send(
            "add_workout",
            [
                "start_time": .int(midnight - 1_800_000), "end_time": .int(midnight + 1_800_000), "steps": 1001,
                "distance": 0,
            ])
        #expect(rig.screens["home"]?["days"][0]["steps"] == Self.triple(0, 500))
        #expect(rig.screens["home"]?["days"][1]["steps"] == Self.triple(0, 501))
    }

    @Test("a deletion takes its steps away at once, and the confirmed number follows") func deletion() {
        var rig = Rig(online: true)
        rig.send("open", ["view": "home"])
        let eight = 1_764_486_000_000
        let item = Self.remote("watch", eight, eight + 600_000, 900)
        rig.answer(200, ["workouts": [item], "nextCursor": "c", "more": false])
        rig.read(days: ["2025-11-30": 900])
        rig.send("online", ["online": false])
        rig.send("delete_workout", ["id": item["requestId"]])
        #expect(
            rig.screens["home"]?["day"]["steps"] == ["confirmed": 900, "waiting": -900, "total": 0])
        rig.send("online", ["online": true])
        #expect(rig.request?["method"] == "DELETE")
        rig.answer(204)
        #expect(rig.screens["home"]?["day"]["steps"]["total"] == 0)
        rig.read()
        #expect(rig.screens["home"]?["day"]["steps"] == Self.triple(0, 0))
        #expect(rig.stored("workouts").isEmpty)
    }

    @Test("old numbers stay with a notice when a refresh fails") func stale() {
        var rig = Rig(online: true)
        rig.send("open", ["view": "home"])
        rig.read(days: ["2025-11-30": 4000])
        rig.now += 61_000
        rig.send("refresh")
        rig.answer(503, ["detail": "too much", "retry_after_ms": 9000])
        let home = rig.screens["home"] ?? nil
        #expect(home["day"]["steps"]["total"] == 4000)
        #expect(home["notices"][0]["code"] == "stale" && home["notices"][0]["reason"] == "busy")
        #expect(home["as_of"].int == Rig.zero)
    }

    @Test("at midnight the day changes by itself") func newDay() {
        var rig = Rig()
        rig.send("open", ["view": "home"])
        #expect(rig.wake == 1_764_543_600_000)
        rig.now = 1_764_543_600_000
        rig.send("tick")
        #expect(rig.screens["home"]?["today"] == "2025-12-01")
    }

    @Test("screens show only what is stored: a restart shows the same") func restart() {
        var rig = Rig(online: true)
        rig.send("open", ["view": "home"])
        rig.read(plan: PlanTests.plan("6c9c1c9a-0000-4000-8000-000000000001", "one"), days: ["2025-11-30": 4000])
        rig.send("online", ["online": false])
        rig.add(minutesAgo: 60, steps: 500)
        let before = rig.screens["home"]
        rig.restart()
        rig.send("open", ["view": "home"])
        #expect(rig.screens["home"] == before)
    }
}
