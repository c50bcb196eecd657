package import Models

/// What the database says about the days of one user, counted in two ways that must agree.
package struct StoredDays: Sendable {
    /// Whose days they are.
    package let user: UserID
    /// The days counted anew from the rows; a day without a workout is absent.
    package let recounted: [Day: DayTotals]
    /// The totals that were kept while the rows were written.
    package let totals: [Day: DayTotalsRow]
    /// Rows that no build has written and that therefore cannot be counted.
    package let damagedRows: Int
    /// Plan, goal and profile; nil when no build has written them.
    private let settings: SettingsRow?

    /// Puts the two counts together, for a user who has never set anything.
    package init(
        user: UserID, recounted: [Day: DayTotals], totals: [Day: DayTotalsRow], damagedRows: Int = 0
    ) {
        self.init(
            user: user, recounted: recounted, totals: totals, damagedRows: damagedRows, settings: SettingsRow())
    }

    init(
        user: UserID, recounted: [Day: DayTotals], totals: [Day: DayTotalsRow], damagedRows: Int,
        settings: SettingsRow?
    ) {
        self.user = user
        self.recounted = recounted
        self.totals = totals
        self.damagedRows = damagedRows
        self.settings = settings
    }

    /// What a complete hash that begins with a day should answer; nil when plan, goal or profile are damaged.
    package func home(from firstDay: Day) -> HomeData? {
        guard let settings else { return nil }
        return HomeData(
            days: HomeDays(totals.values.filter { $0.day >= firstDay }), firstDay: firstDay, plan: settings.plan,
            goal: settings.goal,
            profile: settings.profile)
    }
}

/// A day on which the rows, the totals and the cache do not say the same.
package struct DayDifference: Hashable, Sendable {
    /// Whose day it is.
    package let user: UserID
    /// The local day.
    package let day: Day
    /// What the rows add up to; nil without a workout.
    package let rows: DayTotals?
    /// What the table of totals has.
    package let totals: DayTotalsRow?
    /// What the cache has; nil when it does not know the day, which is no difference.
    package let cached: DayTotalsRow?

    /// Puts the three together.
    package init(
        user: UserID, day: Day, rows: DayTotals?, totals: DayTotalsRow?, cached: DayTotalsRow?
    ) {
        self.user = user
        self.day = day
        self.rows = rows
        self.totals = totals
        self.cached = cached
    }
}
