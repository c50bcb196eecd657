import StrideTestSupport
import Testing

/// Plans, goals and profiles: the server's word counts, the user's wishes wait for it.
struct PlanTests {
    static func plan(_ id: String, _ name: String, weeks: [Int] = [7000, 14_000], request: String = newRequestID())
        -> JSON
    {
        [
            "planId": .string(id), "requestId": .string(request), "planName": .string(name), "startDate": "2025-11-24",
            "weekly_goals": .array(
                weeks.enumerated().map { ["week": .int($0), "steps": .int($1), "distance": nil] }),
            "createdAt": 1_764_000_000_000, "templateId": nil,
        ]
    }

    private static let one = "6c9c1c9a-0000-4000-8000-000000000001"
    private static let two = "6c9c1c9a-0000-4000-8000-000000000002"

    @Test("a plan made offline waits, replaces what the user saw, and is shown once the server has it")
    func createOffline() {
        var rig = Rig(online: true)
        rig.send("open", ["view": "plan"])
        rig.read(plan: Self.plan(Self.one, "old"))
        rig.send("online", ["online": false])
        rig.send(
            "create_plan",
            ["plan_name": "new", "start_date": "2025-12-01", "weekly_goals": [["steps": 20_000, "distance": nil]]])
        #expect(rig.screens["plan"]?["plan"]["name"] == "old")
        #expect(rig.screens["plan"]?["change"]["state"] == "waiting")
        rig.restart(online: true)
        rig.send("open", ["view": "plan"])
        #expect(rig.request?["path"] == "/v1/create_workout_plan")
        let body = rig.request?["body"] ?? nil
        #expect(body["replaces"] == .string(Self.one))
        #expect(body["weekly_goals"] == [["week": 0, "steps": 20_000, "distance": nil]])
        rig.answer(503, ["retry_after_ms": 1000])
        rig.read()
        rig.now += 2000
        rig.send("tick")
        #expect(rig.request?["body"] == body, "another body under the same name")
        rig.answer(201, Self.plan(Self.two, "new", weeks: [20_000], request: body["requestId"].string ?? ""))
        #expect(rig.screens["plan"]?["plan"]["name"] == "new")
        #expect(rig.screens["plan"]?["change"] == JSON.null)
        #expect(rig.stored("state")["change:plan"] == nil)
    }

    @Test("a conflict shows the server's plan; mine replaces it, theirs forgets mine", arguments: ["mine", "theirs"])
    func conflict(choice: String) {
        var rig = Rig(online: true)
        rig.send("open", ["view": "plan"])
        rig.read(plan: Self.plan(Self.one, "old"))
        rig.send("create_plan", ["template_id": "brisk-150-minutes", "start_date": "2025-12-01"])
        let first = rig.request?["body"]["requestId"]
        rig.answer(409, ["code": "PLAN_CONFLICT", "currentPlan": Self.plan(Self.two, "of the tablet")])
        #expect(rig.screens["plan"]?["plan"]["name"] == "of the tablet")
        #expect(rig.screens["plan"]?["conflict"]["plan"]["planId"] == .string(Self.two))
        #expect(rig.screens["plan"]?["change"]["state"] == "conflict")
        rig.restart(online: true)
        rig.read()
        #expect(rig.request == nil, "a conflict was sent again without a word")
        rig.send("resolve_conflict", ["choice": .string(choice)])
        if choice == "mine" {
            #expect(rig.request?["body"]["replaces"] == .string(Self.two))
            #expect(rig.request?["body"]["requestId"] != first)
        } else {
            #expect(rig.request == nil)
            #expect(rig.stored("state")["change:plan"] == nil)
        }
    }

    @Test("a second draft replaces the first although the answer to the first was lost") func drafts() {
        var rig = Rig(online: true)
        rig.read(plan: Self.plan(Self.one, "old"))
        rig.send("create_plan", ["template_id": "brisk-150-minutes", "start_date": "2025-12-01"])
        let first = rig.request?["body"]["requestId"].string ?? ""
        rig.send("create_plan", ["template_id": "ten-thousand", "start_date": "2025-12-01"])
        rig.answer(0)
        rig.read()
        rig.now += 2000
        rig.send("tick")
        #expect(rig.request?["body"]["replaces"] == .string(Self.one))
        rig.answer(409, ["code": "PLAN_CONFLICT", "currentPlan": Self.plan(Self.two, "first", request: first)])
        #expect(rig.request?["body"]["templateId"] == "ten-thousand")
        #expect(rig.request?["body"]["replaces"] == .string(Self.two))
    }

    @Test("a refused plan stays with its reason until the user forgets it") func refused() {
        var rig = Rig(online: true)
        rig.send("open", ["view": "plan"])
        rig.read()
        rig.send("create_plan", ["template_id": "no-such", "start_date": "2025-12-01"])
        rig.answer(
            400,
            ["code": "INVALID_REQUEST", "detail": "unknown", "errors": [["pointer": "/templateId", "detail": "no"]]])
        rig.read()
        #expect(rig.request == nil)
        #expect(rig.screens["plan"]?["change"]["reason"]["errors"][0]["pointer"] == "/templateId")
        rig.send("discard_change", ["what": "plan"])
        #expect(rig.screens["plan"]?["change"] == JSON.null)
    }

    @Test("weeks count what is confirmed and what waits; a week is met only when it is reached") func weeks() {
        var rig = Rig(online: true)
        rig.send("open", ["view": "plan"])
        rig.read(plan: Self.plan(Self.one, "walk"), days: ["2025-11-25": 6000])
        #expect(rig.screens["plan"]?["plan"]["weeks"][0]["met"] == false)
        rig.send("online", ["online": false])
        rig.add(minutesAgo: 60, steps: 1000)
        let weeks = rig.screens["plan"]?["plan"]["weeks"] ?? nil
        #expect(weeks[0]["steps"] == ["confirmed": 6000, "waiting": 1000, "total": 7000])
        #expect(weeks[0]["met"] == true)
        #expect(weeks[0]["state"] == "current")
        #expect(weeks[1]["state"] == "future")
        #expect(weeks[1]["met"] == false)
    }

    @Test("goal and profile: the last wish wins, also over one under way") func lastWins() {
        var rig = Rig(online: true)
        rig.read()
        rig.send("set_goal", ["steps": 10_000, "distance": nil])
        rig.send("set_goal", ["steps": 20_000, "distance": nil])
        rig.answer(200, ["steps": 10_000])
        #expect(rig.request?["body"] == ["steps": 20_000])
        rig.answer(200, ["steps": 20_000])
        #expect(rig.stored("state")["goal"] == ["goal": ["steps": 20_000]])
        rig.send("set_goal", ["steps": nil, "distance": nil])
        #expect(rig.request?["method"] == "DELETE")
        rig.answer(204)
        rig.send("set_profile", ["week_start": "sunday"])
        #expect(rig.request?["body"] == ["week_start": "sunday"])
        rig.answer(200, ["time_zone": "UTC", "week_start": "sunday"])
        rig.send("open", ["view": "settings"])
        #expect(rig.screens["settings"]?["week_start"] == "sunday")
        #expect(rig.screens["settings"]?["profile_change"] == JSON.null)
    }
}
