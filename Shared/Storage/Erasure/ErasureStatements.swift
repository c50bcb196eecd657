internal import Models
internal import Postgres

/// The SQL of erasures; each statement but those of the board and the look at recent ones has one user, so one shard.
enum ErasureStatements {
    /// The erasure that a token is older than: the first one after it was issued, or of a token that does not say when, the last.
    static func covering(_ writer: Writer) -> PostgresStatement {
        let order = writer.issuedAt == nil ? "desc" : "asc"
        return PostgresStatement(
            "covering_erasure_\(order)",
            """
            select \(Erasure.columns) from erasures where user_id = $1 and erased_ms >= $2
            order by erased_ms \(order) limit 1
            """, [.uuid(writer.user.postgres), .int8(writer.issuedAt?.milliseconds ?? .min)])
    }

    static func mark(_ erasure: Erasure) -> [PostgresStatement] {
        [
            PostgresStatement(
                "mark_user_erased", "update users set erased_ms = $2, is_erasing = true where user_id = $1",
                [.uuid(erasure.user.postgres), .int8(erasure.erasedAt.milliseconds)]),
            PostgresStatement(
                "insert_erasure", "insert into erasures (user_id, receipt_id, erased_ms) values ($1, $2, $3)",
                [.uuid(erasure.user.postgres), .uuid(erasure.receiptID.postgres), .int8(erasure.erasedAt.milliseconds)]),
        ]
    }

    static func one(_ erasure: Erasure) -> PostgresStatement {
        PostgresStatement(
            "erasure", "select \(Erasure.columns) from erasures where user_id = $1 and receipt_id = $2", key(erasure))
    }

    /// Locks an erasure for one step; no row when somebody else is at it.
    static func lock(_ erasure: Erasure) -> PostgresStatement {
        PostgresStatement(
            "lock_erasure",
            "select is_finished from erasures where user_id = $1 and receipt_id = $2 for update skip locked",
            key(erasure), effect: .write)
    }

    /// Counts what a step has erased, under the lock.
    static func count(
        workouts: Int = 0, plans: Int = 0, athletes: Int = 0, of erasure: Erasure
    ) -> PostgresStatement {
        PostgresStatement(
            "count_erased",
            """
            update erasures set workouts = workouts + $3, plans = plans + $4, athletes = athletes + $5, steps = steps + 1
            where user_id = $1 and receipt_id = $2
            """, key(erasure) + [.int8(Int64(workouts)), .int8(Int64(plans)), .int8(Int64(athletes))])
    }

    /// Ends an erasure; from then on newer tokens may write.
    static func finish(_ erasure: Erasure) -> [PostgresStatement] {
        [
            PostgresStatement(
                "release_erased_user",
                """
                update users set is_erasing = false, revision = revision + 1, erased_revision = revision + 1,
                    device_id = null, has_several_devices = false
                where user_id = $1
                """, [.uuid(erasure.user.postgres)]),
            PostgresStatement(
                "finish_erasure",
                """
                update erasures set is_finished = true, steps = steps + 1 where user_id = $1 and receipt_id = $2
                """, key(erasure)),
        ]
    }

    /// Whether anything of a user is left.
    static func anything(of user: UserID) -> PostgresStatement {
        PostgresStatement(
            "anything_of_user",
            """
            select exists (select from workouts where user_id = $1) or exists (select from daily_totals where user_id = $1)
                or exists (select from plans where user_id = $1) or exists (select from settings where user_id = $1)
            """, [.uuid(user.postgres)])
    }

    /// Erasures after a moment, and all that are under way; the newest first.
    static func recent(after milliseconds: Int64, limit: Int32) -> PostgresStatement {
        PostgresStatement(
            "recent_erasures",
            """
            select \(Erasure.columns) from erasures where erased_ms > $1 or not is_finished
            order by erased_ms desc limit $2
            """, [.int8(milliseconds), .int4(limit)])
    }

    private static func key(_ erasure: Erasure) -> [PostgresValue] {
        [.uuid(erasure.user.postgres), .uuid(erasure.receiptID.postgres)]
    }
}
