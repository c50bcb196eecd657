package import Models
package import Postgres

/// Writes and reads what a user has one of: the current plan, the recurring goal, the profile.
///
/// Each write is one transaction on a connection lent by the caller. It begins with the lock of the user's row, which
/// orders all changes of one user; two plans made at once therefore leave the later one current. Trips to the server: one
/// to set or take away, two to make a plan.
package struct PlanStore: Sendable {
    /// How long one trip may take before the connection is given up.
    let timeout: Duration

    /// Makes a store.
    package init(timeout: Duration) { self.timeout = timeout }

    /// A change that is committed.
    package struct Change<Value: Sendable & Hashable>: Sendable {
        /// What the cache has to show.
        package let now: Revised<Value>
        /// To be forgotten once it does.
        package let mark: CacheMark
    }

    /// What became of a new plan.
    package enum Creation: Sendable {
        /// It is the current plan.
        case created(Change<WorkoutPlan>)
        /// The request id has made this plan before; the current one may be another by now, or none.
        case repeated(WorkoutPlan, current: Revised<WorkoutPlan>)
        /// The request id has made another plan.
        case reused
        /// The client has another current plan in mind than this.
        case conflict(current: WorkoutPlan?)
        /// The user was erased, and the token does not count, or not yet.
        case refused(ErasureStanding)
    }

    /// Makes a plan the current one, unless its request id was used before or another one was to be replaced.
    ///
    /// - Parameter plan: with an id that nothing else has.
    package func create(
        _ plan: WorkoutPlan, replacing expected: ExpectedPlan, of writer: Writer, on connection: PostgresConnection
    ) async throws(PostgresError) -> Creation {
        let user = writer.user
        let opening = try await connection.exchange(
            [
                .begin, PlanStatements.lock(user), PlanStatements.made(by: plan.requestID, of: user),
                PlanStatements.current(of: user),
            ], timeout: timeout)
        let standing = try LockedUser(planLock: opening[1]).standing(of: writer.issuedAt)
        guard standing == .clear else {
            _ = try await connection.query(.rollback, timeout: timeout)
            return .refused(standing)
        }
        let current = try Self.current(opening[3])
        if opening[2].rowCount > 0 {
            let made = try Self.plan(opening[2], 0)
            guard made.content == plan.content else {
                _ = try await connection.query(.rollback, timeout: timeout)
                return .reused
            }
            // The one who made it may have left before a synchronous standby had it. Only a COMMIT waits for that, as the
            // lock has written something that comes after it.
            _ = try await connection.query(.commit, timeout: timeout)
            return .repeated(made, current: current)
        }
        guard expected.agrees(with: current.value?.planID) else {
            _ = try await connection.query(.rollback, timeout: timeout)
            return .conflict(current: current.value)
        }
        let mark = CacheMark(user: user, id: .random())
        let closing = try await connection.exchange(
            [
                PlanStatements.insert(plan, of: user), PlanStatements.setCurrent(plan.planID, of: writer),
                CacheMarkStatements.insert(mark, users: [user]), .commit,
            ], timeout: timeout)
        return .created(Change(now: Revised(revision: try closing[1].int64(0, 0), value: plan), mark: mark))
    }

    /// Leaves the user without a plan; the plan itself is kept.
    package func deletePlan(
        of writer: Writer, on connection: PostgresConnection
    ) async throws(PostgresError) -> Written<Change<WorkoutPlan>> {
        try await set(PlanStatements.setCurrent(nil, of: writer), of: writer, on: connection) {
            result throws(PostgresError) in Revised(revision: try result.int64(0, 0), value: nil)
        }
    }

    /// Sets the recurring goal, or takes it away.
    package func setGoal(
        _ goal: WeeklyGoal?, of writer: Writer, on connection: PostgresConnection
    ) async throws(PostgresError) -> Written<Change<WeeklyGoal>> {
        try await set(SettingsStatements.setGoal(goal, of: writer), of: writer, on: connection) {
            result throws(PostgresError) in Revised(revision: try result.int64(0, 0), value: goal)
        }
    }

    /// Changes the profile; what is nil keeps its value.
    package func changeProfile(
        _ change: ProfileSubmission, of writer: Writer, on connection: PostgresConnection
    ) async throws(PostgresError) -> Written<Change<Profile>> {
        try await set(SettingsStatements.change(change, of: writer), of: writer, on: connection) {
            result throws(PostgresError) in
            Revised(revision: try result.int64(0, 2), value: try Self.profile(result))
        }
    }

    /// One trip: lock, set, mark, commit.
    ///
    /// The mark of what was refused stays and costs a look from PostgreSQL.
    private func set<Value>(
        _ statement: PostgresStatement, of writer: Writer, on connection: PostgresConnection,
        _ read: (PostgresResult) throws(PostgresError) -> Revised<Value>
    ) async throws(PostgresError) -> Written<Change<Value>> {
        let mark = CacheMark(user: writer.user, id: .random())
        let results = try await connection.exchange(
            [
                .begin, PlanStatements.lock(writer.user), statement,
                CacheMarkStatements.insert(mark, users: [writer.user]), .commit,
            ], timeout: timeout)
        let standing = try LockedUser(planLock: results[1]).standing(of: writer.issuedAt)
        guard standing == .clear else { return .refused(standing) }
        return .done(Change(now: try read(results[2]), mark: mark))
    }
}

extension LockedUser {
    /// Reads what `PlanStatements.lock` answers.
    init(planLock result: PostgresResult) throws(PostgresError) {
        guard let user = try WorkoutStore.lockedUsers(result).values.first else {
            throw .unexpectedResult("a lock of no user")
        }
        self = user
    }
}
