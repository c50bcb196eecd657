import Models
import Postgres
import Redis
import Storage

/// Records athletes of a file in batches, as the service would: in PostgreSQL, and then on the board.
///
/// Recording the same again changes nothing, so a run that was cut short is simply run once more. A board that cannot be reached, or
/// is built meanwhile, is taken on by the services within their time. Confined to the loop of its connections.
struct AthleteImport {
    /// What became of the athletes.
    struct Tally: Equatable, Sendable {
        var created = 0
        var updated = 0
        var unchanged = 0
        /// Ids of users who have entered themselves; only they may record them.
        var refused: [Int64] = []

        var settled: Int { created + updated + unchanged + refused.count }
    }

    /// There is no such challenge.
    struct NoChallenge: Error, CustomStringConvertible {
        let challenge: ChallengeName
        var description: String { "there is no challenge \(challenge); create it with PUT /v1/challenges/\(challenge)" }
    }

    let store: LeaderboardStore
    let connection: PostgresConnection
    let cache: BoardCache
    let now: @Sendable () -> Timestamp
    /// Takes the tally after each batch.
    var note: @Sendable (Tally) -> Void = { _ in }

    func run(_ athletes: [NamedEntry], challenge: ChallengeName) async throws -> Tally {
        var tally = Tally()
        for start in stride(from: 0, to: athletes.count, by: LeaderboardLimits.batch) {
            let batch = athletes[start..<min(start + LeaderboardLimits.batch, athletes.count)]
            let write = try await store.write(
                batch.map { .record($0, by: nil) }, to: challenge, at: now(), on: connection)
            guard let write else { throw NoChallenge(challenge: challenge) }
            if let delta = write.delta { _ = try? await cache.show(delta) }
            for (athlete, outcome) in zip(batch, write.outcomes) { tally.count(outcome, of: athlete.id) }
            note(tally)
        }
        return tally
    }
}

extension AthleteImport.Tally {
    fileprivate mutating func count(_ outcome: AthleteOutcome, of id: Int64) {
        switch outcome {
        case .created: created += 1
        case .updated: updated += 1
        case .unchanged: unchanged += 1
        case .belongsToUser, .takesNoSelfReports, .freshIDTaken, .removed, .refused: refused.append(id)
        }
    }
}
