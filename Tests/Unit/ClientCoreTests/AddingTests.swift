import ClientCore
import StrideTestSupport
import Testing

/// Workouts that come in as numbers: typed in, from the system, from before anybody had signed in.
struct AddingTests {
    private static func event(_ rig: Rig, _ more: [String: JSON] = [:], end: Int = 0) -> JSON {
        ([
            "start_time": .int(rig.now + end - 600_000), "end_time": .int(rig.now + end), "steps": 900, "distance": 650,
        ] as JSON).with(more)
    }

    @Test(
        "what ends later than in a minute is refused at once",
        arguments: [(0, 1), (60_000, 1), (60_001, 0), (86_400_000, 0), (-86_400_000, 1)])
    func future(end: Int, kept: Int) {
        var rig = Rig()
        rig.send("add_workout", Self.event(rig, end: end))
        #expect(rig.stored("workouts").count == kept)
        #expect(rig.reports == (kept == 1 ? [] : ["refused_event"]))
    }

    @Test("numbers of a watch go out under its name as counted, and the same id counts once") func watch() {
        var rig = Rig()
        rig.send("open", ["view": "day", "day": "2025-11-30"])
        let id: JSON = "7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f"
        for _ in 0..<2 {
            rig.send("add_workout", Self.event(rig, ["device_id": "watch", "source": "auto", "id": id]))
        }
        let shown = rig.screens["day"]?["workouts"].elements ?? []
        #expect(shown.count == 1)
        #expect(shown.first?["is_mine"] == false)
        rig.send("online", ["online": true])
        let sent = rig.request?["body"]["workouts"][0]
        #expect(sent?["device_id"] == "watch" && sent?["source"] == "auto" && sent?["requestId"] == id)
        rig.add(minutesAgo: 100)
        #expect(rig.stored("workouts").values.filter { $0["source"] == "manual" && $0["device"] == "phone" }.count == 1)
    }

    @Test(
        "a name, source or id that can be none is refused",
        arguments: [
            ["device_id": ""], ["device_id": 5], ["device_id": "ä"], ["source": "watch"], ["source": true], ["id": "7"],
        ] as [[String: JSON]])
    func nonsense(more: [String: JSON]) {
        var rig = Rig()
        rig.send("add_workout", Self.event(rig, more))
        #expect(rig.stored("workouts").isEmpty && rig.reports == ["refused_event"])
    }

    @Test("what nobody's database holds becomes this user's once, as this device's") func adopts() {
        var nobodys = Rig(signedIn: false)
        nobodys.restart(signedIn: false)  // with random numbers other than those of the user's
        nobodys.add(minutesAgo: 100, steps: 111)
        nobodys.add(minutesAgo: 50, steps: 222)
        nobodys.send("set_goal", ["steps": 40_000])
        let records = JSON.array(
            nobodys.records.values.map { record in
                [
                    "store": .string(record.store), "key": .string(record.key),
                    "value": record.value.flatMap { try? JSON(parsing: $0) } ?? nil,
                ]
            })

        var rig = Rig()
        rig.add(minutesAgo: 30, steps: 333)
        rig.send("open", ["view": "home"])
        for _ in 0..<2 { rig.send("adopt", ["records": records]) }
        #expect(rig.screens["home"]?["day"]["steps"]["total"] == 666)
        #expect(rig.stored("workouts").values.allSatisfy { $0["device"] == "phone" && $0["state"] == "kept" })
        rig.send("online", ["online": true])
        #expect(rig.request?["body"]["workouts"].elements.map { $0["steps"] } == [111, 222, 333])
        rig.answer(200, DeliveryTests.results(rig.batch, ["result": "created", "workout_id": 1]))
        #expect(rig.request?["path"] == "/v1/weekly_goal" && rig.request?["body"]["steps"] == 40_000)
        rig.send("adopt", ["records": records])
        #expect(rig.queue == (0, 0, 3), "what was delivered came again")
    }

    @Test("what was refused, or is another's, is not adopted") func adoptsOnlyUnsent() {
        var other = Rig()
        other.add(minutesAgo: 100)
        other.send("online", ["online": true])
        other.answer(200, DeliveryTests.results(other.batch, ["result": "rejected", "code": "INVALID_REQUEST"]))
        other.read()
        other.add(minutesAgo: 80)
        other.answer(200, DeliveryTests.results(other.batch, ["result": "created", "workout_id": 1]))
        #expect(other.queue == (0, 1, 1))
        let records = JSON.array(
            other.stored("workouts").map { ["store": "workouts", "key": .string($0.key), "value": $0.value] })
        var rig = Rig()
        rig.send("adopt", ["records": records])
        #expect(rig.stored("workouts").isEmpty)
    }
}
