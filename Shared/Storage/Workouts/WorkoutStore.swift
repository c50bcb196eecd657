package import Models
package import Postgres

/// Writes workouts and the totals of their days.
///
/// One call is one transaction on a connection lent by the caller.
///
/// Trips to the server: two for a batch of new workouts of users with one device each (lock and insert; add to the days
/// and commit); one more when a request id was there before, and one more when a user's devices may overlap.
package struct WorkoutStore: Sendable {
    /// How long one trip may take before the connection is given up.
    package let timeout: Duration
    private let clock: @Sendable (String) -> ZoneOffsets?
    private let lockOrder: LockOrder

    /// The order in which a transaction takes the locks of its users.
    package enum LockOrder: String, Sendable {
        /// By user id: two writers never wait for each other.
        case ascending = "asc"
        /// The reverse, only for the test that shows what the order is for: it deadlocks with the other.
        case descending = "desc"
    }

    /// Makes a store.
    ///
    /// - Parameters:
    ///   - clock: the clock of a zone by name, for workouts in progress that grow past midnight.
    ///   - lockOrder: ascending, in every service.
    package init(
        timeout: Duration, clock: @escaping @Sendable (String) -> ZoneOffsets?, lockOrder: LockOrder = .ascending
    ) {
        self.timeout = timeout
        self.clock = clock
        self.lockOrder = lockOrder
    }

    /// Writes a batch: all of it or, when it throws, nothing (or, with `isOutcomeUnknown`, nobody knows).
    package func write(
        _ writes: [WorkoutWrite], on connection: PostgresConnection
    ) async throws(PostgresError) -> CommitResult {
        let batch = WorkoutBatch(writes)
        let opening = try await connection.exchange(
            [
                .begin, WorkoutStatements.lockUsers(batch.users, in: lockOrder),
                WorkoutStatements.insert(batch.firsts),
            ], timeout: timeout)
        let users = try Self.lockedUsers(opening[1])
        if users.values.contains(where: { $0.erasedAt != 0 }) {
            let standings = writes.map { users[$0.user]?.standing(of: $0.issuedAt) ?? .clear }
            if standings.contains(where: { $0 != .clear }) {
                return try await writeOthers(than: standings, of: writes, on: connection)
            }
        }
        let inserted = try Self.insertedIDs(opening[2])
        let existing = try await existingRows(of: batch, butFor: inserted, on: connection)
        let plan = CommitPlan(batch, inserted: inserted, existing: existing, users: users, clock: clock)
        let (days, mark) = try await finish(plan, users: users, on: connection)
        return CommitResult(outcomes: plan.outcomes, days: days, mark: mark)
    }

    /// Those of some users whose rows somebody else keeps locked at the moment; waits for nobody.
    package func held(
        of users: Set<UserID>, on connection: PostgresConnection
    ) async throws(PostgresError) -> Set<UserID> {
        let result = try await connection.query(WorkoutStatements.held(users), timeout: timeout)
        var held: Set<UserID> = []
        for row in 0..<result.rowCount { held.insert(UserID(try result.uuid(row, 0))) }
        return held
    }

    /// Takes back what was begun and writes those whose tokens count.
    ///
    /// Rare, since a token that counts no more is refused before: only until the loop has heard of the erasure. So the usual
    /// statement need not tell the rows apart.
    private func writeOthers(
        than standings: [ErasureStanding], of writes: [WorkoutWrite], on connection: PostgresConnection
    ) async throws(PostgresError) -> CommitResult {
        _ = try await connection.query(.rollback, timeout: timeout)
        let others = zip(writes, standings).filter { $0.1 == .clear }.map(\.0)
        var result = CommitResult(outcomes: [], days: [], mark: nil)
        if !others.isEmpty { result = try await write(others, on: connection) }
        var written = result.outcomes[...]
        result.outcomes = standings.map { $0 == .clear ? written.popFirst() ?? .conflict : .refused($0) }
        return result
    }

    private func existingRows(
        of batch: WorkoutBatch, butFor inserted: [WorkoutKey: Int64], on connection: PostgresConnection
    ) async throws(PostgresError) -> [WorkoutKey: WorkoutRow] {
        guard inserted.count < batch.placesByKey.count else { return [:] }
        let keys = batch.placesByKey.map(\.key).filter { inserted[$0] == nil }
        let result = try await connection.query(WorkoutStatements.existing(keys), timeout: timeout)
        var rows: [WorkoutKey: WorkoutRow] = [:]
        for row in try Self.rows(result) { rows[row.key] = row }
        return rows
    }

    static func lockedUsers(_ result: PostgresResult) throws(PostgresError) -> [UserID: LockedUser] {
        // `reserveCapacity` is not specialized for these types and costs a batch more than filling the table.
        var users = [UserID: LockedUser](minimumCapacity: result.rowCount)
        for row in 0..<result.rowCount {
            users[UserID(try result.uuid(row, 0))] = LockedUser(
                revision: try result.int64(row, 1), hasSeveralDevices: try result.bool(row, 2),
                erasedAt: try result.int64(row, 3), isErasing: try result.bool(row, 4))
        }
        return users
    }

    private static func insertedIDs(_ result: PostgresResult) throws(PostgresError) -> [WorkoutKey: Int64] {
        var inserted = [WorkoutKey: Int64](minimumCapacity: result.rowCount)
        for row in 0..<result.rowCount {
            let key = WorkoutKey(
                user: UserID(try result.uuid(row, 0)), request: RequestID(try result.uuid(row, 1)))
            inserted[key] = try result.int64(row, 2)
        }
        return inserted
    }

    static func rows(_ result: PostgresResult) throws(PostgresError) -> [WorkoutRow] {
        var rows: [WorkoutRow] = []
        rows.reserveCapacity(result.rowCount)
        for row in 0..<result.rowCount { rows.append(try WorkoutRow(result, row: row)) }
        return rows
    }
}
