package import Models
package import Postgres

/// What the cache is made from, and brought up to date with.
extension LeaderboardStore {
    /// A delta of more athletes than this is cheaper to rebuild than to send in one piece.
    package static let largestDelta = 5000

    /// Everything that was changed after a revision, in one snapshot.
    ///
    /// - Parameters:
    ///   - limit: the most athletes; a delta with more is cut and must not be shown.
    ///   - allDays: whether the sums of all days come along, not only of those that are different.
    /// - Returns: nil if there is no such challenge.
    package func delta(
        of challenge: ChallengeName, after revision: Int64, limit: Int, allDays: Bool = false,
        on connection: PostgresConnection
    ) async throws(PostgresError) -> BoardDelta? {
        let results = try await connection.exchange(
            [
                Snapshot.begin, BoardStatements.head(challenge),
                BoardStatements.changed(after: revision, limit: Int32(clamping: limit + 1), of: challenge),
                BoardStatements.days(after: allDays ? 0 : revision, of: challenge), .commit,
            ], timeout: timeout)
        guard let head = try BoardRows.head(results[1]) else { return nil }
        var athletes: [(id: Int64, entry: AthleteEntry?)] = []
        athletes.reserveCapacity(results[2].rowCount)
        for row in 0..<results[2].rowCount {
            let entry = results[2].isNull(row, 1) ? nil : try BoardRows.entry(results[2], row)
            athletes.append((try results[2].int64(row, 0), entry))
        }
        return BoardDelta(
            challenge: challenge, about: head.about, from: revision, to: head.revision, totals: head.totals,
            days: try BoardRows.days(results[3]), athletes: athletes)
    }

    /// Some athletes in the order of their ids.
    package func chunk(
        of challenge: ChallengeName, after id: Int64, limit: Int, on connection: PostgresConnection
    ) async throws(PostgresError) -> [NamedEntry] {
        try BoardRows.athletes(
            try await connection.query(
                BoardStatements.chunk(after: id, limit: Int32(clamping: limit), of: challenge), timeout: timeout))
    }

    /// The revisions of all challenges.
    package func revisions(
        on connection: PostgresConnection
    ) async throws(PostgresError) -> [ChallengeName: Int64] {
        let page: Int32 = 1000
        var revisions: [ChallengeName: Int64] = [:]
        var last = ""
        while true {
            let result = try await connection.query(
                BoardStatements.revisions(after: last, limit: page), timeout: timeout)
            for row in 0..<result.rowCount {
                last = try result.text(row, 0)
                if let name = ChallengeName(last) { revisions[name] = try result.int64(row, 1) }
            }
            if result.rowCount < Int(page) { return revisions }
        }
    }
}
