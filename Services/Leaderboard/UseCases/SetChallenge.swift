import Models
import Postgres
import Storage

/// Sets what is told about a challenge.
struct SetChallenge {
    let store: LeaderboardStore
    let pool: PostgresPool
    let shows: CacheBoard

    /// Sets it, and tells whether the challenge is new.
    func set(_ about: Challenge, of challenge: ChallengeName) async throws(PostgresError) -> Bool {
        let result = try await pool.transact { connection throws(PostgresError) in
            try await store.set(about, of: challenge, on: connection)
        }
        await shows.show(result.delta)
        return result.isNew
    }
}
