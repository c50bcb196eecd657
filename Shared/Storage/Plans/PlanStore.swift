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
    }

    /// Makes a plan the current one, unless its request id was used before or another one was to be replaced.
    ///
    /// - Parameter plan: with an id that nothing else has.
    package func create(
        _ plan: WorkoutPlan, replacing expected: ExpectedPlan, of user: UserID, on connection: PostgresConnection
    ) async throws(PostgresError) -> Creation {
        let opening = try await connection.exchange(
            [
                .begin, PlanStatements.lock(user), PlanStatements.made(by: plan.requestID, of: user),
                PlanStatements.current(of: user),
            ], timeout: timeout)
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
                PlanStatements.insert(plan, of: user), PlanStatements.setCurrent(plan.planID, of: user),
                CacheMarkStatements.insert(mark, users: [user]), .commit,
            ], timeout: timeout)
        return .created(Change(now: Revised(revision: try closing[1].int64(0, 0), value: plan), mark: mark))
    }

    /// Leaves the user without a plan; the plan itself is kept.
    package func deletePlan(
        of user: UserID, on connection: PostgresConnection
    ) async throws(PostgresError) -> Change<WorkoutPlan> {
        let (result, mark) = try await set(PlanStatements.setCurrent(nil, of: user), of: user, on: connection)
        return Change(now: Revised(revision: try result.int64(0, 0), value: nil), mark: mark)
    }

    /// Sets the recurring goal, or takes it away.
    package func setGoal(
        _ goal: WeeklyGoal?, of user: UserID, on connection: PostgresConnection
    ) async throws(PostgresError) -> Change<WeeklyGoal> {
        let (result, mark) = try await set(SettingsStatements.setGoal(goal, of: user), of: user, on: connection)
        return Change(now: Revised(revision: try result.int64(0, 0), value: goal), mark: mark)
    }

    /// Changes the profile; what is nil keeps its value.
    package func changeProfile(
        _ change: ProfileSubmission, of user: UserID, on connection: PostgresConnection
    ) async throws(PostgresError) -> Change<Profile> {
        let (result, mark) = try await set(SettingsStatements.change(change, of: user), of: user, on: connection)
        let profile = try Self.profile(result)
        return Change(now: Revised(revision: try result.int64(0, 2), value: profile), mark: mark)
    }

    /// One trip: lock, set, mark, commit.
    private func set(
        _ statement: PostgresStatement, of user: UserID, on connection: PostgresConnection
    ) async throws(PostgresError) -> (result: PostgresResult, mark: CacheMark) {
        let mark = CacheMark(user: user, id: .random())
        let results = try await connection.exchange(
            [.begin, PlanStatements.lock(user), statement, CacheMarkStatements.insert(mark, users: [user]), .commit],
            timeout: timeout)
        return (results[2], mark)
    }
}
