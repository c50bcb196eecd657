/// What was done in one week of a plan.
public struct WeekProgress: Hashable, Sendable {
    /// The week's number in the plan.
    public let week: Int
    /// The steps of its days up to today.
    public let steps: Int64
    /// The way of its days up to today.
    public let distance: Millimetres
    /// Whether every goal that the week has is reached.
    public let isMet: Bool
}

/// One page of a plan's weeks, from week 0 to the current one.
///
/// The current week counts to date, as in the summary.
public struct ProgressPage: Hashable, Sendable {
    /// The current plan.
    public let plan: WorkoutPlan?
    /// Where today lies with regard to it.
    public let planState: PlanState
    /// The week that has today; 0 before the plan starts and without one, the last one after it.
    public let currentWeek: Int
    /// The weeks of this page; none without a plan or before it starts.
    public let weeks: [WeekProgress]
    /// Where the next page begins; nil if this is the last.
    public let next: ProgressCursor?

    /// Puts a page together.
    ///
    /// - Parameter totals: what was done on a day; asked for `neededDays` only.
    public init(plan: WorkoutPlan?, query: ProgressQuery, today: Day, totals: (Day) -> DayTotals) {
        self.plan = plan
        planState = plan?.calendar.state(on: today) ?? .noPlan
        currentWeek = plan?.calendar.currentWeek(on: today) ?? 0
        let numbers = Self.weeks(of: plan, query: query, today: today)
        var weeks: [WeekProgress] = []
        weeks.reserveCapacity(numbers.count)
        if let plan {
            for week in numbers {
                let sum = plan.calendar.days(ofWeek: week, upTo: today).sum(totals)
                let isMet = plan.weeks[week].isMet(steps: sum.steps, distance: sum.distance)
                weeks.append(WeekProgress(week: week, steps: sum.steps, distance: sum.distance, isMet: isMet))
            }
        }
        self.weeks = weeks
        let hasMore = !numbers.isEmpty && numbers.upperBound <= currentWeek
        next = hasMore ? plan.map { ProgressCursor(planID: $0.planID, week: numbers.upperBound) } : nil
    }

    /// The days that a page looks at, in one piece so that storage can be asked once; empty if it has no week.
    public static func neededDays(plan: WorkoutPlan?, query: ProgressQuery, today: Day) -> DaySpan {
        let numbers = weeks(of: plan, query: query, today: today)
        guard let plan, !numbers.isEmpty else { return DaySpan(start: today, count: 0) }
        let first = plan.calendar.days(ofWeek: numbers.lowerBound).start
        let last = plan.calendar.days(ofWeek: numbers.upperBound - 1).start.advanced(by: 6)
        return DaySpan(from: first, through: min(today, last))
    }

    /// The numbers of the weeks that a page has.
    private static func weeks(of plan: WorkoutPlan?, query: ProgressQuery, today: Day) -> Range<Int> {
        guard let plan, !plan.weeks.isEmpty, plan.calendar.state(on: today) != .upcoming else { return 0..<0 }
        let end = plan.calendar.currentWeek(on: today) + 1
        let first = min(max(0, query.cursor?.week ?? 0), end)
        return first..<(first + min(max(0, query.limit), end - first))
    }
}

extension ProgressPage {
    /// The body of an answer.
    public func encode() -> [UInt8] {
        var writer = JSONWriter(reserving: 512 + weeks.count * 64 + (plan?.weeks.count ?? 0) * 52)
        writer.beginObject()
        writer.name("plan")
        if let plan { writer.plan(plan) } else { writer.null() }
        writer.member("planState", planState.rawValue)
        writer.member("currentWeek", Int64(currentWeek))
        writer.array("progress", weeks) { writer, week in
            writer.beginObject()
            writer.member("week", Int64(week.week))
            writer.member("steps", week.steps)
            writer.member("distance", week.distance)
            writer.member("met", week.isMet)
            writer.endObject()
        }
        if let next { writer.member("nextCursor", next.text) } else { writer.nullMember("nextCursor") }
        writer.endObject()
        return writer.bytes
    }
}
