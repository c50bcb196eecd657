package import Models
package import Postgres

/// Reads the days and settings of many users page by page, in the order of their ids, for the comparison.
///
/// A page is one transaction with one snapshot. It ends after `usersPerPage` users or about `rowsPerPage` rows,
/// whichever comes first, and has at least one user; so memory is bounded by the larger of `rowsPerPage` and the rows of
/// the busiest user.
package struct VerifyReader: Sendable {
    /// The most users of a page.
    package let usersPerPage: Int
    /// The rows after which no further user is taken.
    package let rowsPerPage: Int
    /// How long one exchange may take.
    package let timeout: Duration

    /// Makes a reader; every number counts as at least one.
    package init(usersPerPage: Int = 500, rowsPerPage: Int = 50_000, timeout: Duration = .seconds(120)) {
        self.usersPerPage = max(1, usersPerPage)
        self.rowsPerPage = max(1, rowsPerPage)
        self.timeout = timeout
    }

    /// One page.
    package struct Page: Sendable {
        /// The users, in order.
        package let users: [StoredDays]
        /// Where the next page begins; nil after the last.
        package let last: UserID?
    }

    /// The page after a user, from the beginning without one.
    ///
    /// Two trips, whatever its size.
    ///
    /// - Throws: `PostgresError`; the connection is then in a failed transaction or closed.
    package func page(
        after user: UserID?, on connection: PostgresConnection
    ) async throws(PostgresError) -> Page {
        let tables = VerifyStatements.UserTable.allCases
        let opening = try await connection.exchange(
            [VerifyStatements.begin]
                + tables.map { VerifyStatements.users(of: $0, after: user, limit: usersPerPage) }, timeout: timeout)
        var weights: [UserID: Int64] = [:]
        for result in opening.dropFirst() {
            for row in 0..<result.rowCount {
                weights[UserID(try result.uuid(row, 0)), default: 0] += try result.int64(row, 1)
            }
        }
        let users = Self.cut(weights, users: usersPerPage, rows: Int64(rowsPerPage))
        guard let last = users.last else {
            _ = try await connection.query(.commit, timeout: timeout)
            return Page(users: [], last: nil)
        }
        return Page(users: try await days(of: users, opening: [], on: connection), last: last)
    }

    /// The days of some users, in a transaction of their own; without those who are being erased, of whom nobody is shown anything.
    package func days(
        of users: [UserID], on connection: PostgresConnection
    ) async throws(PostgresError) -> [StoredDays] {
        try await days(of: users, opening: [VerifyStatements.begin], on: connection)
    }

    /// Only the totals of some users, as they stand now.
    package func totals(
        of users: [UserID], on connection: PostgresConnection
    ) async throws(PostgresError) -> [UserID: [Day: DayTotalsRow]] {
        let result = try await connection.query(VerifyStatements.totals(of: users), timeout: timeout)
        return Self.byDay(try DailyTotalsStatements.rows(result))
    }

    /// The first users that fit into a page, in order.
    static func cut(_ weights: [UserID: Int64], users limit: Int, rows: Int64) -> [UserID] {
        var taken: [UserID] = []
        var sum: Int64 = 0
        for user in weights.keys.sorted().prefix(limit) {
            sum += weights[user] ?? 0
            guard taken.isEmpty || sum <= rows else { break }
            taken.append(user)
        }
        return taken
    }

    private func days(
        of users: [UserID], opening: [PostgresStatement], on connection: PostgresConnection
    ) async throws(PostgresError) -> [StoredDays] {
        let results = try await connection.exchange(
            opening + [
                VerifyStatements.workouts(of: users), VerifyStatements.totals(of: users),
                SettingsRow.statement(of: users), VerifyStatements.beingErased(of: users), .commit,
            ], timeout: timeout)
        let (workouts, totals) = (results[opening.count], results[opening.count + 1])
        var places: [UserID: [Int]] = [:]
        for row in 0..<workouts.rowCount { places[UserID(try workouts.uuid(row, 0)), default: []].append(row) }
        let kept = Self.byDay(try DailyTotalsStatements.rows(totals))
        let settings = try Self.settings(results[opening.count + 2])
        let erased = results[opening.count + 3]
        var leaving: Set<UserID> = []
        for row in 0..<erased.rowCount { leaving.insert(UserID(try erased.uuid(row, 0))) }
        return users.filter { !leaving.contains($0) }.map { user in
            let (counted, damaged) = Self.recount(workouts, rows: places[user] ?? [])
            return StoredDays(
                user: user, recounted: counted, totals: kept[user] ?? [:], damagedRows: damaged,
                settings: settings[user] ?? SettingsRow())
        }
    }

    /// What each user has set; nil for what no build has written.
    private static func settings(_ result: PostgresResult) throws(PostgresError) -> [UserID: SettingsRow?] {
        var settings: [UserID: SettingsRow?] = [:]
        for row in 0..<result.rowCount {
            let user = UserID(try result.uuid(row, SettingsRow.userColumn))
            settings.updateValue(try? SettingsRow(result, row: row), forKey: user)
        }
        return settings
    }

    private static func byDay(_ rows: [DayTotalsRow]) -> [UserID: [Day: DayTotalsRow]] {
        var days: [UserID: [Day: DayTotalsRow]] = [:]
        for row in rows { days[row.user, default: [:]][row.day] = row }
        return days
    }

    /// Counts with the product's own rules: the stored cuts, and time that several devices cover only once.
    private static func recount(_ result: PostgresResult, rows: [Int]) -> ([Day: DayTotals], damaged: Int) {
        var stored: [StoredWorkout] = []
        stored.reserveCapacity(rows.count)
        for row in rows {
            if let workout = try? WorkoutRow(result, row: row) { stored.append(workout.stored) }
        }
        return (DeviceOverlap.totals(of: stored), rows.count - stored.count)
    }
}
