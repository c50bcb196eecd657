import Models
import Postgres
import Storage

/// Records athletes, from an organiser or from a user about themselves.
///
/// Confined to its loop, hence `@unchecked Sendable`.
final class RecordAthletes: @unchecked Sendable {
    private let queue: ChangeQueue

    init(queue: ChangeQueue) { self.queue = queue }

    /// Carries one change out; nil if there is no such challenge.
    func record(
        _ change: AthleteChange, by writer: Writer, of challenge: ChallengeName
    ) async throws(PostgresError) -> AthleteOutcome? {
        try await queue.record([change], issuedAt: writer.issuedAt, of: challenge)?.first
    }

    /// Records a user's own entry under a fresh id, or the one that it has.
    func recordOwn(
        _ entry: AthleteEntry, of writer: Writer, in challenge: ChallengeName
    ) async throws(PostgresError) -> AthleteOutcome? {
        for _ in 0..<3 {
            let change = AthleteChange.recordOwn(entry, of: writer.user, fresh: AthleteChange.freshID())
            let outcome = try await record(change, by: writer, of: challenge)
            if outcome != .freshIDTaken { return outcome }
        }
        throw .overload
    }

    /// Records a batch; nil if there is no such challenge.
    ///
    /// Faulty items harm nobody.
    func record(
        _ items: [Checked<NamedEntry>], by writer: Writer, of challenge: ChallengeName
    ) async throws(PostgresError) -> [AthleteOutcome]? {
        let changes = items.compactMap { item -> AthleteChange? in
            if case .valid(let athlete) = item { .record(athlete, by: writer.user) } else { nil }
        }
        return try await queue.record(changes, issuedAt: writer.issuedAt, of: challenge)
    }
}
