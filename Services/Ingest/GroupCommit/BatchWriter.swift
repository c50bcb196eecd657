import EventLoops
import Models
import Postgres
import Storage

/// Writes one batch, whatever it takes: repeats what can be repeated, and finds the one row that spoils the others, or the one user
/// whom all wait for.
struct BatchWriter {
    private let store: WorkoutStore
    private let pool: PostgresPool
    private let held: HeldUsers
    private let patience: Duration

    /// - Parameter patience: how long a batch is tried again while nobody gets on, since a table is locked.
    init(store: WorkoutStore, pool: PostgresPool, patience: Duration) {
        self.store = store
        self.pool = pool
        self.patience = patience
        held = HeldUsers(store: store, pool: pool)
    }

    /// What became of a batch: one answer for each write, and the days to show.
    struct Outcome {
        var answers: [CommitAnswer]
        var days: [DayTotalsRow] = []
        var marks: [CacheMark] = []
        var error: PostgresError?

        /// Whether a transaction was committed, if only with some of the batch.
        var hasWritten: Bool { error == nil || answers.contains { if case .success = $0 { true } else { false } } }
    }

    /// Writes; never throws, because each workout has its own answer.
    func write(_ writes: [WorkoutWrite]) async -> Outcome {
        await write(writes, until: pool.loop.now.advanced(by: patience))
    }

    private func write(_ writes: [WorkoutWrite], until deadline: MonotonicInstant) async -> Outcome {
        let known = await held.known(among: writes)
        guard known.isEmpty else { return await leave(known, outOf: writes, until: deadline) }
        do {
            let result = try await pool.transact { connection throws(PostgresError) in
                try await store.write(writes, on: connection)
            }
            return Outcome(
                answers: result.outcomes.map(Self.answer), days: result.days, marks: result.mark.map { [$0] } ?? [])
        } catch {
            if error.isFault { return await isolateFault(in: writes, error) }
            if error.sqlState == .lockNotAvailable, pool.loop.now < deadline {
                return await leave(held.found(among: writes), outOf: writes, until: deadline)
            }
            return Outcome(answers: writes.map { _ in .failure(.storeUnavailable) }, error: error)
        }
    }

    private static func answer(_ outcome: WriteOutcome) -> CommitAnswer {
        if case .refused(let standing) = outcome { .failure(.erased(standing)) } else { .success(outcome) }
    }

    /// Writes everything but the workouts of some users, which are to come again; everything when it was nobody's row.
    private func leave(
        _ held: Set<UserID>, outOf writes: [WorkoutWrite], until deadline: MonotonicInstant
    ) async -> Outcome {
        guard !held.isEmpty else { return await write(writes, until: deadline) }
        let others = writes.filter { !held.contains($0.user) }
        var outcome = others.isEmpty ? Outcome(answers: []) : await write(others, until: deadline)
        var answers = outcome.answers[...]
        outcome.answers = writes.map {
            held.contains($0.user) ? .failure(.storeUnavailable) : answers.popFirst() ?? .failure(.internalFault)
        }
        outcome.error = outcome.error ?? .locked
        return outcome
    }

    /// Halves the batch until the row that the database refuses stands alone; its neighbours are written.
    private func isolateFault(in writes: [WorkoutWrite], _ error: PostgresError) async -> Outcome {
        guard writes.count > 1 else { return Outcome(answers: [.failure(.internalFault)], error: error) }
        let middle = writes.count / 2
        let front = await write(Array(writes[..<middle]))
        let back = await write(Array(writes[middle...]))
        return Outcome(
            answers: front.answers + back.answers, days: front.days + back.days, marks: front.marks + back.marks,
            error: front.error ?? back.error)
    }
}
