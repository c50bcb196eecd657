package import Models
package import Postgres

/// Reads a user's workouts page by page, oldest first; deleted ones are left out.
///
/// A page begins behind a key, (start, request id), and not behind a number of rows. Keys never change, so whatever
/// is inserted or deleted between two pages, a workout that was there before the first page and is there after the last one is
/// in exactly one of them, however many start in the same millisecond.
package struct WorkoutPages: Sendable {
    private let timeout: Duration

    /// Makes a reader.
    ///
    /// - Parameter timeout: how long the trip may take before the connection is given up.
    package init(timeout: Duration) { self.timeout = timeout }

    /// A page, and where the next one begins; nil after the last.
    package struct Page: Sendable {
        /// The workouts in order.
        package let workouts: [WorkoutListItem]
        /// Behind which workout the next page begins; nil if this page is the last.
        package let next: WorkoutCursor?
    }

    /// The page that a query asks for; one row more is read, to see whether it is the last.
    package func page(
        _ query: WorkoutsQuery, of user: UserID, on connection: PostgresConnection
    ) async throws(PostgresError) -> Page {
        let result = try await connection.query(Self.statement(query, of: user), timeout: timeout)
        var workouts: [WorkoutListItem] = []
        workouts.reserveCapacity(result.rowCount)
        for row in 0..<min(result.rowCount, query.limit) { workouts.append(try WorkoutListRow.item(result, row: row)) }
        return Page(workouts: workouts, next: result.rowCount > query.limit ? workouts.last?.cursor : nil)
    }

    /// One lower bound only: of two, PostgreSQL would begin its way through the index at the cursor's and read all that lies
    /// between it and the start.
    static func statement(_ query: WorkoutsQuery, of user: UserID) -> PostgresStatement {
        let cursor = first(of: query)
        return PostgresStatement(
            "workouts_page",
            """
            select \(WorkoutListRow.columns) from workouts
            where user_id = $1 and (start_ms, request_id) > ($2, $3) and start_ms < $4 and not is_deleted
            order by start_ms, request_id limit $5
            """,
            [
                .uuid(user.postgres), .int8(cursor.start.milliseconds), .uuid(cursor.requestID.postgres),
                .int8(query.end?.milliseconds ?? .max), .int8(Int64(query.limit) + 1),
            ])
    }

    /// Behind which key the page begins: the cursor's, or the last one before the start, whichever is later.
    ///
    /// Without either, one that lies before every instant.
    private static func first(of query: WorkoutsQuery) -> WorkoutCursor {
        let start = query.start?.milliseconds ?? .min
        if let cursor = query.cursor, cursor.start.milliseconds >= start { return cursor }
        guard start > .min else {
            return WorkoutCursor(start: Timestamp(milliseconds: .min), requestID: RequestID(UUIDValue(high: 0, low: 0)))
        }
        return WorkoutCursor(
            start: Timestamp(milliseconds: start - 1), requestID: RequestID(UUIDValue(high: .max, low: .max)))
    }
}
