package import Models
package import Postgres

/// Reads the totals of a user's days out of PostgreSQL, for days that the cache does not keep.
package struct DayTotalsReader: Sendable {
    private let timeout: Duration

    /// Makes a reader.
    ///
    /// - Parameter timeout: how long the trip may take before the connection is given up.
    package init(timeout: Duration) { self.timeout = timeout }

    /// The totals of some days in a row; a day that is not there is zero.
    package func read(
        _ user: UserID, days: DaySpan, on connection: PostgresConnection
    ) async throws(PostgresError) -> [Day: DayTotalsRow] {
        guard let first = days.first, let last = days.last else { return [:] }
        let statement = PostgresStatement(
            "days_between", "\(Self.columns) and day <= $3",
            [.uuid(user.postgres), .date(first.postgres), .date(last.postgres)])
        return try Self.days(try await connection.query(statement, timeout: timeout))
    }

    /// All days from one on.
    static func statement(of user: UserID, from day: Day) -> PostgresStatement {
        PostgresStatement("days_from", columns, [.uuid(user.postgres), .date(day.postgres)])
    }

    static func days(_ result: PostgresResult) throws(PostgresError) -> [Day: DayTotalsRow] {
        var days: [Day: DayTotalsRow] = [:]
        days.reserveCapacity(result.rowCount)
        for row in try DailyTotalsStatements.rows(result) { days[row.day] = row }
        return days
    }

    private static let columns = """
        select user_id, day, steps, distance_mm, workouts, revision from daily_totals
        where user_id = $1 and day >= $2
        """
}
