package import Models
package import Postgres

/// Reads everything that a user's home screen is made from out of PostgreSQL: one trip, one snapshot.
///
/// The statements travel together, so the answer costs one round trip, and they see one moment, so a plan and the
/// days that count for it belong together.
package struct HomeReader: Sendable {
    /// How far before today, by the clock of UTC, the days begin.
    ///
    /// The last 40 days of every zone are in: today in Kiritimati is one day ahead, and in Pago Pago one behind.
    package static let daysBack = 41

    private let timeout: Duration

    /// Makes a reader.
    ///
    /// - Parameter timeout: how long the trip may take before the connection is given up.
    package init(timeout: Duration) { self.timeout = timeout }

    /// The first day that a home read at this moment has.
    package static func firstDay(at now: Timestamp) -> Day {
        ZoneOffsets(fixed: 0).day(at: now).advanced(by: -daysBack)
    }

    /// Reads; the snapshot is taken after the call.
    ///
    /// - Parameter firstDay: where the days begin; everything from there on is read, also days that lie ahead.
    /// - Throws: `PostgresError`, also for rows that no build has written.
    package func read(
        _ user: UserID, from firstDay: Day, on connection: PostgresConnection
    ) async throws(PostgresError) -> HomeData {
        let results = try await connection.exchange(
            [
                Snapshot.begin, DayTotalsReader.statement(of: user, from: firstDay),
                SettingsRow.statement(of: user), ChangesReader.revision(of: user), .commit,
            ], timeout: timeout)
        let settings = try SettingsRow(results[2])
        let revision = results[3].rowCount > 0 ? try results[3].int64(0, 0) : 0
        return HomeData(
            days: HomeDays(try DailyTotalsStatements.rows(results[1])), firstDay: firstDay, plan: settings.plan,
            goal: settings.goal, profile: settings.profile, revision: revision)
    }
}

/// The frame of reads that have to see one moment.
enum Snapshot {
    /// One snapshot for all statements up to the commit, and a promise to write nothing.
    static let begin = PostgresStatement("begin_snapshot", "begin isolation level repeatable read read only")
}
