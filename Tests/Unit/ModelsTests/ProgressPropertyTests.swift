import Models
import Testing

/// A calendar that is stepped through date by date, without day numbers, and looked up by the text of a date.
private struct SlowCalendar {
    private(set) var dates: [String] = []
    /// The weekday of each date, 0 for Monday, which 2024-01-01 was.
    private(set) var weekdays: [Int] = []
    /// 2024-01-01T00:00:00Z in milliseconds.
    private static let first: Int64 = 1_704_067_200_000

    init(days: Int) {
        var (year, month, day) = (2024, 1, 1)
        let lengths = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
        for index in 0..<days {
            dates.append("\(year)-\(month < 10 ? "0" : "")\(month)-\(day < 10 ? "0" : "")\(day)")
            weekdays.append(index % 7)
            day += 1
            if day > lengths[month - 1] + (month == 2 && year % 4 == 0 ? 1 : 0) { (month, day) = (month + 1, 1) }
            if month == 13 { (year, month) = (year + 1, 1) }
        }
    }

    /// The place of the date that a clock shows, found by passing midnight after midnight.
    func today(_ now: Timestamp, _ clock: PiecewiseClock) -> Int {
        var left = now.milliseconds + Int64(clock.offsetSeconds(at: now)) * 1000 - Self.first
        var place = 0
        while left >= 86_400_000 {
            left -= 86_400_000
            place += 1
        }
        return place
    }
}

@Suite("Progress against a slow recount")
struct ProgressPropertyTests {
    private static let calendar = SlowCalendar(days: 1200)

    private struct Scene {
        var plan: WorkoutPlan?
        /// The place of the plan's first date.
        var start = 0
        var goal: WeeklyGoal?
        var weekStart = WeekStart.monday
        var today = 0
        var moment: ProgressMoment
        var done: [String: DayTotals] = [:]

        func totals(_ day: Day) -> DayTotals { done[day.description] ?? DayTotals() }
        func sum(_ places: Range<Int>) -> (steps: Int64, distance: Int64) {
            var (steps, distance): (Int64, Int64) = (0, 0)
            for place in places {
                guard let day = done[calendar.dates[place]] else { continue }
                steps += day.steps
                distance += day.distance.count
            }
            return (steps, distance)
        }
        /// The plan's week of today, counted week by week; nil if there is none.
        var week: Int? {
            guard let plan, today >= start else { return nil }
            return plan.weeks.indices.first { today < start + ($0 + 1) * 7 }
        }
    }

    private static func goal(_ random: inout SplitMix) -> WeeklyGoal {
        switch Int.random(in: 0..<3, using: &random) {
        case 0: WeeklyGoal(steps: .random(in: 1...40, using: &random))
        case 1: WeeklyGoal(distance: Millimetres(.random(in: 1...40, using: &random)))
        default: WeeklyGoal(steps: 20, distance: Millimetres(.random(in: 0...40, using: &random)))
        }
    }

    private static func scene(_ random: inout SplitMix) throws -> Scene {
        let clock = DayCutPropertyTests.clock(&random)
        let now = DayCutPropertyTests.span(&random).start
        var scene = Scene(moment: ProgressMoment(now: now, timeZone: "X", clock: clock))
        scene.today = calendar.today(now, clock)
        scene.start = scene.today + Int.random(in: -100...10, using: &random)
        scene.weekStart = WeekStart.allCases.randomElement(using: &random) ?? .monday
        if Int.random(in: 0..<5, using: &random) > 0 {
            var plan = try WorkoutPlan.test(start: calendar.dates[scene.start])
            plan.weeks = (0..<Int.random(in: 1...16, using: &random)).map { _ in goal(&random) }
            scene.plan = plan
        }
        if Bool.random(using: &random) { scene.goal = goal(&random) }
        for place in (scene.today - 120)...(scene.today + 2) where Bool.random(using: &random) {
            scene.done[calendar.dates[place]] = DayTotals(
                steps: .random(in: 0...10, using: &random), distance: Millimetres(.random(in: 0...10, using: &random)),
                workouts: 1)
        }
        return scene
    }

    @Test("Summaries agree")
    func summaries() throws {
        var random = SplitMix(state: 41)
        var states: [PlanState: Int] = [:]
        for _ in 0..<600 {
            let scene = try Self.scene(&random)
            let summary = ProgressSummary(
                plan: scene.plan, recurringGoal: scene.goal, weekStart: scene.weekStart, at: scene.moment,
                totals: scene.totals)
            #expect(summary.today.description == Self.calendar.dates[scene.today])
            var first = scene.today
            if let week = scene.week {
                first = scene.start + week * 7
                #expect(summary.currentWeek == week && summary.planState == .active && summary.goalSource == .plan)
                #expect(summary.weeklyGoal == scene.plan?.weeks[week])
            } else {
                let weekday = [WeekStart.monday: 0, .saturday: 5, .sunday: 6][scene.weekStart]
                while Self.calendar.weekdays[first] != weekday { first -= 1 }
                let last = scene.plan.map { scene.today < scene.start ? 0 : $0.weeks.count - 1 } ?? 0
                #expect(summary.currentWeek == last && summary.weeklyGoal == scene.goal)
                let state: PlanState =
                    scene.plan == nil ? .noPlan : scene.today < scene.start ? .upcoming : .finished
                #expect(summary.planState == state)
                #expect(summary.goalSource == (scene.goal == nil ? .noGoal : .weekly))
            }
            states[summary.planState, default: 0] += 1
            let sum = scene.sum(first..<(scene.today + 1))
            #expect(summary.week.steps == sum.steps && summary.week.distance.count == sum.distance)
            for back in 0..<7 {
                let sum = scene.sum((scene.today - back)..<(scene.today - back + 1))
                #expect(
                    summary.lastSeven[back].steps == sum.steps && summary.lastSeven[back].distance.count == sum.distance
                )
            }
            let asked = (summary.weeklyGoal?.stepsOfDay ?? 0) * 7 - (summary.weeklyGoal?.steps ?? 0)
            #expect((0...6).contains(asked))
        }
        for state in [PlanState.noPlan, .upcoming, .active, .finished] { #expect(states[state, default: 0] > 10) }
    }

    @Test("Weeks agree, page by page, and so do days")
    func pages() throws {
        var random = SplitMix(state: 42)
        for _ in 0..<300 {
            let scene = try Self.scene(&random)
            let today = scene.moment.today
            var expected: [WeekRow] = []
            for (week, goal) in (scene.plan?.weeks ?? []).enumerated() where scene.start + week * 7 <= scene.today {
                let first = scene.start + week * 7
                let (steps, distance) = scene.sum(first..<min(first + 7, scene.today + 1))
                let lacksSteps = goal.steps.map { steps < $0 } ?? false
                let lacksWay = goal.distance.map { distance < $0.count } ?? false
                expected.append(WeekRow(week: week, steps: steps, distance: distance, isMet: !lacksSteps && !lacksWay))
            }
            var query = ProgressQuery(limit: Int.random(in: 1...6, using: &random))
            var found: [WeekRow] = []
            for _ in 0..<20 {
                let needed = ProgressPage.neededDays(plan: scene.plan, query: query, today: today)
                let page = ProgressPage(plan: scene.plan, query: query, today: today) { day in
                    #expect(needed.contains(day))
                    return scene.totals(day)
                }
                found += page.weeks.map {
                    WeekRow(week: $0.week, steps: $0.steps, distance: $0.distance.count, isMet: $0.isMet)
                }
                guard let next = page.next else { break }
                query.cursor = ProgressCursor(text: next.text)
            }
            #expect(found == expected)
            let span = DaySpan(start: today.advanced(by: -30), count: 32)
            let days = DaysPage(days: span, totals: scene.totals)
            for (index, place) in ((scene.today - 30)...(scene.today + 1)).enumerated() {
                #expect(days.totals[index] == scene.done[Self.calendar.dates[place]] ?? DayTotals())
            }
        }
    }

    private struct WeekRow: Equatable {
        var week: Int
        var steps: Int64
        var distance: Int64
        var isMet: Bool
    }
}
