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
            \(selection) where s.user_id = $1
            """, [.uuid(user.postgres)])
    }

    /// The same of many users, with the user in the last column, for the comparison.
    static func statement(of users: [UserID]) -> PostgresStatement {
        PostgresStatement(
            "verify_settings", "\(selection) where s.user_id = any($1::uuid[])", [.array(of: users.map(\.postgres))])
    }

    /// The column of the user.
    static let userColumn = 9

    private static let selection = """
        select s.time_zone, s.week_start, s.profile_revision, s.goal_steps, s.goal_distance_mm, s.goal_revision,
            s.plan_id is not null, p.content, s.plan_revision, s.user_id
        from settings s left join plans p on p.user_id = s.user_id and p.plan_id = s.plan_id
        """

    /// A user who has never set anything.
    init() {}

    /// Reads what the statement has answered, or one row of many.
    init(_ result: PostgresResult, row: Int = 0) throws(PostgresError) {
        guard result.rowCount > row else { return }
        let profileRevision = try result.int64(row, 2)
        profile = Revised(
            revision: profileRevision, value: profileRevision > 0 ? try Self.profile(result, row) : nil)
        let goal = WeeklyGoal(
            steps: result.isNull(row, 3) ? nil : try result.int64(row, 3),
            distance: result.isNull(row, 4) ? nil : Millimetres(try result.int64(row, 4)))
        let hasGoal = goal.steps != nil || goal.distance != nil
        self.goal = Revised(revision: try result.int64(row, 5), value: hasGoal ? goal : nil)
        plan = Revised(revision: try result.int64(row, 8), value: try Self.plan(result, row))
    }

    /// The profile of a user who has put one, with the defaults for what was left out of it.
    private static func profile(_ result: PostgresResult, _ row: Int) throws(PostgresError) -> Profile {
        var profile = Profile()
        if !result.isNull(row, 0) { profile.timeZone = try result.text(row, 0) }
        if !result.isNull(row, 1) {
            guard let weekStart = WeekStart(rawValue: try result.int16(row, 1)) else {
                throw PostgresError.unexpectedResult("a start of the week that no build has written")
            }
            profile.weekStart = weekStart
        }
        return profile
    }

    private static func plan(_ result: PostgresResult, _ row: Int) throws(PostgresError) -> WorkoutPlan? {
        guard try result.bool(row, 6) else { return nil }
        guard !result.isNull(row, 7), let plan = WorkoutPlan(storedForm: Array(try result.text(row, 7).utf8)) else {
            throw PostgresError.unexpectedResult("a plan that no build has written")
        }
        return plan
    }
}
