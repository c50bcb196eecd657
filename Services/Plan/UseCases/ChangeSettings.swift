import Models
import Postgres
import Storage

/// Changes what a user has one of, and shows it before the caller is answered.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class ChangeSettings: @unchecked Sendable {
    private let store: PlanStore
    private let pool: PostgresPool
    private let shows: CacheSettings

    init(store: PlanStore, pool: PostgresPool, shows: CacheSettings) {
        self.store = store
        self.pool = pool
        self.shows = shows
    }

    /// Leaves the user without a plan; without one before, too.
    func deletePlan(of user: UserID) async throws(PostgresError) {
        let change = try await pool.transact { connection throws(PostgresError) in
            try await store.deletePlan(of: user, on: connection)
        }
        await shows.show(change.now, of: user, mark: change.mark)
    }

    /// Sets the recurring goal, or takes it away.
    func setGoal(_ goal: WeeklyGoal?, of user: UserID) async throws(PostgresError) {
        let change = try await pool.transact { connection throws(PostgresError) in
            try await store.setGoal(goal, of: user, on: connection)
        }
        await shows.show(change.now, of: user, mark: change.mark)
    }

    /// Changes the profile and answers with all of it.
    func changeProfile(_ submission: ProfileSubmission, of user: UserID) async throws(PostgresError) -> Profile {
        let change = try await pool.transact { connection throws(PostgresError) in
            try await store.changeProfile(submission, of: user, on: connection)
        }
        await shows.show(change.now, of: user, mark: change.mark)
        return change.now.value ?? Profile()
    }
}
