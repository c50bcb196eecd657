import Models
import Postgres
import ServiceKit
import Storage

/// Shows everything that the first screen needs.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class ShowSummary: @unchecked Sendable {
    private let homes: HomeSource
    private let days: DaySource
    private let moments: Moments

    init(homes: HomeSource, days: DaySource, moments: Moments) {
        self.homes = homes
        self.days = days
        self.moments = moments
    }

    /// A summary, the name of what it says, and from where it is.
    ///
    /// Written already, because the summary itself would be copied into the frame of each `await`; whole, because bytes that are
    /// handed on before `asOf` is added are copied for it.
    struct Shown {
        let body: [UInt8]
        let tag: EntityTag
        let source: ReadSource
    }

    /// Puts the summary together; `query.timeZone` goes before the profile's.
    func show(_ query: SummaryQuery, to user: UserID) async throws(PostgresError) -> Shown {
        let (home, source) = try await homes.home(of: user, days: moments.lastSevenAnywhere)
        let profile = home.profile.value ?? Profile()
        let moment = moments.moment(in: query.timeZone ?? profile.timeZone)
        let totals = try await days.totals(
            of: user, days: ProgressSummary.neededDays(on: moment.today), home: home, from: source)
        let summary = ProgressSummary(
            plan: home.plan.value, recurringGoal: home.goal.value, weekStart: profile.weekStart, at: moment
        ) { totals[$0] }
        let body = summary.encodeWithoutAsOf()
        let tag = EntityTag(weaklyOf: body)
        return Shown(body: ProgressSummary.body(consume body, asOf: moment.now), tag: tag, source: totals.source)
    }
}
