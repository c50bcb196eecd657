import Models
import Testing

@Suite struct ProgressSummaryTests {
    /// Totals by date; metres and no workouts unless said.
    private static func lookup(_ days: [String: (Int64, Int64)]) -> (Day) -> DayTotals {
        { day in
            guard let (steps, millimetres) = days[day.description] else { return DayTotals() }
            return DayTotals(steps: steps, distance: Millimetres(millimetres), workouts: 1)
        }
    }

    private static func moment(_ now: Timestamp, _ clock: PiecewiseClock = .berlin) -> ProgressMoment {
        ProgressMoment(now: now, timeZone: "Europe/Berlin", clock: clock)
    }

    @Test("The contract's example has every field, the instant last")
    func example() throws {
        var plan = try WorkoutPlan.test(start: "2026-11-15", steps: 1, 2, 35_000, 4, 5, 6, 7, 8, 9, 10)
        plan.name = "10 000 steps"
        let now = try utc("2026-11-30", 12)
        let summary = ProgressSummary(
            plan: plan, recurringGoal: WeeklyGoal(steps: 7), weekStart: .monday, at: Self.moment(now),
            totals: Self.lookup([
                "2026-11-30": (4000, 2_900_500), "2026-11-29": (3600, 2_500_000), "2026-11-28": (9, 9),
            ]))
        let body =
            #"{"planName":"10 000 steps","planState":"active","currentWeek":2,"totalWeeksInPlan":10,"currentDayGoal":5000,"#
            + #""currentWeekSteps":[4000,3600,9,0,0,0,0],"today":"2026-11-30","days":["2026-11-30","2026-11-29","2026-11-28","#
            + #""2026-11-27","2026-11-26","2026-11-25","2026-11-24"],"currentWeekDistances":[2900.5,2500,0.009,0,0,0,0],"#
            + #""currentDaySteps":4000,"currentDayDistance":2900.5,"weekSteps":7600,"weekDistance":5400.5,"#
            + #""weeklyGoal":{"steps":35000,"distance":null},"goalSource":"plan","time_zone":"Europe/Berlin""#
        #expect(text(summary.encodeWithoutAsOf()) == body + "}")
        #expect(text(summary.encode(asOf: now)) == body + #","asOf":1796040000000}"#)
    }

    @Test("Without plan and goal there are zeros, nulls and the calendar week to date")
    func nothing() throws {
        let summary = ProgressSummary(
            plan: nil, recurringGoal: nil, weekStart: .sunday, at: Self.moment(try utc("2026-11-30", 12)),
            totals: Self.lookup(["2026-11-29": (5, 0), "2026-11-28": (70, 0)]))
        #expect(
            text(summary.encodeWithoutAsOf()).hasPrefix(
                #"{"planName":null,"planState":"none","currentWeek":0,"totalWeeksInPlan":0,"currentDayGoal":0,"#
                    + #""currentWeekSteps":[0,5,70,0,0,0,0]"#))
        #expect(
            text(summary.encodeWithoutAsOf()).hasSuffix(
                #""weekSteps":5,"weekDistance":0,"weeklyGoal":null,"goalSource":"none","time_zone":"Europe/Berlin"}"#))
    }

    @Test(
        "The recurring goal and the calendar week hold before a plan and after it, the plan's own between",
        arguments: [
            // A plan of two weeks from Wednesday 2026-12-02; 1 step on each day.
            ("2026-12-01", PlanState.upcoming, 0, "weekly", 70, 10, 2),
            ("2026-12-02", .active, 0, "plan", 1001, 143, 1), ("2026-12-08", .active, 0, "plan", 1001, 143, 7),
            ("2026-12-09", .active, 1, "plan", 2000, 286, 1), ("2026-12-15", .active, 1, "plan", 2000, 286, 7),
            ("2026-12-16", .finished, 1, "weekly", 70, 10, 3),
        ])
    func sources(
        date: String, state: PlanState, week: Int, source: String, goal: Int64, dayGoal: Int64, weekSteps: Int64
    ) throws {
        let summary = ProgressSummary(
            plan: try .test(start: "2026-12-02", steps: 1001, 2000), recurringGoal: WeeklyGoal(steps: 70),
            weekStart: .monday, at: Self.moment(try utc(date, 12)), totals: { _ in DayTotals(steps: 1) })
        #expect(summary.planState == state && summary.currentWeek == week && summary.totalWeeks == 2)
        #expect(summary.goalSource.rawValue == source && summary.weeklyGoal?.steps == goal && summary.planName == "P")
        #expect(summary.weeklyGoal?.stepsOfDay == dayGoal && summary.week.steps == weekSteps)
    }

    @Test(
        "The week to date begins on the weekday of the profile",
        arguments: [(.monday, 7), (.sunday, 1), (.saturday, 2)] as [(WeekStart, Int64)])
    func weekStart(start: WeekStart, days: Int64) throws {
        // 2026-11-29 is a Sunday.
        let summary = ProgressSummary(
            plan: nil, recurringGoal: WeeklyGoal(distance: Millimetres(1)), weekStart: start,
            at: Self.moment(try utc("2026-11-29", 12)), totals: { _ in DayTotals(steps: 1) })
        #expect(summary.week.steps == days && summary.goalSource == .weekly)
        #expect(text(summary.encode(asOf: Timestamp(milliseconds: 0))).contains(#""currentDayGoal":0,"#))
        #expect(text(summary.encodeWithoutAsOf()).contains(#""weeklyGoal":{"steps":null,"distance":0.001}"#))
    }

    @Test("A week with only a distance goal has no goal of the day")
    func distanceOnly() throws {
        var plan = try WorkoutPlan.test(start: "2026-11-30", steps: 1)
        plan.weeks = [WeeklyGoal(distance: Millimetres(25_000_000))]
        let summary = ProgressSummary(
            plan: plan, recurringGoal: WeeklyGoal(steps: 700), weekStart: .monday,
            at: Self.moment(try utc("2026-11-30", 12)), totals: { _ in DayTotals() })
        #expect(text(summary.encodeWithoutAsOf()).contains(#""currentDayGoal":0,"#))
        #expect(
            text(summary.encodeWithoutAsOf()).contains(
                #""weeklyGoal":{"steps":null,"distance":25000},"goalSource":"plan""#))
    }

    @Test("At the same instant the user at +14 and the one at −11 see their own days")
    func zones() throws {
        let now = try utc("2026-11-30", 10, 30)
        let totals = Self.lookup(["2026-12-01": (1, 0), "2026-11-30": (10, 0), "2026-11-29": (100, 0)])
        for (offset, today, steps, week) in [
            (14, "2026-12-01", [1, 10, 100], 11), (-11, "2026-11-29", [100, 0, 0], 100),
        ] {
            let summary = ProgressSummary(
                plan: nil, recurringGoal: nil, weekStart: .monday,
                at: Self.moment(now, PiecewiseClock(first: offset * 3600)), totals: totals)
            #expect(summary.today.description == today && summary.week.steps == Int64(week))
            #expect(summary.lastSeven.prefix(3).map(\.steps) == steps.map { Int64($0) })
        }
    }

    @Test("The date that Apia left out is shown with zeros")
    func apia() throws {
        let summary = ProgressSummary(
            plan: nil, recurringGoal: nil, weekStart: .monday, at: Self.moment(try utc("2011-12-30", 10), .apia),
            totals: Self.lookup(["2011-12-31": (1, 0), "2011-12-29": (2, 0)]))
        #expect(summary.lastSeven.map(\.steps) == [1, 0, 2, 0, 0, 0, 0])
        #expect(text(summary.encodeWithoutAsOf()).contains(#""days":["2011-12-31","2011-12-30","2011-12-29""#))
        #expect(summary.week.steps == 3)
    }

    @Test("Only the needed days are asked for")
    func needed() throws {
        let today = try day("2026-12-08")
        let needed = ProgressSummary.neededDays(on: today)
        #expect(needed.count == 7 && needed.last == today)
        for start in WeekStart.allCases {
            for plan in [nil, try WorkoutPlan.test(start: "2026-12-02", steps: 1)] {
                _ = ProgressSummary(
                    plan: plan, recurringGoal: nil, weekStart: start, at: Self.moment(try utc("2026-12-08", 12))
                ) { day in
                    #expect(needed.contains(day))
                    return DayTotals()
                }
            }
        }
    }
}
