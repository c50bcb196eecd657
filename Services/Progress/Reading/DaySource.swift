import Models
import Postgres
import Storage

/// The totals of days, from a home as far as it goes back, else from PostgreSQL.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class DaySource: @unchecked Sendable {
    private let store: StoreReads
    private let reader: DayTotalsReader

    init(store: StoreReads, reader: DayTotalsReader) {
        self.store = store
        self.reader = reader
    }

    /// Totals that can be looked up by day.
    struct Totals {
        fileprivate let home: HomeData?
        fileprivate let older: [Day: DayTotalsRow]
        /// Where they came from.
        let source: ReadSource

        /// The totals of one of the days that were asked for.
        subscript(day: Day) -> DayTotals {
            if let home, day >= home.firstDay { return home.totals(of: day) }
            return older[day]?.totals ?? DayTotals()
        }
    }

    /// Totals of days in a row; PostgreSQL is asked only for those before the home's first.
    func totals(
        of user: UserID, days: DaySpan, home: HomeData, from source: ReadSource
    ) async throws(PostgresError) -> Totals {
        guard let first = days.first, let last = days.last, first < home.firstDay else {
            return Totals(home: home, older: [:], source: source)
        }
        let older = DaySpan(from: first, through: min(last, home.firstDay.advanced(by: -1)))
        return Totals(home: home, older: try await read(user, older), source: .database)
    }

    /// Totals of days of which no home would have any.
    func oldTotals(of user: UserID, days: DaySpan) async throws(PostgresError) -> Totals {
        Totals(home: nil, older: try await read(user, days), source: .database)
    }

    private func read(_ user: UserID, _ days: DaySpan) async throws(PostgresError) -> [Day: DayTotalsRow] {
        try await store.read(.days, of: user) { connection throws(PostgresError) in
            try await reader.read(user, days: days, on: connection)
        }
    }
}
