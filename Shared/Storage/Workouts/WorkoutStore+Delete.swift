package import Models
package import Postgres

extension WorkoutStore {
    /// What became of a deletion.
    package enum DeleteOutcome: Hashable, Sendable {
        /// It is gone, now or already before.
        case deleted
        /// This user has no such workout.
        case notFound
        /// The user was erased, and the token does not count, or not yet.
        case refused(ErasureStanding)
    }

    /// Turns a workout into a tombstone and takes it out of its days; a second time changes nothing.
    package func delete(
        _ workoutID: Int64, of user: UserID, issuedAt: Timestamp? = nil, on connection: PostgresConnection
    ) async throws(PostgresError) -> (outcome: DeleteOutcome, days: [DayTotalsRow], mark: CacheMark?) {
        let opening = try await connection.exchange(
            [.begin, Self.lock(user), Self.find(workoutID, of: user)], timeout: timeout)
        let users = try Self.lockedUsers(opening[1])
        let standing = users[user]?.standing(of: issuedAt) ?? .clear
        guard standing == .clear, !users.isEmpty, let row = try Self.rows(opening[2]).first else {
            _ = try await connection.query(.rollback, timeout: timeout)
            return (standing == .clear ? .notFound : .refused(standing), [], nil)
        }
        let plan = CommitPlan(deleting: row, hasSeveralDevices: users[user]?.hasSeveralDevices ?? false)
        let statements = row.isDeleted ? [] : [Self.bury(workoutID, of: user, revision: users[user]?.revision ?? 0)]
        let (days, mark) = try await finish(plan, users: users, on: connection, before: statements)
        return (.deleted, days, mark)
    }

    private static func lock(_ user: UserID) -> PostgresStatement {
        PostgresStatement(
            "lock_user",
            """
            update users set revision = revision + 1 where user_id = $1
            returning user_id, revision, has_several_devices, erased_ms, is_erasing
            """,
            [.uuid(user.postgres)])
    }

    private static func find(_ workoutID: Int64, of user: UserID) -> PostgresStatement {
        PostgresStatement(
            "find_workout", "select \(WorkoutRow.columns) from workouts w where w.user_id = $1 and w.workout_id = $2",
            [.uuid(user.postgres), .int8(workoutID)])
    }

    private static func bury(_ workoutID: Int64, of user: UserID, revision: Int64) -> PostgresStatement {
        PostgresStatement(
            "delete_workout",
            "update workouts set is_deleted = true, revision = $3 where user_id = $1 and workout_id = $2",
            [.uuid(user.postgres), .int8(workoutID), .int8(revision)])
    }
}

extension CommitPlan {
    /// Takes one workout out of its days; of a tombstone the days are only shown again.
    init(deleting row: WorkoutRow, hasSeveralDevices: Bool) {
        self.init()
        let version = Version(content: row.content, segments: row.segments)
        if row.isDeleted {
            showAgain(version, of: row.key)
        } else {
            note(Change(before: version, after: nil), of: row.key, recounted: hasSeveralDevices)
        }
    }
}
