package import Models
package import Postgres

/// Reads everything of a user, a piece at a time: one trip and one snapshot each, and nothing held in between.
///
/// So an export costs no connection while its client reads, and no snapshot that would keep old rows from being cleared away. A
/// piece begins behind a key, as pages do: what was there before the first and is there after the last is in exactly one.
/// What changes meanwhile may be in it as it was or as it is. Each piece asks again whether the token still counts.
package struct ExportReader: Sendable {
    private let timeout: Duration

    /// Makes a reader.
    ///
    /// - Parameter timeout: how long the trip may take before the connection is given up.
    package init(timeout: Duration) { self.timeout = timeout }

    /// What becomes of a piece.
    package enum Piece: Sendable {
        /// Its items in order, and where the next one begins; nil after the last.
        case items([ExportItem], next: ExportPlace?)
        /// The user was erased, and the token does not count, or not yet.
        case refused(ErasureStanding)
    }

    /// Reads a piece.
    package func piece(
        _ place: ExportPlace, for writer: Writer, on connection: PostgresConnection
    ) async throws(PostgresError) -> Piece {
        let results = try await connection.exchange(
            [
                Snapshot.begin, ExportStatements.standing(of: writer.user),
                ExportStatements.piece(place, of: writer.user), .commit,
            ], timeout: timeout)
        if results[1].rowCount > 0 {
            let standing = ErasureStanding(
                issuedAt: writer.issuedAt, erasedAt: try results[1].int64(0, 0), isUnderWay: try results[1].bool(0, 1))
            guard standing == .clear else { return .refused(standing) }
        }
        let rows = results[2]
        if place == .beginning { return .items(try Self.settings(rows), next: place.nextPart) }
        var items: [ExportItem] = []
        items.reserveCapacity(rows.rowCount)
        var last = place
        for row in 0..<rows.rowCount {
            let (item, key) = try Self.item(rows, row, of: place)
            items.append(item)
            last = key
        }
        return .items(items, next: rows.rowCount < place.limit ? place.nextPart : last)
    }

    private static func settings(_ rows: PostgresResult) throws(PostgresError) -> [ExportItem] {
        let settings = try SettingsRow(rows)
        var items: [ExportItem] = []
        if let profile = settings.profile.value { items.append(.profile(profile)) }
        if let goal = settings.goal.value { items.append(.weeklyGoal(goal)) }
        return items
    }

    /// One row as an item, and its key.
    private static func item(
        _ rows: PostgresResult, _ row: Int, of place: ExportPlace
    ) throws(PostgresError) -> (ExportItem, ExportPlace) {
        switch place {
        case .beginning: throw .unexpectedResult("settings of more than one row")
        case .plans:
            guard let plan = WorkoutPlan(storedForm: Array(try rows.text(row, 1).utf8)) else {
                throw .unexpectedResult("a plan that no build has written")
            }
            return (.plan(plan, isCurrent: try rows.bool(row, 2)), .plans(after: try rows.uuid(row, 0)))
        case .athletes:
            let challenge = try rows.text(row, 0)
            let athlete = NamedEntry(id: try rows.int64(row, 4), entry: try BoardRows.entry(rows, row))
            return (.athlete(athlete, challenge: challenge), .athletes(after: challenge))
        case .results:
            let result = ExportedResult(
                challenge: try rows.text(row, 0), athleteID: try rows.int64(row, 2),
                score: rows.isNull(row, 3) ? nil : try rows.int64(row, 3), isRemoval: try rows.bool(row, 4),
                recordedAt: Timestamp(milliseconds: try rows.int64(row, 5)))
            return (.result(result), .results(after: result.challenge, try rows.int64(row, 1), result.athleteID))
        case .days:
            let day = try rows.date(row, 1).daysSince1970
            let totals = DayTotals(
                steps: try rows.int64(row, 2), distance: Millimetres(try rows.int64(row, 3)),
                workouts: try rows.int32(row, 4))
            return (.day(Day(number: day), totals), .days(after: day))
        case .workouts:
            let workout = try WorkoutListRow.item(rows, row: row)
            return (
                .workout(workout, isDeleted: try rows.bool(row, 10)),
                .workouts(after: workout.start.milliseconds, workout.requestID.postgres)
            )
        }
    }
}
