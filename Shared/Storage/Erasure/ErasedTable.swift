internal import Models
internal import Postgres

/// The tables of a user's rows, in the order in which they are emptied, a bounded piece at a time.
package enum ErasedTable: CaseIterable, Sendable {
    /// Workouts, tombstones too.
    case workouts
    /// Their days.
    case dailyTotals
    /// Every plan ever made.
    case plans
    /// The plan that is current, the goal, the profile.
    case settings

    /// The most rows of one piece: some 100 ms of a small server.
    package static let piece = 5000

    /// Deletes the first rows behind a key; answers with the key of each, and whether it counts.
    ///
    /// By the primary key and from where the piece before ended, so that no piece walks over what was deleted before.
    func delete(of user: UserID, behind key: PostgresValue?, limit: Int) -> PostgresStatement {
        let (table, column, type, counts) =
            switch self {
            case .workouts: ("workouts", "request_id", "uuid", "not is_deleted")
            case .dailyTotals: ("daily_totals", "day", "date", "true")
            case .plans: ("plans", "plan_id", "uuid", "true")
            case .settings: ("settings", "user_id", "uuid", "true")
            }
        return PostgresStatement(
            "erase_\(table)",
            """
            delete from \(table) where user_id = $1 and \(column) in (
                select \(column) from \(table) where user_id = $1 and ($2::\(type) is null or \(column) > $2::\(type))
                order by \(column) limit $3)
            returning \(column), \(counts)
            """,
            [.uuid(user.postgres), key ?? .null(self == .dailyTotals ? .date : .uuid), .int8(Int64(limit))])
    }

    /// The greatest key of what was deleted.
    func lastKey(_ result: PostgresResult) throws(PostgresError) -> PostgresValue? {
        guard result.rowCount > 0 else { return nil }
        if self == .dailyTotals {
            var last = try result.date(0, 0)
            for row in 1..<result.rowCount {
                let day = try result.date(row, 0)
                if day.daysSince1970 > last.daysSince1970 { last = day }
            }
            return .date(last)
        }
        var last = try result.uuid(0, 0)
        for row in 1..<result.rowCount {
            let key = try result.uuid(row, 0)
            if (key.high, key.low) > (last.high, last.low) { last = key }
        }
        return .uuid(last)
    }
}
