import Models
import Testing

@Suite struct ProgressListTests {
    private static let item = WorkoutListItem(
        workoutID: 918_273, requestID: RequestID(UUIDValue(high: 1, low: 2)),
        start: Timestamp(milliseconds: 1_764_460_800_000), end: Timestamp(milliseconds: 1_764_460_860_000), steps: 120,
        distance: Millimetres(87_500), timeZone: "Europe/Berlin", status: .inProgress, source: .manual,
        deviceID: "pixel-9")
    private static let body =
        #"{"workout_id":918273,"requestId":"00000000-0000-0001-0000-000000000002","start_time":1764460800000,"#
        + #""end_time":1764460860000,"steps":120,"distance":87.5,"time_zone":"Europe/Berlin","status":"IN_PROGRESS","#
        + #""source":"manual","device_id":"pixel-9""#

    @Test("A list of workouts is an array, written by hand")
    func list() {
        var other = Self.item
        (other.deviceID, other.status, other.source) = (nil, .complete, .auto)
        #expect(text(WorkoutListItem.encodeList([])) == "[]")
        let encoded = text(WorkoutListItem.encodeList([Self.item, other]))
        #expect(encoded.hasPrefix("[" + Self.body + "},{"))
        #expect(encoded.hasSuffix(#""status":"COMPLETE","source":"auto","device_id":null}]"#))
        #expect(Self.item.cursor == WorkoutCursor(start: Self.item.start, requestID: Self.item.requestID))
    }

    @Test("Changes tell what is there, what is gone, and only what changed")
    func changes() throws {
        let deleted = ChangedWorkout.deleted(workoutID: 5, requestID: Self.item.requestID)
        let next = ChangesCursor(revision: 9)
        var page = ChangesPage(workouts: [.stored(Self.item), deleted], next: next, hasMore: true)
        let workouts =
            #"{"workouts":["# + Self.body + #","deleted":false},"#
            + #"{"workout_id":5,"requestId":"00000000-0000-0001-0000-000000000002","deleted":true}],"#
        #expect(text(page.encode()) == workouts + "\"nextCursor\":\"\(next.text)\",\"more\":true}")
        page.workouts = []
        (page.plan, page.weeklyGoal, page.profile) = (.now(nil), .now(WeeklyGoal(steps: 7)), .now(Profile()))
        page.hasMore = false
        #expect(
            text(page.encode())
                == #"{"workouts":[],"plan":null,"weekly_goal":{"steps":7},"#
                + "\"profile\":{\"time_zone\":\"UTC\",\"week_start\":\"monday\"},\"nextCursor\":\"\(next.text)\",\"more\":false}"
        )
        let plan = try WorkoutPlan.test(start: "2026-11-30", steps: 7)
        page.plan = .now(plan)
        #expect(text(page.encode()).contains("\"plan\":" + text(plan.encode()) + ","))
    }
}
