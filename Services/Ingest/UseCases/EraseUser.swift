import EventLoops
import Models
import Postgres
import ServiceKit
import Storage
import Telemetry

/// Erases everything of the user who asks, and answers with the receipt when nothing is left.
///
/// A repeat with the same token, by now one that counts for nothing else, gets the same receipt. Confined to its loop, hence
/// `@unchecked Sendable`.
final class EraseUser: @unchecked Sendable {
    private let budgets: UserBudgets
    private let work: ErasureWork
    private let logger: Logger

    /// The longest that a caller waits: less than the silence that the gateway allows a service, 10 s.
    private static let patience = Duration.seconds(7)

    init(budgets: UserBudgets, work: ErasureWork, logger: Logger) {
        self.logger = logger
        self.budgets = budgets
        self.work = work
    }

    /// What became of it.
    enum Outcome {
        /// Nothing is left.
        case erased(ErasureReceipt)
        /// It goes on; ask again.
        case underWay
        /// The user has sent too much.
        case overBudget(wait: Duration)
        /// Send it again.
        case refused(CommitRefusal)
    }

    /// Erases; costs one of the budget of workouts.
    ///
    /// - Parameter call: the id of the request, for the log.
    func erase(_ writer: Writer, call: String) async -> (outcome: Outcome, decision: RateBudget.Decision) {
        let decision = await budgets.admit(1, of: writer.user)
        guard decision.admitted == 1 else { return (.overBudget(wait: decision.wait), decision) }
        do throws(PostgresError) {
            return (try await erasure(for: writer), decision)
        } catch {
            logger.with(requestID: call).warning("store_failed", ["error": .string(error.debugDescription)])
            return (.refused(CommitRefusal(error)), decision)
        }
    }

    private func erasure(for writer: Writer) async throws(PostgresError) -> Outcome {
        guard !work.isStopping else { return .refused(.draining) }
        let beginning = try await work.pool.transact { connection throws(PostgresError) in
            try await work.store.begin(for: writer, at: work.clock.now, on: connection)
        }
        switch beginning {
        case .otherIsUnderWay: return .underWay
        case .known(let erasure) where erasure.isFinished: return .erased(erasure.receipt)
        case .known(let erasure): return try await wait(for: erasure, isNew: erasure.steps == 0)
        case .begun(let erasure): return try await wait(for: erasure, isNew: true)
        }
    }

    /// Waits while it is worked on here, for a time.
    private func wait(for erasure: Erasure, isNew: Bool) async throws(PostgresError) -> Outcome {
        let deadline = work.loop.now.advanced(by: Self.patience)
        work.start(erasure, isNew: isNew)
        while work.isRunning(erasure), work.loop.now < deadline { try? await work.loop.sleep(for: .milliseconds(20)) }
        let now = try await work.pool.transact { connection throws(PostgresError) in
            try await work.store.look(at: erasure, on: connection)
        }
        guard let now, now.isFinished, !work.isRunning(erasure) else { return .underWay }
        return .erased(now.receipt)
    }
}
