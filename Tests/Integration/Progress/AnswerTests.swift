import Models
import StrideTestSupport
import Testing

@testable import ProgressService
@testable import Storage

/// Every shape of the read side, byte for byte.
@Suite(.serialized)
struct AnswerTests {
    @Test("a user of whom nothing is known gets empty answers, never 404")
    func nobody() async throws {
        try await World.run { world in
            let summary = try await world.get("/v1/progressSummary", as: "nobody")
            #expect(summary.status == 200)
            #expect(
                summary.text == """
                    {"planName":null,"planState":"none","currentWeek":0,"totalWeeksInPlan":0,"currentDayGoal":0,\
                    "currentWeekSteps":[0,0,0,0,0,0,0],"today":"2026-12-02","days":["2026-12-02","2026-12-01",\
                    "2026-11-30","2026-11-29","2026-11-28","2026-11-27","2026-11-26"],\
                    "currentWeekDistances":[0,0,0,0,0,0,0],"currentDaySteps":0,"currentDayDistance":0,"weekSteps":0,\
                    "weekDistance":0,"weeklyGoal":null,"goalSource":"none","time_zone":"UTC","asOf":1796212800000}
                    """)
            let progress = try await world.get("/v1/progress", as: "nobody")
            #expect(
                progress.text
                    == #"{"plan":null,"planState":"none","currentWeek":0,"progress":[],"nextCursor":null}"#)
            #expect(try await world.get("/v1/workouts", as: "nobody").text == "[]")
            #expect(
                try await world.get("/v1/days?from=2026-12-01&to=2026-12-01", as: "nobody").text
                    == #"{"days":[{"day":"2026-12-01","steps":0,"distance":0,"workouts":0}]}"#)
            let changes = try await world.get("/v1/changes", as: "nobody")
            #expect(changes.text.hasPrefix(#"{"workouts":[],"nextCursor":""#))
            #expect(changes.text.hasSuffix(#"","more":false}"#))
            let cursor = try #require(changes.member("nextCursor"))
            #expect(try await world.get("/v1/changes?cursor=\(cursor)", as: "nobody").text == changes.text)
        }
    }

    /// 120 steps today, 3 600 the day before yesterday, 5 long ago; a plan in its third week, with a goal of 35 000.
    static func someone(_ world: World) async throws {
        try await world.set(profile: Profile(timeZone: "Europe/Berlin"), of: "anna")
        try await world.set(
            plan: plan("10 000 steps", start: "2026-11-18", steps: [3600, 3601, 35_000, 36_000]), of: "anna")
        try await world.write([
            world.workout(
                "anna", at: "2026-12-02T08:00:00Z", steps: 120, millimetres: 87_500, zone: "Europe/Berlin",
                device: "pixel-9"),
            world.workout(
                "anna", at: "2026-11-30T09:00:00Z", minutes: 30, steps: 3600, millimetres: 2_500_500,
                zone: "Europe/Berlin", device: "pixel-9"),
            world.workout(
                "anna", at: "2026-11-19T09:00:00Z", steps: 3600, zone: "Europe/Berlin", status: .inProgress),
            world.workout("anna", at: "2025-01-01T09:00:00Z", steps: 5, millimetres: 1),
        ])
    }

    @Test("the summary of an active plan has every member of the contract")
    func summary() async throws {
        try await World.run { world in
            try await Self.someone(world)
            let answer = try await world.get("/v1/progressSummary", as: "anna")
            #expect(
                answer.text == """
                    {"planName":"10 000 steps","planState":"active","currentWeek":2,"totalWeeksInPlan":4,\
                    "currentDayGoal":5000,"currentWeekSteps":[120,0,3600,0,0,0,0],"today":"2026-12-02",\
                    "days":["2026-12-02","2026-12-01","2026-11-30","2026-11-29","2026-11-28","2026-11-27",\
                    "2026-11-26"],"currentWeekDistances":[87.5,0,2500.5,0,0,0,0],"currentDaySteps":120,\
                    "currentDayDistance":87.5,"weekSteps":120,"weekDistance":87.5,\
                    "weeklyGoal":{"steps":35000,"distance":null},"goalSource":"plan","time_zone":"Europe/Berlin",\
                    "asOf":1796212800000}
                    """)
            #expect(answer["Cache-Control"] == "private, no-cache")
            #expect(answer["Content-Type"] == "application/json")
        }
    }

    @Test("progress has the weeks from 0 to the current one, page by page")
    func progress() async throws {
        try await World.run { world in
            try await Self.someone(world)
            let all = try await world.get("/v1/progress", as: "anna")
            let weeks = [
                #"{"week":0,"steps":3600,"distance":0,"met":true}"#,
                // 3 600 of 3 601 steps: not met.
                #"{"week":1,"steps":3600,"distance":2500.5,"met":false}"#,
                #"{"week":2,"steps":120,"distance":87.5,"met":false}"#,
            ]
            #expect(
                all.text.hasSuffix(
                    #""planState":"active","currentWeek":2,"progress":["# + weeks.joined(separator: ",")
                        + #"],"nextCursor":null}"#))
            #expect(
                all.text.hasPrefix(
                    #"{"plan":{"planId":"00000000-0000-4000-8000-000000000001","requestId":"#))
            let first = try await world.get("/v1/progress?limit=2", as: "anna")
            #expect(first.text.contains("\"progress\":[\(weeks[0]),\(weeks[1])]"))
            let cursor = try #require(first.member("nextCursor"))
            let second = try await world.get("/v1/progress?limit=2&cursor=\(cursor)", as: "anna")
            #expect(second.text.contains("\"progress\":[\(weeks[2])],\"nextCursor\":null"))
        }
    }

    @Test("days come one by one, zeros included, from the cache and from long ago alike")
    func days() async throws {
        try await World.run { world in
            try await Self.someone(world)
            func day(_ day: String, _ steps: Int, _ metres: String, _ workouts: Int) -> String {
                "{\"day\":\"\(day)\",\"steps\":\(steps),\"distance\":\(metres),\"workouts\":\(workouts)}"
            }
            _ = try await world.get("/v1/progressSummary", as: "anna")
            let recent = try await world.get("/v1/days?from=2026-11-29&to=2026-12-01", as: "anna")
            #expect(
                recent.text == "{\"days\":["
                    + [
                        day("2026-11-29", 0, "0", 0), day("2026-11-30", 3600, "2500.5", 1),
                        day("2026-12-01", 0, "0", 0),
                    ]
                    .joined(separator: ",") + "]}")
            #expect(recent.source == "cache")
            let old = try await world.get("/v1/days?from=2025-01-01&to=2025-01-02", as: "anna")
            #expect(
                old.text
                    == "{\"days\":[\(day("2025-01-01", 5, "0.001", 1)),\(day("2025-01-02", 0, "0", 0))]}")
            #expect(old.source == "database")
            // From beyond the cache into it: 2026-10-22 is the first day that it keeps.
            let across = try await world.get("/v1/days?from=2025-10-29&to=2026-12-02", as: "anna")
            #expect(across.status == 200)
            #expect(across.source == "database")
            #expect(across.text.hasSuffix(day("2026-12-02", 120, "87.5", 1) + "]}"))
            #expect(across.text.split(separator: "{\"day\":").count == 401)
        }
    }

    @Test("workouts are listed oldest first, in the form of the contract, within the bounds asked for")
    func workouts() async throws {
        try await World.run { world in
            try await Self.someone(world)
            let id = RequestID(try #require(UUIDValue(parsing: "7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f")))
            let outcomes = try await world.write([
                world.workout(
                    "anna", at: "2026-12-01T23:59:00Z", minutes: 2, steps: 7, millimetres: 1500, device: "pixel-9",
                    id: id)
            ])
            let number = try #require(outcomes.first?.workoutID)
            let answer = try await world.get("/v1/workouts?start_time=1796169540000&end_time=1796169540001", as: "anna")
            #expect(
                answer.text == """
                    [{"workout_id":\(number),"requestId":"7b0f1c1e-4b0c-4b5e-9a3e-0f3b1c2d4e5f",\
                    "start_time":1796169540000,"end_time":1796169660000,"steps":7,"distance":1.5,"time_zone":"UTC",\
                    "status":"COMPLETE","source":"auto","device_id":"pixel-9"}]
                    """)
            #expect(answer["Link"] == nil)
            #expect(answer.source == "database")
            // The bounds: from the start on, up to but without the end.
            #expect(try await world.get("/v1/workouts?end_time=1796169540000&limit=1000", as: "anna").ids.count == 3)
            #expect(try await world.get("/v1/workouts?start_time=1796169540001", as: "anna").ids.count == 1)
            let starts = try await world.get("/v1/workouts", as: "anna").numbers("start_time")
            #expect(starts.count == 5)
            #expect(starts == starts.sorted())
        }
    }

    @Test("changes tell of workouts, plan, goal and profile, oldest change first")
    func changes() async throws {
        try await World.run { world in
            try await Self.someone(world)
            try await world.set(goal: WeeklyGoal(steps: 1), of: "anna")
            let answer = try await world.get("/v1/changes", as: "anna")
            #expect(answer.text.split(separator: "\"deleted\":false").count == 5)
            #expect(answer.text.contains(#""status":"IN_PROGRESS","source":"auto","device_id":null,"deleted":false}"#))
            #expect(answer.text.contains(#""plan":{"planId":"00000000-0000-4000-8000-000000000001""#))
            #expect(answer.text.contains(#""weekly_goal":{"steps":1}"#))
            #expect(answer.text.contains(#""profile":{"time_zone":"Europe/Berlin","week_start":"monday"}"#))
            #expect(answer.text.hasSuffix(#""more":false}"#))
            try await world.set(goal: nil, of: "anna")
            let cursor = try #require(answer.member("nextCursor"))
            let later = try await world.get("/v1/changes?cursor=\(cursor)", as: "anna")
            #expect(later.text.hasPrefix(#"{"workouts":[],"weekly_goal":null,"nextCursor":""#))
        }
    }

    @Test("the tag of a summary names everything but asOf, and spares its body")
    func entityTag() async throws {
        try await World.run { world in
            try await Self.someone(world)
            let first = try await world.get("/v1/progressSummary", as: "anna")
            let tag = try #require(first["ETag"])
            #expect(try await world.get("/v1/progressSummary", as: "anna")["ETag"] == tag)
            for field in [tag, "*", "\"other\", \(tag)", String(tag.dropFirst(2))] {
                let same = try await world.get("/v1/progressSummary", as: "anna", headers: ["If-None-Match": field])
                #expect(same.status == 304, "\(field)")
                #expect(same.text.isEmpty)
                #expect(same["ETag"] == tag)
                #expect(same["Cache-Control"] == "private, no-cache")
            }
            let zone = try await world.get(
                "/v1/progressSummary?time_zone=Asia/Tokyo", as: "anna", headers: ["If-None-Match": tag])
            #expect(zone.status == 200)
            try await world.write([world.workout("anna", at: "2026-12-02T09:00:00Z", steps: 1)])
            let changed = try await world.get("/v1/progressSummary", as: "anna", headers: ["If-None-Match": tag])
            #expect(changed.status == 200)
            #expect(changed["ETag"] != tag)
        }
    }

    @Test("what the tag is made of does not depend on the moment")
    func tagAndMoment() {
        let summary = ProgressSummary(
            plan: nil, recurringGoal: nil, weekStart: .monday,
            at: ProgressMoment(now: Timestamp(milliseconds: 0), timeZone: "UTC", clock: ZoneOffsets(fixed: 0))
        ) { _ in DayTotals() }
        let later = ProgressSummary(
            plan: nil, recurringGoal: nil, weekStart: .monday,
            at: ProgressMoment(now: Timestamp(milliseconds: 5), timeZone: "UTC", clock: ZoneOffsets(fixed: 0))
        ) { _ in DayTotals() }
        #expect(summary.encodeWithoutAsOf() == later.encodeWithoutAsOf())
    }
}

extension WriteOutcome {
    /// The id of a workout that is new.
    var workoutID: Int64? {
        if case .created(let id) = self { id } else { nil }
    }
}
