import EventLoops
import Postgres
import Storage

/// Writes one batch, whatever it takes: repeats what can be repeated, and finds the one row that spoils the others.
struct BatchWriter {
    private let store: WorkoutStore
    private let pool: PostgresPool
    private let loop: EventLoop

    /// Transactions that lost against another one are tried so often in all.
    private static let attempts = 3
    private static let connectionWait = Duration.seconds(1)

    init(store: WorkoutStore, pool: PostgresPool, loop: EventLoop) {
        self.store = store
        self.pool = pool
        self.loop = loop
    }

    /// What became of a batch: one answer for each write, and the days to show.
    struct Outcome {
        var answers: [CommitAnswer]
        var days: [DayTotalsRow] = []
        var error: PostgresError?
    }

    /// Writes; never throws, because each workout has its own answer.
    func write(_ writes: [WorkoutWrite]) async -> Outcome {
        var failure: PostgresError?
        for attempt in 0..<Self.attempts {
            do {
                let result = try await pool.withConnection(timeout: Self.connectionWait) {
                    connection throws(PostgresError) in try await store.write(writes, on: connection)
                }
                return Outcome(answers: result.outcomes.map { .success($0) }, days: result.days)
            } catch {
                failure = error
                guard Self.mayRepeat(error) else { break }
                try? await loop.sleep(for: .milliseconds(Int.random(in: 1...10) << attempt))
            }
        }
        guard let failure, failure.disposition == .fail, !failure.isOutcomeUnknown else {
            return Outcome(answers: writes.map { _ in .failure(.storeUnavailable) }, error: failure)
        }
        return await isolateFault(in: writes, failure)
    }

    /// Nothing was written, and the same again may well succeed.
    private static func mayRepeat(_ error: PostgresError) -> Bool {
        guard !error.isOutcomeUnknown else { return false }
        return error.disposition == .retry || error.disposition == .reconnect
    }

    /// Halves the batch until the row that the database refuses stands alone; its neighbours are written.
    private func isolateFault(in writes: [WorkoutWrite], _ error: PostgresError) async -> Outcome {
        guard writes.count > 1 else { return Outcome(answers: [.failure(.internalFault)], error: error) }
        let middle = writes.count / 2
        let front = await write(Array(writes[..<middle]))
        let back = await write(Array(writes[middle...]))
        return Outcome(
            answers: front.answers + back.answers, days: front.days + back.days, error: front.error ?? back.error)
    }
}
