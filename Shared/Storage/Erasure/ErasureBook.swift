package import EventLoops
package import Models
package import Postgres

/// Which users were erased lately, in the memory of one loop: what is asked of each token.
///
/// Looked at twice a second, so that a token that counts no more is refused within a second in every process. It reaches back
/// as far as tokens live (`reach`); beyond that the user's row still refuses every write. Costs one look-up in a table that is
/// nearly always empty, and about 50 bytes an erasure, of which it keeps a million at most, the newest. Confined to its loop,
/// hence `@unchecked Sendable`.
package final class ErasureBook: @unchecked Sendable {
    /// How often it is looked at.
    package static let interval = Duration.milliseconds(500)
    /// The most erasures that are remembered.
    private static let most = 1_000_000
    /// How far a look goes back behind the newest erasure: clocks differ, and a commit may come late.
    private static let overlap: Int64 = 300_000
    /// Looks after which everything is read anew, so that what has become too old is forgotten.
    private static let looksOfARound = 1200

    private let loop: EventLoop
    private let pool: PostgresPool
    private let store = ErasureStore(timeout: .seconds(5))
    private let reach: Duration
    private let now: () -> Timestamp
    private var erasedAt: [UserID: Int64] = [:]
    private var newest: Int64?
    private var looks = 0
    /// The erasures that nobody has finished, as the last look found them.
    package private(set) var underWay: [UserID: Erasure] = [:]

    /// Keeps the book of one loop; empty until the first look.
    ///
    /// - Parameters:
    ///   - reach: no shorter than the longest life of a token.
    ///   - now: the server's clock.
    package init(pool: PostgresPool, loop: EventLoop, reach: Duration, now: @escaping () -> Timestamp) {
        self.pool = pool
        self.loop = loop
        self.reach = reach
        self.now = now
    }

    /// How a token stands.
    package func standing(of user: UserID, issuedAt: Timestamp?) -> ErasureStanding {
        guard !erasedAt.isEmpty, let moment = erasedAt[user] else { return .clear }
        return ErasureStanding(issuedAt: issuedAt, erasedAt: moment, isUnderWay: underWay[user] != nil)
    }

    /// Notes what this loop has done or met itself, ahead of the next look.
    package func note(_ erasure: Erasure) {
        erasedAt[erasure.user] = max(erasedAt[erasure.user] ?? 0, erasure.erasedAt.milliseconds)
        underWay[erasure.user] = erasure.isFinished ? nil : erasure
    }

    /// Looks until the task is cancelled.
    package func watch() async {
        while !Task.isCancelled {
            await look()
            do { try await loop.sleep(for: Self.interval) } catch { return }
        }
    }

    /// Looks once; what cannot be read now is read the next time.
    package func look() async {
        if looks >= Self.looksOfARound { newest = nil }
        let reachBegins = now().milliseconds - reach.wholeMilliseconds
        let isFirst = newest == nil
        let begin = Timestamp(milliseconds: max(reachBegins, newest.map { $0 - Self.overlap } ?? .min))
        let found = try? await pool.withConnection(.upkeep, timeout: .seconds(1)) {
            connection throws(PostgresError) in
            try await store.recent(after: begin, limit: Self.most, on: connection)
        }
        guard let found else { return }
        if isFirst {
            erasedAt = [:]
            looks = 0
        }
        looks += 1
        underWay = [:]
        newest = max(newest ?? reachBegins, found.first?.erasedAt.milliseconds ?? .min)
        for erasure in found { note(erasure) }
        // The older of two of a user, finished long ago, must not hide that the newer one is under way.
        for erasure in found where !erasure.isFinished { underWay[erasure.user] = erasure }
    }
}
