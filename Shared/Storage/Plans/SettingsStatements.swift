internal import Models
internal import Postgres

/// The SQL of the recurring goal and the profile.
///
/// What sets something sets nothing for a token that an erasure has made count no more; the lock, which travels ahead, says so.
enum SettingsStatements {
    /// Whether the row of the user lets a token write that was issued at a parameter.
    static func mayWrite(_ issued: String) -> String {
        "(u.erased_ms = 0 or u.erased_ms < \(issued) and not u.is_erasing)"
    }

    /// That parameter.
    static func issued(_ writer: Writer) -> PostgresValue { .int8(writer.issuedAt?.milliseconds ?? .min) }

    /// Sets the recurring goal, or takes it away; the revision is the user's, whose lock is held.
    static func setGoal(_ goal: WeeklyGoal?, of writer: Writer) -> PostgresStatement {
        PostgresStatement(
            "set_goal",
            """
            insert into settings (user_id, goal_steps, goal_distance_mm, goal_revision)
            select u.user_id, $2::bigint, $3::bigint, u.revision from users u
            where u.user_id = $1 and \(mayWrite("$4"))
            on conflict (user_id) do update set goal_steps = excluded.goal_steps,
                goal_distance_mm = excluded.goal_distance_mm, goal_revision = excluded.goal_revision
            returning goal_revision
            """,
            [.uuid(writer.user.postgres), .int8(goal?.steps), .int8(goal?.distance?.count), issued(writer)])
    }

    /// Changes what is not null of the profile and answers with all of it.
    static func change(_ change: ProfileSubmission, of writer: Writer) -> PostgresStatement {
        PostgresStatement(
            "change_profile",
            """
            insert into settings as s (user_id, time_zone, week_start, profile_revision)
            select u.user_id, $2::text, $3::integer::smallint, u.revision from users u
            where u.user_id = $1 and \(mayWrite("$4"))
            on conflict (user_id) do update set time_zone = coalesce(excluded.time_zone, s.time_zone),
                week_start = coalesce(excluded.week_start, s.week_start), profile_revision = excluded.profile_revision
            returning time_zone, week_start, profile_revision
            """,
            [
                .uuid(writer.user.postgres), .text(change.timeZone),
                .int4(change.weekStart.map { Int32($0.rawValue) }), issued(writer),
            ])
    }

    /// The recurring goal; two nulls or no row without one.
    static func goal(of user: UserID) -> PostgresStatement {
        PostgresStatement(
            "goal", "select goal_steps, goal_distance_mm from settings where user_id = $1", [.uuid(user.postgres)])
    }

    /// The profile; nulls or no row for what was never set.
    static func profile(of user: UserID) -> PostgresStatement {
        PostgresStatement(
            "profile", "select time_zone, week_start from settings where user_id = $1", [.uuid(user.postgres)])
    }

    /// The time zones of those users who have set one.
    static func zones(of users: [UserID]) -> PostgresStatement {
        PostgresStatement(
            "zones", "select user_id, time_zone from settings where user_id = any($1) and time_zone is not null",
            [.array(of: users.map(\.postgres))])
    }
}
