import ClientCore
import StrideTestSupport
import Testing

/// The tracker session on the core's clock.
struct TrackingTests {
    /// Walks at 1.8 steps a second, 50 samples a second, standing still before and after; ticks come every second.
    private static func walk(_ rig: inout Rig, seconds: Int, still: Int) {
        let start = Double(rig.now)
        var random = SeededGenerator(seed: 3)
        for sample in 0..<((seconds + still) * 50) {
            let time = Double(sample) / 50
            var lift = 0.0
            if sample < seconds * 50 {
                let phase = (time * 1.8).truncatingRemainder(dividingBy: 1)
                lift = 0.25 * (phase < 0.5 ? 16 * phase * (0.5 - phase) - 1.0 / 3 : -1.0 / 3)
                if phase < 0.08 { lift += 0.25 }
            }
            func tremble() -> Double { Double.random(in: -0.01...0.01, using: &random) }
            rig.motion(at: start + time * 1000, tremble(), tremble(), 1 + lift + tremble())
            if sample % 50 == 0 { rig.send("tick") }
        }
        rig.send("tick")
    }

    @Test("a rest of 55 s is the same workout, one of 75 s ends it at its last step", arguments: [(55, 1), (75, 2)])
    func rest(seconds: Int, workouts: Int) throws {
        var rig = Rig()
        rig.send("open", ["view": "home"])
        rig.send("track", ["command": "listen"])
        #expect(rig.screens["home"]?["track"]["state"] == "listening")
        Self.walk(&rig, seconds: 60, still: seconds)
        Self.walk(&rig, seconds: 60, still: 90)
        let stored = rig.stored("workouts").values.sorted { ($0["start"].int ?? 0) < ($1["start"].int ?? 0) }
        #expect(stored.count == workouts)
        #expect(stored.allSatisfy { $0["status"] == "COMPLETE" && $0["live"] == JSON.null })
        let steps = stored.reduce(0) { $0 + ($1["steps"].int ?? 0) }
        #expect((200...222).contains(steps), "\(steps)")
        let first = try #require(stored.first)
        if workouts == 2 { #expect(((first["end"].int ?? 0) - Rig.zero - 60_000).magnitude < 3000) }
    }

    @Test("a running workout is sent as one that grows, under one name, and closed at the end") func inProgress() throws
    {
        var rig = Rig(online: true)
        rig.read()
        rig.send("track", ["command": "start"])
        var sent: [JSON] = []
        for _ in 0..<14 {
            Self.walk(&rig, seconds: 60, still: 0)
            if let workout = rig.request?["body"]["workouts"][0], workout != JSON.null {
                sent.append(workout)
                rig.answer(
                    200,
                    DeliveryTests.results(
                        rig.batch, ["result": sent.count == 1 ? "created" : "updated", "workout_id": 3]))
                rig.read()
            }
        }
        rig.send("track", ["command": "end"])
        sent.append(try #require(rig.request?["body"]["workouts"][0]))
        #expect(sent.count == 4)
        #expect(sent.dropLast().allSatisfy { $0["status"] == "IN_PROGRESS" })
        #expect(sent.last?["status"] == "COMPLETE")
        #expect(sent.allSatisfy { $0["source"] == "auto" }, "it was counted, not typed in")
        #expect(Set(sent.map { $0["requestId"] }).count == 1)
        #expect(Set(sent.map { $0["start_time"] }).count == 1)
        #expect(sent.map { $0["steps"].int ?? 0 } == sent.map { $0["steps"].int ?? 0 }.sorted())
        rig.answer(200, DeliveryTests.results(rig.batch, ["result": "updated", "workout_id": 3]))
        #expect(rig.queue == (0, 0, 1))
    }

    @Test("after a restart the running workout goes on; long after, it is over with what was stored") func restart() {
        for (away, isRunning) in [(20_000, true), (3_600_000, false)] {
            var rig = Rig()
            rig.send("track", ["command": "start"])
            Self.walk(&rig, seconds: 60, still: 0)
            rig.now += away
            rig.restart()
            rig.send("open", ["view": "home"])
            #expect((rig.screens["home"]?["track"]["state"] == "running") == isRunning)
            Self.walk(&rig, seconds: 0, still: 120)
            let stored = Array(rig.stored("workouts").values)
            #expect(stored.count == 1)
            #expect(stored.first?["status"] == "COMPLETE")
            #expect((80...110).contains(stored.first?["steps"].int ?? 0))
        }
    }

    @Test("a pause counts nothing; without a step a workout is forgotten") func pause() {
        var rig = Rig()
        rig.send("open", ["view": "home"])
        rig.send("track", ["command": "start"])
        Self.walk(&rig, seconds: 60, still: 5)
        let before = rig.screens["home"]?["track"]["steps"].int ?? 0
        rig.send("track", ["command": "pause"])
        #expect(rig.screens["home"]?["track"]["state"] == "paused")
        Self.walk(&rig, seconds: 60, still: 5)
        #expect(rig.screens["home"]?["track"]["steps"].int == before)
        rig.send("track", ["command": "resume"])
        rig.send("track", ["command": "end"])
        #expect(rig.screens["home"]?["track"]["state"] == "off")
        rig.send("track", ["command": "start"])
        #expect(rig.screens["home"]?["track"]["state"] == "waiting")
        rig.send("track", ["command": "end"])
        #expect(rig.stored("workouts").count == 1)
    }

    @Test("no position is in anything that the core gives out") func noPosition() {
        var rig = Rig(online: true)
        rig.send("open", ["view": "home"])
        rig.send("open", ["view": "day", "day": "2025-11-30"])
        rig.send("track", ["command": "start"])
        var said = ""
        for second in 0..<120 {
            Self.walk(&rig, seconds: 1, still: 0)
            _ = rig.client.fix(
                at: Double(rig.now), latitude: 47.123457 + Double(second) * 1.3e-5, longitude: 8.765432, accuracy: 4)
            for effect in rig.send("tick") { said += effect.text }
        }
        for effect in rig.send("track", ["command": "end"]) { said += effect.text }
        for record in rig.records.values { said += String(decoding: record.value ?? [], as: UTF8.self) }
        #expect(!said.contains("47.12") && !said.contains("8.765"))
        let metres = rig.screens["day"]?["workouts"][0]["distance"] ?? nil
        #expect(metres != 0 && metres != JSON.null, "the fixes were not used")
    }
}
