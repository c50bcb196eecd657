package import EventLoops
package import Models
package import Postgres
internal import Redis

/// Brings boards up to date that somebody has left behind.
///
/// Whoever dies, is paused or loses Redis between COMMIT and the cache leaves a board at an older revision than its challenge. Every loop compares
/// all of them once a second; doing it twice does no harm. Confined to its loop, hence `@unchecked Sendable`.
package final class BoardRepair: @unchecked Sendable {
    private let loop: EventLoop
    private let store: LeaderboardStore
    private let pool: PostgresPool
    private let cache: BoardCache
    private var seen: [ChallengeName: Int64] = [:]
    private var behind: Set<ChallengeName> = []

    /// Repairs with the connections of one loop.
    package init(store: LeaderboardStore, pool: PostgresPool, cache: BoardCache, loop: EventLoop) {
        self.loop = loop
        self.store = store
        self.pool = pool
        self.cache = cache
    }

    /// Whether a board is known to be behind and could not be taken on, as while Redis answers but refuses every write: it must
    /// not be shown.
    package func isBehind(_ challenge: ChallengeName) -> Bool { behind.contains(challenge) }

    /// Something that was committed could not be shown: until the next look the board counts as behind.
    package func missed(_ challenge: ChallengeName) { behind.insert(challenge) }

    /// Repairs until the task is cancelled.
    ///
    /// - Parameter report: told which board was behind, whenever one was.
    package func watch(report: @escaping @Sendable (ChallengeName) -> Void = { _ in }) async {
        while !Task.isCancelled {
            try? await look(report)
            do { try await loop.sleep(for: .seconds(1)) } catch { return }
        }
    }

    /// Looks once: a board counts as behind when it has not reached what was committed a look ago.
    private func look(_ report: (ChallengeName) -> Void) async throws {
        let revisions = try await pool.withConnection(.upkeep, timeout: .seconds(1)) {
            connection throws(PostgresError) in
            try await store.revisions(on: connection)
        }
        let challenges = Array(revisions.keys)
        let shown = try await cache.revisions(of: challenges)
        var failed: Set<ChallengeName> = []
        for (challenge, through) in zip(challenges, shown) {
            guard let through, let committed = revisions[challenge] else { continue }
            do {
                if through > committed, try await isAhead(challenge) {
                    report(challenge)
                    try await cache.drop(challenge)
                } else if through < committed, isLate(challenge, at: through) {
                    report(challenge)
                    try await catchUp(challenge)
                }
            } catch {
                failed.insert(challenge)
            }
        }
        behind = failed
        seen = revisions
    }

    /// Whether a board has had its time to reach what was committed, or is known to have missed it.
    private func isLate(_ challenge: ChallengeName, at through: Int64) -> Bool {
        behind.contains(challenge) || seen[challenge].map { through < $0 } ?? false
    }

    /// Whether a board is ahead of its challenge, which can only be of another history: the board first, then the challenge.
    private func isAhead(_ challenge: ChallengeName) async throws -> Bool {
        guard let through = try await cache.revisions(of: [challenge])[0] else { return false }
        let head = try await pool.withConnection(.upkeep, timeout: .seconds(1)) { connection throws(PostgresError) in
            try await store.head(of: challenge, on: connection)
        }
        return through > (head?.revision ?? 0)
    }

    /// Takes a board to the newest revision, whatever it is at.
    ///
    /// A board that is too far behind is dropped: until it is built again, PostgreSQL answers.
    package func catchUp(_ challenge: ChallengeName) async throws {
        for _ in 0..<5 {
            guard let through = try await cache.revisions(of: [challenge])[0] else { return }
            let delta = try await pool.withConnection(.upkeep, timeout: .seconds(1)) {
                connection throws(PostgresError) in
                try await store.delta(
                    of: challenge, after: through, limit: LeaderboardStore.largestDelta, on: connection)
            }
            guard let delta, delta.athletes.count <= LeaderboardStore.largestDelta else {
                return try await cache.drop(challenge)
            }
            guard delta.to > through else { return }
            switch try await cache.show(delta, timeout: .seconds(1)) {
            case .shown, .noBoard: return
            case .behind: continue
            }
        }
    }
}
