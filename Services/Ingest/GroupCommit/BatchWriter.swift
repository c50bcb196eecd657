import Postgres
import Storage

/// Writes one batch, whatever it takes: repeats what can be repeated, and finds the one row that spoils the others.
struct BatchWriter {
    private let store: WorkoutStore
    private let pool: PostgresPool

    init(store: WorkoutStore, pool: PostgresPool) {
        self.store = store
        self.pool = pool
    }

    /// What became of a batch: one answer for each write, and the days to show.
    struct Outcome {
        var answers: [CommitAnswer]
        var days: [DayTotalsRow] = []
        var marks: [CacheMark] = []
        var error: PostgresError?
    }

    /// Writes; never throws, because each workout has its own answer.
    func write(_ writes: [WorkoutWrite]) async -> Outcome {
        do {
            let result = try await pool.transact { connection throws(PostgresError) in
                try await store.write(writes, on: connection)
            }
            return Outcome(
                answers: result.outcomes.map(Self.answer), days: result.days, marks: result.mark.map { [$0] } ?? [])
        } catch {
            if error.isFault { return await isolateFault(in: writes, error) }
            return Outcome(answers: writes.map { _ in .failure(.storeUnavailable) }, error: error)
        }
    }

    private static func answer(_ outcome: WriteOutcome) -> CommitAnswer {
        if case .refused(let standing) = outcome { .failure(.erased(standing)) } else { .success(outcome) }
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
