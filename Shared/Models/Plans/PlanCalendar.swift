/// Where a day lies with regard to a plan.
public enum PlanState: String, Hashable, Sendable {
    /// There is no plan.
    case noPlan = "none"
    /// It has not started.
    case upcoming
    /// One of its weeks has the day.
    case active
    /// Its last week is over.
    case finished
}

/// The weeks of a plan on the calendar.
///
/// Week n covers the seven local days from the start + 7n on, whatever weekday that is. All of it is arithmetic on dates: local midnight is
/// wherever the user's clock says, so days of 23 and 25 hours, and midnights that a clock skips, need no rule here.
public struct PlanCalendar: Hashable, Sendable {
    /// The first day of week 0.
    public var start: Day
    /// How many weeks it has.
    public var weekCount: Int

    /// Joins the parts.
    public init(start: Day, weekCount: Int) {
        self.start = start
        self.weekCount = weekCount
    }

    /// Whether the plan has yet to start, runs, or is over; never `noPlan`.
    public func state(on day: Day) -> PlanState {
        let passed = daysPassed(on: day)
        return passed < 0 ? .upcoming : passed < Int64(weekCount) * 7 ? .active : .finished
    }

    /// The week that has the day; 0 before the plan starts, the last one after it.
    public func currentWeek(on day: Day) -> Int {
        let passed = daysPassed(on: day)
        return passed < 0 ? 0 : max(0, Int(min(passed / 7, Int64(weekCount) - 1)))
    }

    /// The seven days of a week.
    public func days(ofWeek week: Int) -> DaySpan { DaySpan(start: start.advanced(by: week * 7), count: 7) }

    /// The days of a week up to today; none of a week that lies ahead.
    ///
    /// A workout may reach a day into the future; it counts once its day has come.
    public func days(ofWeek week: Int, upTo today: Day) -> DaySpan {
        let days = days(ofWeek: week)
        return DaySpan(from: days.start, through: min(today, days.start.advanced(by: 6)))
    }

    private func daysPassed(on day: Day) -> Int64 { Int64(day.number) - Int64(start.number) }
}

/// Weeks of the calendar, which begin on the weekday that the user chose.
public enum CalendarWeek {
    /// The first day of the week that has the day: 0 … 6 days before it.
    public static func start(of day: Day, weekStart: WeekStart) -> Day {
        // 1970-01-01 was a Thursday: three days after a Monday, four after a Sunday, five after a Saturday.
        let shift: Int64 =
            switch weekStart {
            case .monday: 3
            case .sunday: 4
            case .saturday: 5
            }
        let rest = (Int64(day.number) + shift) % 7
        return day.advanced(by: -Int(rest < 0 ? rest + 7 : rest))
    }
}
