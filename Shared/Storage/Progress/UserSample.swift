package import Models
package import Postgres

/// Picks users at random.
package enum UserSample {
    /// The user at or behind a random id; nil when there is none there.
    ///
    /// Ids are spread evenly, so every user comes up about as often as any other. One look into the key's index.
    package static func any(
        on connection: PostgresConnection, timeout: Duration
    ) async throws(PostgresError) -> UserID? {
        let statement = PostgresStatement(
            "sample_user", "select user_id from users where user_id >= $1 order by user_id limit 1",
            [.uuid(PostgresUUID(high: .random(in: 0 ... .max), low: 0))])
        let result = try await connection.query(statement, timeout: timeout)
        return result.rowCount > 0 ? UserID(try result.uuid(0, 0)) : nil
    }
}
