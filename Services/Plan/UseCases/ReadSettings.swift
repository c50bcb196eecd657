import Models
import Postgres
import Storage

/// Reads what a user has set, from PostgreSQL: one statement each.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class ReadSettings: @unchecked Sendable {
    private let store: PlanStore
    private let pool: PostgresPool

    init(store: PlanStore, pool: PostgresPool) {
        self.store = store
        self.pool = pool
    }

    /// The current plan.
    func plan(of user: UserID) async throws(PostgresError) -> WorkoutPlan? {
        try await pool.transact { connection throws(PostgresError) in
            try await store.currentPlan(of: user, on: connection)
        }
    }

    /// The recurring goal.
    func goal(of user: UserID) async throws(PostgresError) -> WeeklyGoal? {
        try await pool.transact { connection throws(PostgresError) in
            try await store.goal(of: user, on: connection)
        }
    }

    /// The profile.
    func profile(of user: UserID) async throws(PostgresError) -> Profile {
        try await pool.transact { connection throws(PostgresError) in
            try await store.profile(of: user, on: connection)
        }
    }
}
