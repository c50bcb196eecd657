internal import Models
internal import Postgres

/// The SQL of the days' totals.
///
/// Rows are in key order.
enum DailyTotalsStatements {
    /// Adds to days; negative numbers take away what was counted before.
    static func add(_ changes: [DayChange]) -> PostgresStatement {
        upsert(
            "add_daily_totals", changes,
            onConflict: """
                steps = t.steps + excluded.steps, distance_mm = t.distance_mm + excluded.distance_mm,
                workouts = t.workouts + excluded.workouts, revision = excluded.revision
                """)
    }

    /// Sets days to what a recount has found.
    static func set(_ changes: [DayChange]) -> PostgresStatement {
        upsert(
            "set_daily_totals", changes,
            onConflict: """
                steps = excluded.steps, distance_mm = excluded.distance_mm, workouts = excluded.workouts,
                revision = excluded.revision
                """)
    }

    /// The totals of some days as they stand.
    static func read(_ days: [UserDay]) -> PostgresStatement {
        PostgresStatement(
            "read_daily_totals",
            """
            select t.user_id, t.day, t.steps, t.distance_mm, t.workouts, t.revision
            from unnest($1::uuid[], $2::date[]) as d (user_id, day)
            join daily_totals t on t.user_id = d.user_id and t.day = d.day
            """,
            [.array(of: days.map(\.user.postgres)), .array(of: days.map(\.day.postgres))])
    }

    /// Reads what each of these statements answers.
    static func rows(_ result: PostgresResult) throws(PostgresError) -> [DayTotalsRow] {
        var rows: [DayTotalsRow] = []
        rows.reserveCapacity(result.rowCount)
        for row in 0..<result.rowCount {
            rows.append(
                DayTotalsRow(
                    user: UserID(try result.uuid(row, 0)),
                    day: Day(number: try result.date(row, 1).daysSince1970),
                    totals: DayTotals(
                        steps: try result.int64(row, 2), distance: Millimetres(try result.int64(row, 3)),
                        workouts: try result.int32(row, 4)),
                    revision: try result.int64(row, 5)))
        }
        return rows
    }

    private static func upsert(_ name: String, _ changes: [DayChange], onConflict: String) -> PostgresStatement {
        PostgresStatement(
            name,
            """
            insert into daily_totals as t (user_id, day, steps, distance_mm, workouts, revision)
            select * from unnest($1::uuid[], $2::date[], $3::bigint[], $4::bigint[], $5::integer[], $6::bigint[])
            on conflict (user_id, day) do update set \(onConflict)
            returning user_id, day, steps, distance_mm, workouts, revision
            """,
            [
                .array(of: changes.map(\.at.user.postgres)), .array(of: changes.map(\.at.day.postgres)),
                .array(of: changes.map(\.amount.steps)), .array(of: changes.map(\.amount.distance.count)),
                .array(of: changes.map(\.amount.workouts)), .array(of: changes.map(\.revision)),
            ])
    }
}

/// What is added to a day, or what it is set to.
struct DayChange: Sendable {
    let at: UserDay
    var amount: DayTotals
    let revision: Int64
}
