import Models
import Postgres
import ServiceKit
import Storage

/// Shows days in a row.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class ShowDays: @unchecked Sendable {
    private let homes: HomeSource
    private let days: DaySource
    private let clock: WallClock

    init(homes: HomeSource, days: DaySource, clock: WallClock) {
        self.homes = homes
        self.days = days
        self.clock = clock
    }

    /// The days of a query; when all of them are older than the cache reaches, it is not asked.
    func show(
        _ query: DaysQuery, to user: UserID
    ) async throws(PostgresError) -> (page: DaysPage, source: ReadSource) {
        let totals: DaySource.Totals
        if let last = query.days.last, last < HomeReader.firstDay(at: clock.now) {
            totals = try await days.oldTotals(of: user, days: query.days)
        } else {
            let (home, source) = try await homes.home(of: user)
            totals = try await days.totals(of: user, days: query.days, home: home, from: source)
        }
        return (DaysPage(days: query.days) { totals[$0] }, totals.source)
    }
}
