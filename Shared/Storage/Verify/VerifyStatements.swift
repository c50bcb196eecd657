internal import Models
internal import Postgres

/// The SQL of the comparison.
///
/// Plain reads by key, nothing that a distributed store could not answer.
enum VerifyStatements {
    /// One moment for everything that is read, and a promise to write nothing.
    static let begin = PostgresStatement(
        "begin_verify", "begin isolation level repeatable read read only")

    /// The next users of a table, in order, and how many of its rows each has.
    ///
    /// Three tables are asked, so that a row whose user is missing elsewhere is found as well. The key's index gives
    /// the groups in order, so the work is that of the rows of the page.
    static func users(of table: UserTable, after user: UserID?, limit: Int) -> PostgresStatement {
        PostgresStatement(
            "verify_users_of_\(table.rawValue)",
            """
            select user_id, count(*) from \(table.rawValue)
            where $1::uuid is null or user_id > $1 group by user_id order by user_id limit $2
            """,
            [.uuid(user?.postgres), .int8(Int64(limit))])
    }

    /// The tables that hold something of a user's days.
    enum UserTable: String, CaseIterable {
        case users
        case workouts
        case totals = "daily_totals"
    }

    /// All workouts of some users; tombstones excluded.
    static func workouts(of users: [UserID]) -> PostgresStatement {
        PostgresStatement(
            "verify_workouts",
            "select \(WorkoutRow.columns) from workouts w where w.user_id = any($1::uuid[]) and not w.is_deleted",
            [.array(of: users.map(\.postgres))])
    }

    /// Those of some users who are being erased.
    static func beingErased(of users: [UserID]) -> PostgresStatement {
        PostgresStatement(
            "verify_erasing", "select user_id from users where user_id = any($1::uuid[]) and is_erasing",
            [.array(of: users.map(\.postgres))])
    }

    /// All totals of some users.
    static func totals(of users: [UserID]) -> PostgresStatement {
        PostgresStatement(
            "verify_daily_totals",
            """
            select user_id, day, steps, distance_mm, workouts, revision
            from daily_totals where user_id = any($1::uuid[])
            """,
            [.array(of: users.map(\.postgres))])
    }
}
