package import Models
package import Postgres

extension PlanStore {
    /// The current plan, or nil.
    package func currentPlan(
        of user: UserID, on connection: PostgresConnection
    ) async throws(PostgresError) -> WorkoutPlan? {
        try Self.current(try await connection.query(PlanStatements.current(of: user), timeout: timeout)).value
    }

    /// The recurring goal, or nil.
    package func goal(of user: UserID, on connection: PostgresConnection) async throws(PostgresError) -> WeeklyGoal? {
        let result = try await connection.query(SettingsStatements.goal(of: user), timeout: timeout)
        let steps = result.isNull(0, 0) ? nil : try result.int64(0, 0)
        let distance = result.isNull(0, 1) ? nil : Millimetres(try result.int64(0, 1))
        return steps == nil && distance == nil ? nil : WeeklyGoal(steps: steps, distance: distance)
    }

    /// The profile, with the defaults for what was never set.
    package func profile(of user: UserID, on connection: PostgresConnection) async throws(PostgresError) -> Profile {
        try Self.profile(try await connection.query(SettingsStatements.profile(of: user), timeout: timeout))
    }

    /// The time zones of those users who have set one.
    package func zones(
        of users: [UserID], on connection: PostgresConnection
    ) async throws(PostgresError) -> [UserID: String] {
        let result = try await connection.query(SettingsStatements.zones(of: users), timeout: timeout)
        var zones: [UserID: String] = [:]
        for row in 0..<result.rowCount { zones[UserID(try result.uuid(row, 0))] = try result.text(row, 1) }
        return zones
    }

    /// Reads what `PlanStatements.current` answers.
    static func current(_ result: PostgresResult) throws(PostgresError) -> Revised<WorkoutPlan> {
        guard result.rowCount > 0 else { return Revised(revision: 0, value: nil) }
        let revision = try result.int64(0, 0)
        return Revised(revision: revision, value: result.isNull(0, 1) ? nil : try plan(result, 1))
    }

    /// A plan from the column of its stored form.
    static func plan(_ result: PostgresResult, _ column: Int) throws(PostgresError) -> WorkoutPlan {
        guard let plan = WorkoutPlan(storedForm: try result.bytes(0, column)) else {
            throw .unexpectedResult("a plan that no build has written")
        }
        return plan
    }

    /// A profile from its first two columns.
    static func profile(_ result: PostgresResult) throws(PostgresError) -> Profile {
        var profile = Profile()
        if !result.isNull(0, 0) { profile.timeZone = try result.text(0, 0) }
        if !result.isNull(0, 1) {
            guard let weekStart = WeekStart(rawValue: try result.int16(0, 1)) else {
                throw .unexpectedResult("a start of the week that no build has written")
            }
            profile.weekStart = weekStart
        }
        return profile
    }
}
