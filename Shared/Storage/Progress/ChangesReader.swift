package import Models
package import Postgres

/// Reads what changed of a user since a cursor, oldest change first.
///
/// Why nothing is missed, also when a transaction commits late: every change of a user takes the lock of the user's row,
/// counts `users.revision` up under it, stores that number with whatever it changes, and holds the lock until its commit. So the
/// revisions of one user commit in their order. A snapshot that sees `users.revision = R` sees everything up to R, and
/// whatever commits later, however early it began, has a revision above R. The page ends at R at most, which is read in the
/// same snapshot; so the next page, asked for from there, has it. A revision that was rolled back is handed out
/// again; no cursor ever named it, because no snapshot has seen it.
///
/// A row stands once in the order, at its latest change. One that changes while a client turns pages moves
/// behind the client's position and comes again; so things may come twice, and the last word on each comes last.
package struct ChangesReader: Sendable {
    private let timeout: Duration

    /// Makes a reader.
    ///
    /// - Parameter timeout: how long the trip may take before the connection is given up.
    package init(timeout: Duration) { self.timeout = timeout }

    /// What becomes of a query.
    package enum Outcome: Sendable {
        /// The page.
        case page(ChangesPage)
        /// The cursor names a revision that the user has not had.
        ///
        /// It is from a history that was lost (a restored backup, a promoted
        /// standby) or erased (then it is one from before). Changes with smaller numbers may have come since, so to go on from there, or from the end,
        /// could leave some out: the client has to start again.
        case expired
    }

    /// Reads a page: one trip, one snapshot.
    package func page(
        _ query: ChangesQuery, of user: UserID, on connection: PostgresConnection
    ) async throws(PostgresError) -> Outcome {
        let begin = ChangePosition(query.cursor)
        let results = try await connection.exchange(
            [
                Snapshot.begin, Self.revision(of: user),
                Self.workouts(of: user, after: begin, limit: Int64(query.limit) + 1),
                SettingsRow.statement(of: user), .commit,
            ], timeout: timeout)
        let latest = results[1].rowCount > 0 ? try results[1].int64(0, 0) : 0
        let erased = results[1].rowCount > 0 ? try results[1].int64(0, 1) : 0
        guard begin.revision <= latest, query.cursor == nil || begin.revision >= erased else { return .expired }
        let rows = results[2]
        var workouts: [ChangedWorkout] = []
        workouts.reserveCapacity(rows.rowCount)
        for row in 0..<min(rows.rowCount, query.limit) { workouts.append(try Self.change(rows, row: row)) }
        let hasMore = rows.rowCount > query.limit
        let end = hasMore ? try Self.position(rows, row: query.limit - 1) : ChangePosition(revision: latest)
        let settings = try SettingsRow(results[3])
        return .page(
            ChangesPage(
                workouts: workouts, plan: Self.change(settings.plan, after: begin, upTo: end),
                weeklyGoal: Self.change(settings.goal, after: begin, upTo: end),
                profile: Self.change(settings.profile, after: begin, upTo: end), next: end.cursor, hasMore: hasMore))
    }

    private static func change(_ rows: PostgresResult, row: Int) throws(PostgresError) -> ChangedWorkout {
        guard try rows.bool(row, 10) else { return .stored(try WorkoutListRow.item(rows, row: row)) }
        return .deleted(
            workoutID: try rows.int64(row, 1), requestID: try WorkoutListRow.requestID(rows, row: row))
    }

    private static func position(_ rows: PostgresResult, row: Int) throws(PostgresError) -> ChangePosition {
        ChangePosition(
            revision: try rows.int64(row, 11), requestID: try WorkoutListRow.requestID(rows, row: row))
    }

    /// Something of which a user has one comes with the page within which its revision ends.
    private static func change<Value>(
        _ revised: Revised<Value>, after begin: ChangePosition, upTo end: ChangePosition
    ) -> ChangesPage.Change<Value> {
        let place = ChangePosition(revision: revised.revision)
        return revised.revision > 0 && begin < place && place <= end ? .now(revised.value) : .unchanged
    }
}

extension ChangesReader {
    /// The revision of a user's latest change, and that at which everything before was erased; no row for somebody unknown.
    static func revision(of user: UserID) -> PostgresStatement {
        PostgresStatement(
            "user_revision", "select revision, erased_revision from users where user_id = $1", [.uuid(user.postgres)])
    }

    private static func workouts(
        of user: UserID, after position: ChangePosition, limit: Int64
    ) -> PostgresStatement {
        PostgresStatement(
            "changed_workouts",
            """
            select \(WorkoutListRow.columns), is_deleted, revision from workouts
            where user_id = $1 and (revision, request_id) > ($2, $3)
            order by revision, request_id limit $4
            """,
            [
                .uuid(user.postgres), .int8(position.revision), .uuid(position.requestID.postgres), .int8(limit),
            ])
    }
}
