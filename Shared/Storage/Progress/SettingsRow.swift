internal import Models
internal import Postgres

/// What a user has one of, as the tables hold it: the current plan, the recurring goal, the profile.
struct SettingsRow {
    private(set) var plan = Revised<WorkoutPlan>(revision: 0, value: nil)
    private(set) var goal = Revised<WeeklyGoal>(revision: 0, value: nil)
    private(set) var profile = Revised<Profile>(revision: 0, value: nil)

    /// Everything at once, in the order in which `init` reads it; no row for a user who has never set anything.
    static func statement(of user: UserID) -> PostgresStatement {
        PostgresStatement(
            "home_settings",
            """
            select s.time_zone, s.week_start, s.profile_revision, s.goal_steps, s.goal_distance_mm, s.goal_revision,
                s.plan_id is not null, p.content, s.plan_revision
            from settings s left join plans p on p.user_id = s.user_id and p.plan_id = s.plan_id
            where s.user_id = $1
            """, [.uuid(user.postgres)])
    }

    /// Reads what the statement has answered.
    init(_ result: PostgresResult) throws(PostgresError) {
        guard result.rowCount > 0 else { return }
        profile = Revised(revision: try result.int64(0, 2), value: try Self.profile(result))
        let goal = WeeklyGoal(
            steps: result.isNull(0, 3) ? nil : try result.int64(0, 3),
            distance: result.isNull(0, 4) ? nil : Millimetres(try result.int64(0, 4)))
        let hasGoal = goal.steps != nil || goal.distance != nil
        self.goal = Revised(revision: try result.int64(0, 5), value: hasGoal ? goal : nil)
        plan = Revised(revision: try result.int64(0, 8), value: try Self.plan(result))
    }

    private static func profile(_ result: PostgresResult) throws(PostgresError) -> Profile? {
        guard !(result.isNull(0, 0) && result.isNull(0, 1)) else { return nil }
        var profile = Profile()
        if !result.isNull(0, 0) { profile.timeZone = try result.text(0, 0) }
        if !result.isNull(0, 1) {
            guard let weekStart = WeekStart(rawValue: try result.int16(0, 1)) else {
                throw PostgresError.unexpectedResult("a start of the week that no build has written")
            }
            profile.weekStart = weekStart
        }
        return profile
    }

    private static func plan(_ result: PostgresResult) throws(PostgresError) -> WorkoutPlan? {
        guard try result.bool(0, 6) else { return nil }
        guard !result.isNull(0, 7), let plan = WorkoutPlan(storedForm: Array(try result.text(0, 7).utf8)) else {
            throw PostgresError.unexpectedResult("a plan that no build has written")
        }
        return plan
    }
}
