import Models
import Postgres
import ServiceKit
import Storage

/// Writes changes of one board and shows them before their callers are answered.
struct RecordChanges {
    let store: LeaderboardStore
    let pool: PostgresPool
    let shows: CacheBoard
    let clock: WallClock

    /// What became of each change; nil if there is no such challenge.
    ///
    /// - Parameter issued: when the token was issued that asks for each.
    func record(
        _ changes: [AthleteChange], issued: [Timestamp?], of challenge: ChallengeName
    ) async throws(PostgresError) -> [AthleteOutcome]? {
        guard !changes.isEmpty else { return [] }
        let write = try await pool.transact { connection throws(PostgresError) in
            try await store.write(changes, issued: issued, to: challenge, at: clock.now, on: connection)
        }
        if let delta = write?.delta { await shows.show(delta) }
        return write?.outcomes
    }
}
