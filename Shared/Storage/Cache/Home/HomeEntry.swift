package import Models

/// One thing of a user that the home screen shows, with the revision it was last changed at.
package struct Revised<Value: Sendable & Hashable>: Sendable, Hashable {
    /// The user's revision at the last change; 0 when nothing was ever set.
    package let revision: Int64
    /// What it is; nil when there is none.
    package let value: Value?

    /// Joins the two.
    package init(revision: Int64, value: Value?) {
        self.revision = revision
        self.value = value
    }
}

/// Everything that the home screen of one user is made from.
///
/// A class, immutable, because it passes through several `await`s, and each would copy all of it into its frame.
package final class HomeData: Sendable {
    /// Totals of days from `firstDay` on; a day that is not there is zero.
    package let days: HomeDays
    /// Days from here on are complete; earlier ones have to be read from PostgreSQL.
    package let firstDay: Day
    /// The current plan in its stored form.
    package let plan: Revised<WorkoutPlan>
    /// The recurring goal.
    package let goal: Revised<WeeklyGoal>
    /// Time zone and start of the week.
    package let profile: Revised<Profile>
    /// The user's revision in the snapshot it was read in, 0 if not known: whatever has one that is not greater is in it or gone.
    package let revision: Int64

    /// Joins the parts.
    package init(
        days: HomeDays, firstDay: Day, plan: Revised<WorkoutPlan>, goal: Revised<WeeklyGoal>,
        profile: Revised<Profile>, revision: Int64 = 0
    ) {
        self.revision = revision
        self.days = days
        self.firstDay = firstDay
        self.plan = plan
        self.goal = goal
        self.profile = profile
    }

    /// The totals of a day.
    package func totals(of day: Day) -> DayTotals { days[day]?.totals ?? DayTotals() }
}
