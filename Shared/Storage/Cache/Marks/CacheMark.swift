package import Models
internal import Postgres

/// The trace of a transaction whose changes are not in the cache yet.
///
/// It is written in the transaction and taken away after the cache write. Whoever dies, is paused or loses Redis in
/// between leaves it behind, and `MarkRepair` drops what the cache holds of its users.
package struct CacheMark: Sendable, Hashable {
    let user: UserID
    let id: UUIDValue
}

enum CacheMarkStatements {
    /// Marks all users of a transaction under the first one, whose shard the transaction is in.
    static func insert(_ mark: CacheMark, users: some Collection<UserID>) -> PostgresStatement {
        PostgresStatement(
            "insert_cache_mark", "insert into cache_marks (user_id, mark_id, users) values ($1, $2, $3)",
            [.uuid(mark.user.postgres), .uuid(mark.id.postgres), .array(of: users.map(\.postgres))])
    }

    /// Takes marks away.
    static func delete(_ marks: [CacheMark]) -> PostgresStatement {
        PostgresStatement(
            "delete_cache_marks",
            """
            delete from cache_marks c using unnest($1::uuid[], $2::uuid[]) as d (user_id, mark_id)
            where c.user_id = d.user_id and c.mark_id = d.mark_id and c.user_id = any($1::uuid[])
            """,
            [.array(of: marks.map(\.user.postgres)), .array(of: marks.map(\.id.postgres))])
    }

    /// Marks that should have been taken away by now, oldest first.
    static func stale(olderThan milliseconds: Int64, limit: Int32) -> PostgresStatement {
        PostgresStatement(
            "stale_cache_marks",
            """
            select user_id, mark_id, users, (extract(epoch from now() - created_at) * 1000)::bigint from cache_marks
            where created_at < now() - $1 * interval '1 millisecond' order by created_at limit $2
            """,
            [.int8(milliseconds), .int4(limit)])
    }
}

extension UUIDValue {
    var postgres: PostgresUUID { PostgresUUID(high: high, low: low) }

    /// Sixteen random bytes, marked as a random UUID (RFC 9562 §5.4).
    package static func random() -> UUIDValue {
        let high = UInt64.random(in: .min ... .max) & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = UInt64.random(in: .min ... .max) & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        return UUIDValue(high: high, low: low)
    }
}
