import Models
import Postgres
import Redis
import ServiceKit
import Storage
import Telemetry

/// Deletes a workout of a user, so that all totals are as if it had never been sent.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class DeleteWorkout: @unchecked Sendable {
    private let budgets: UserBudgets
    private let store: WorkoutStore
    private let pool: PostgresPool
    private let cacheDays: CacheDays
    private let logger: Logger

    init(budgets: UserBudgets, store: WorkoutStore, pool: PostgresPool, cacheDays: CacheDays, logger: Logger) {
        self.logger = logger
        self.budgets = budgets
        self.store = store
        self.pool = pool
        self.cacheDays = cacheDays
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
    /// - Parameters:
    ///   - workoutID: nil for text that is no id, which names no workout.
    ///   - call: the id of the request, for the log.
    func delete(
        _ workoutID: Int64?, of writer: Writer, call: String
    ) async -> (outcome: Outcome, decision: RateBudget.Decision) {
        let decision = await budgets.admit(1, of: writer.user)
        guard decision.admitted == 1 else { return (.overBudget(wait: decision.wait), decision) }
        guard let workoutID else { return (.notFound, decision) }
        return (await delete(workoutID, of: writer, call: call), decision)
    }

    private func delete(_ workoutID: Int64, of writer: Writer, call: String) async -> Outcome {
        do {
            let (outcome, days, mark) = try await pool.transact { connection throws(PostgresError) in
                try await store.delete(workoutID, of: writer.user, issuedAt: writer.issuedAt, on: connection)
            }
            await cacheDays.show(days, marks: mark.map { [$0] } ?? [])
            return switch outcome {
            case .deleted: .deleted
            case .notFound: .notFound
            case .refused(let standing): .refused(.erased(standing))
            }
        } catch {
            logger.with(requestID: call).warning("store_failed", ["error": .string(error.debugDescription)])
            return .refused(CommitRefusal(error))
        }
    }
}
