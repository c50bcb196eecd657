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
    func deletePlan(of writer: Writer) async throws(PostgresError) -> Written<Void> {
        let written = try await pool.transact { connection throws(PostgresError) in
            try await store.deletePlan(of: writer, on: connection)
        }
        switch written {
        case .refused(let standing): return .refused(standing)
        case .done(let change):
            await shows.show(change.now, of: writer.user, mark: change.mark)
            return .done(())
        }
    }

    /// Sets the recurring goal, or takes it away.
    func setGoal(_ goal: WeeklyGoal?, of writer: Writer) async throws(PostgresError) -> Written<Void> {
        let written = try await pool.transact { connection throws(PostgresError) in
            try await store.setGoal(goal, of: writer, on: connection)
        }
        switch written {
        case .refused(let standing): return .refused(standing)
        case .done(let change):
            await shows.show(change.now, of: writer.user, mark: change.mark)
            return .done(())
        }
    }

    /// Changes the profile and answers with all of it.
    func changeProfile(
        _ submission: ProfileSubmission, of writer: Writer
    ) async throws(PostgresError) -> Written<Profile> {
        let written = try await pool.transact { connection throws(PostgresError) in
            try await store.changeProfile(submission, of: writer, on: connection)
        }
        switch written {
        case .refused(let standing): return .refused(standing)
        case .done(let change):
            await shows.show(change.now, of: writer.user, mark: change.mark)
            return .done(change.now.value ?? Profile())
        }
    }
}
