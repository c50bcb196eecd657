import Models
import Storage

/// Shows the weeks of the current plan, in the zone of the profile.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class ShowProgress: @unchecked Sendable {
    private let homes: HomeSource
    private let days: DaySource
    private let moments: Moments

    init(homes: HomeSource, days: DaySource, moments: Moments) {
        self.homes = homes
        self.days = days
        self.moments = moments
    }

    /// One page of weeks; those that go further back than the cache cost a trip to PostgreSQL.
    func show(
        _ query: ProgressQuery, to user: UserID
    ) async throws(ReadRefusal) -> (page: ProgressPage, source: ReadSource) {
        let (home, source) = try await homes.home(of: user)
        let today = moments.moment(in: (home.profile.value ?? Profile()).timeZone).today
        let plan = home.plan.value
        let needed = ProgressPage.neededDays(plan: plan, query: query, today: today)
        let totals = try await days.totals(of: user, days: needed, home: home, from: source)
        return (ProgressPage(plan: plan, query: query, today: today) { totals[$0] }, totals.source)
    }
}
