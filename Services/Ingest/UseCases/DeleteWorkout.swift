import Models
import Postgres
import Redis
import ServiceKit
import Storage

/// Deletes a workout of a user, so that all totals are as if it had never been sent.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class DeleteWorkout: @unchecked Sendable {
    private let budgets: UserBudgets
    private let store: WorkoutStore
    private let pool: PostgresPool
    private let shows: CacheDays

    init(budgets: UserBudgets, store: WorkoutStore, pool: PostgresPool, shows: CacheDays) {
        self.budgets = budgets
        self.store = store
        self.pool = pool
        self.shows = shows
    }

    /// What became of the deletion.
    enum Outcome {
        /// It is gone.
        case deleted
        /// The user has no such workout.
        case notFound
        /// The user has sent too much.
        case overBudget(wait: Duration)
        /// Send it again.
        case refused(CommitRefusal)
    }

    /// Deletes; costs one of the budget.
    ///
    /// - Parameter workoutID: nil for text that is no id, which names no workout.
    func delete(_ workoutID: Int64?, of writer: Writer) async -> (outcome: Outcome, decision: RateBudget.Decision) {
        let decision = await budgets.admit(1, of: writer.user)
        guard decision.admitted == 1 else { return (.overBudget(wait: decision.wait), decision) }
        guard let workoutID else { return (.notFound, decision) }
        return (await delete(workoutID, of: writer), decision)
    }

    private func delete(_ workoutID: Int64, of writer: Writer) async -> Outcome {
        do {
            let (outcome, days, mark) = try await pool.transact { connection throws(PostgresError) in
                try await store.delete(workoutID, of: writer.user, issuedAt: writer.issuedAt, on: connection)
            }
            await shows.show(days, marks: mark.map { [$0] } ?? [])
            return switch outcome {
            case .deleted: .deleted
            case .notFound: .notFound
            case .refused(let standing): .refused(.erased(standing))
            }
        } catch {
            return .refused(error.isFault ? .internalFault : .storeUnavailable)
        }
    }
}
