/// Everything that the first screen shows: today, the last seven days, the week to date and its goal.
public struct ProgressSummary: Hashable, Sendable {
    /// Whose the weekly goal is.
    public enum GoalSource: String, Hashable, Sendable {
        /// The current week of the active plan.
        case plan
        /// The recurring goal.
        case weekly
        /// There is neither.
        case noGoal = "none"
    }

    /// The plan's name; nil without a plan.
    public let planName: String?
    /// Where today lies with regard to the plan.
    public let planState: PlanState
    /// The plan's week that has today; 0 before it starts and without a plan, the last one after it.
    public let currentWeek: Int
    /// How many weeks the plan has; 0 without one.
    public let totalWeeks: Int
    /// The goal that holds this week; nil without one.
    public let weeklyGoal: WeeklyGoal?
    /// Where that goal comes from.
    public let goalSource: GoalSource
    /// What was done in the plan's week to date if a plan is active, else in the calendar's.
    public let week: DayTotals
    /// The day on which that week began.
    public let weekStart: Day
    /// What was done in the last seven local days, today first.
    public let lastSeven: [DayTotals]
    /// The day that the zone's clock shows.
    public let today: Day
    /// The zone to which all of this belongs.
    public let timeZone: String

    /// The days that a summary looks at: the last seven, whatever the plan and the start of the week.
    ///
    /// A week to date begins at most six days before today, so storage has to be asked for no other day.
    public static func neededDays(on today: Day) -> DaySpan { .lastSeven(to: today) }

    /// Puts a summary together; pure, and the same whatever the order in which the totals came about.
    ///
    /// - Parameters:
    ///   - plan: the current plan.
    ///   - recurringGoal: the goal that holds while no plan is active.
    ///   - totals: what was done on a day; asked for `neededDays` only, zeros for a day without workouts.
    public init(
        plan: WorkoutPlan?, recurringGoal: WeeklyGoal?, weekStart: WeekStart, at moment: ProgressMoment,
        totals: (Day) -> DayTotals
    ) {
        let today = moment.today
        self.today = today
        timeZone = moment.timeZone
        planName = plan?.name
        planState = plan?.calendar.state(on: today) ?? .noPlan
        currentWeek = plan?.calendar.currentWeek(on: today) ?? 0
        totalWeeks = plan?.weeks.count ?? 0
        if let plan, planState == .active {
            weeklyGoal = plan.weeks[currentWeek]
            goalSource = .plan
            self.weekStart = plan.calendar.days(ofWeek: currentWeek).start
        } else {
            weeklyGoal = recurringGoal
            goalSource = recurringGoal == nil ? .noGoal : .weekly
            self.weekStart = CalendarWeek.start(of: today, weekStart: weekStart)
        }
        week = DaySpan(from: self.weekStart, through: today).sum(totals)
        lastSeven = DaySpan.lastSeven(to: today).reversed().map { totals($0) }
    }
}
