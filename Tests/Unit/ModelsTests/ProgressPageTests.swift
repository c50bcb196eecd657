import Models
import Testing

@Suite struct ProgressPageTests {
    private static func page(
        _ plan: WorkoutPlan?, _ date: String, limit: Int = 104, from week: Int? = nil,
        _ totals: (Day) -> DayTotals = { _ in DayTotals(steps: 1, distance: Millimetres(10)) }
    ) throws -> ProgressPage {
        let cursor = plan.flatMap { plan in week.map { ProgressCursor(planID: plan.planID, week: $0) } }
        let query = ProgressQuery(limit: limit, cursor: cursor)
        return ProgressPage(plan: plan, query: query, today: try day(date), totals: totals)
    }

    @Test("Without a plan, and before it starts, the list is empty")
    func empty() throws {
        let none = try Self.page(nil, "2026-12-01")
        #expect(
            text(none.encode()) == #"{"plan":null,"planState":"none","currentWeek":0,"progress":[],"nextCursor":null}"#)
        let upcoming = try Self.page(.test(start: "2026-12-02", steps: 7), "2026-12-01")
        #expect(upcoming.weeks.isEmpty && upcoming.planState == .upcoming && upcoming.next == nil)
        #expect(text(upcoming.encode()).hasPrefix(#"{"plan":{"planId":"00000000-0000-0001-0000-000000000002","#))
    }

    @Test("A week is met with its last step, not one before; the current week counts to date")
    func met() throws {
        var plan = try WorkoutPlan.test(start: "2026-12-02", steps: 7, 8, 3, 1)
        plan.weeks[3] = WeeklyGoal(distance: Millimetres(20))
        #expect(try Self.page(plan, "2026-12-02").weeks.map(\.isMet) == [false])
        #expect(try Self.page(plan, "2026-12-08").weeks.map(\.isMet) == [true])
        #expect(try Self.page(plan, "2026-12-17").weeks.map(\.steps) == [7, 7, 2])
        let page = try Self.page(plan, "2026-12-24")
        #expect(page.weeks.map(\.isMet) == [true, false, true, true] && page.weeks.map(\.steps) == [7, 7, 7, 2])
        #expect(page.weeks.map(\.distance.count) == [70, 70, 70, 20] && page.currentWeek == 3)
        #expect(try Self.page(plan, "2026-12-23").weeks.last?.isMet == false)
        #expect(
            text(page.encode()).hasSuffix(
                #""planState":"active","currentWeek":3,"progress":[{"week":0,"steps":7,"distance":0.07,"met":true},"#
                    + #"{"week":1,"steps":7,"distance":0.07,"met":false},{"week":2,"steps":7,"distance":0.07,"met":true},"#
                    + #"{"week":3,"steps":2,"distance":0.02,"met":true}],"nextCursor":null}"#))
    }

    @Test("A finished plan has all its weeks in full and nothing after them")
    func finished() throws {
        let page = try Self.page(.test(start: "2026-12-28", steps: 1, 1), "2027-06-01")
        #expect(page.planState == .finished && page.currentWeek == 1 && page.weeks.map(\.steps) == [7, 7])
    }

    @Test("Pages follow one another without gap or repeat, and a cursor beyond the last week has none")
    func pages() throws {
        let plan = try WorkoutPlan.test(start: "2026-01-05", steps: 1, 1, 1, 1, 1, 1, 1)
        let first = try Self.page(plan, "2026-02-20", limit: 3)
        #expect(first.weeks.map(\.week) == [0, 1, 2] && first.next == ProgressCursor(planID: plan.planID, week: 3))
        let second = try Self.page(plan, "2026-02-20", limit: 3, from: 3)
        #expect(second.weeks.map(\.week) == [3, 4, 5] && second.next?.week == 6)
        let third = try Self.page(plan, "2026-02-20", limit: 3, from: 6)
        #expect(third.weeks.map(\.week) == [6] && third.next == nil)
        #expect(try Self.page(plan, "2026-02-20", limit: 3, from: 50).weeks.isEmpty)
        #expect(
            text(first.encode()).hasSuffix("\"nextCursor\":\"\(ProgressCursor(planID: plan.planID, week: 3).text)\"}"))
    }

    @Test("A cursor fits the plan whose weeks it lists, no other and none")
    func fits() throws {
        let plan = try WorkoutPlan.test(start: "2026-01-05", steps: 1)
        var other = plan
        other.planID = UUIDValue(high: 7, low: 8)
        let query = ProgressQuery(cursor: ProgressCursor(planID: plan.planID, week: 0))
        #expect(query.fits(plan) && !query.fits(other) && !query.fits(nil))
        #expect(ProgressQuery().fits(plan) && ProgressQuery().fits(nil))
    }

    @Test("The needed days are those of the page's weeks up to today")
    func needed() throws {
        let plan = try WorkoutPlan.test(start: "2026-12-02", steps: 1, 1, 1)
        func days(_ date: String, _ query: ProgressQuery) throws -> [String] {
            ProgressPage.neededDays(plan: plan, query: query, today: try day(date)).map(\.description)
        }
        #expect(try days("2026-12-01", ProgressQuery()).isEmpty)
        let all = try days("2026-12-17", ProgressQuery())
        #expect(all.first == "2026-12-02" && all.last == "2026-12-17" && all.count == 16)
        let second = try days(
            "2026-12-17", ProgressQuery(limit: 1, cursor: ProgressCursor(planID: plan.planID, week: 1)))
        #expect(second.first == "2026-12-09" && second.last == "2026-12-15")
        #expect(try days("2027-12-17", ProgressQuery()).count == 21)
    }

    @Test("Days come one by one, zeros included")
    func days() throws {
        let span = DaySpan(from: try day("2026-12-31"), through: try day("2027-01-01"))
        let page = DaysPage(days: span) { day in
            day.description == "2027-01-01"
                ? DayTotals(steps: 5, distance: Millimetres(1500), workouts: 2) : DayTotals()
        }
        #expect(
            text(page.encode())
                == #"{"days":[{"day":"2026-12-31","steps":0,"distance":0,"workouts":0},"#
                + #"{"day":"2027-01-01","steps":5,"distance":1.5,"workouts":2}]}"#)
        #expect(
            text(DaysPage(days: DaySpan(start: span.start, count: 0)) { _ in DayTotals() }.encode()) == #"{"days":[]}"#)
    }
}
