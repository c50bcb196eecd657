import Models
import Postgres
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

    /// What a query comes to.
    enum Outcome {
        case page(ProgressPage, ReadSource)
        /// The cursor is one of a plan that is no longer the current one.
        case expired
    }

    /// One page of weeks; those that go further back than the cache cost a trip to PostgreSQL.
    func show(_ query: ProgressQuery, to user: UserID) async throws(PostgresError) -> Outcome {
        let (home, source) = try await homes.home(of: user)
        let today = moments.moment(in: (home.profile.value ?? Profile()).timeZone).today
        let plan = home.plan.value
        guard query.fits(plan) else { return .expired }
        let needed = ProgressPage.neededDays(plan: plan, query: query, today: today)
        let totals = try await days.totals(of: user, days: needed, home: home, from: source)
        return .page(ProgressPage(plan: plan, query: query, today: today) { totals[$0] }, totals.source)
    }
}
