package import Models
package import Postgres

extension LeaderboardStore {
    /// A challenge and its sums; nil if there is none.
    package func head(
        of challenge: ChallengeName, on connection: PostgresConnection
    ) async throws(PostgresError) -> BoardHead? {
        try BoardRows.head(try await connection.query(BoardStatements.head(challenge), timeout: timeout))
    }

    /// A page of a board: two trips, one snapshot; nil if there is no such challenge.
    ///
    /// Ranks cost a count of everybody who is better, so this is what answers while the cache does not.
    package func page(
        _ query: AthletesQuery, of challenge: ChallengeName, on connection: PostgresConnection
    ) async throws(PostgresError) -> BoardPage? {
        guard let head = try await open(challenge, on: connection) else { return nil }
        let after = try await behind(query.cursor?.position, limit: query.limit + 1, challenge, head, on: connection)
        let stretch = try await counted(Array(after.prefix(query.limit)), challenge, head, on: connection)
        _ = try await connection.query(.commit, timeout: timeout)
        return BoardPage(stretch, total: head.totals.participants, hasMore: after.count > query.limit)
    }

    /// What an athlete's own answer may be.
    package enum Found: Sendable {
        /// There is no such challenge.
        case noChallenge
        /// There is no such athlete.
        case noAthlete
        /// The athlete and its neighbours.
        case view(BoardView)
    }

    /// One athlete with its neighbours, in one snapshot.
    package func view(
        _ id: Int64, around: Int, of challenge: ChallengeName, on connection: PostgresConnection
    ) async throws(PostgresError) -> Found {
        guard let head = try await open(challenge, on: connection) else { return .noChallenge }
        let one = try BoardRows.athletes(
            try await connection.query(BoardStatements.athlete(id, of: challenge), timeout: timeout))
        guard let athlete = one.first else {
            _ = try await connection.query(.rollback, timeout: timeout)
            return .noAthlete
        }
        let place = BoardPosition(score: athlete.entry.score, id: athlete.id)
        var athletes = [athlete]
        if around > 0 {
            let before = try await ahead(place, limit: around, challenge, head, on: connection)
            athletes = before + athletes
            athletes += try await behind(place, limit: around, challenge, head, on: connection)
        }
        let stretch = try await counted(athletes, challenge, head, on: connection)
        _ = try await connection.query(.commit, timeout: timeout)
        return BoardView(of: id, in: stretch, total: head.totals.participants).map { .view($0) } ?? .noAthlete
    }

    /// The id of a user's own entry; nil without one.
    package func own(
        of user: UserID, in challenge: ChallengeName, on connection: PostgresConnection
    ) async throws(PostgresError) -> Int64? {
        let result = try await connection.query(BoardStatements.own(of: user, in: challenge), timeout: timeout)
        return result.rowCount > 0 ? try result.int64(0, 0) : nil
    }

    /// The sums of all days; nil if there is no such challenge.
    package func summary(
        of challenge: ChallengeName, on connection: PostgresConnection
    ) async throws(PostgresError) -> BoardSummary? {
        let results = try await connection.exchange(
            [Snapshot.begin, BoardStatements.head(challenge), BoardStatements.days(after: 0, of: challenge), .commit],
            timeout: timeout)
        guard let head = try BoardRows.head(results[1]) else { return nil }
        return BoardSummary(now: head.totals, changes: try BoardRows.days(results[2]))
    }

    /// Begins a snapshot; ends it again if there is no such challenge.
    private func open(
        _ challenge: ChallengeName, on connection: PostgresConnection
    ) async throws(PostgresError) -> BoardHead? {
        let results = try await connection.exchange(
            [Snapshot.begin, BoardStatements.head(challenge)], timeout: timeout)
        guard let head = try BoardRows.head(results[1]) else {
            _ = try await connection.query(.rollback, timeout: timeout)
            return nil
        }
        return head
    }

    /// Athletes behind a place, or from the top.
    private func behind(
        _ place: BoardPosition?, limit: Int, _ challenge: ChallengeName, _ head: BoardHead,
        on connection: PostgresConnection
    ) async throws(PostgresError) -> [NamedEntry] {
        let edge = LeaderboardLimits.largestInteger + 1
        var athletes: [NamedEntry] = []
        var after = -edge
        if let place, place.score == nil {
            after = place.id
        } else {
            // Nobody has a better score than the edge, so from there on everybody comes.
            let from = (place?.score ?? head.about.order.key(of: -edge), place?.id ?? edge)
            athletes = try await list(
                .init(from, isForward: true, limit: limit, challenge, head), on: connection)
        }
        guard athletes.count < limit else { return athletes }
        let rest = BoardStatements.unscored(
            from: after, isForward: true, limit: Int32(clamping: limit - athletes.count), of: challenge)
        return athletes + (try BoardRows.athletes(try await connection.query(rest, timeout: timeout)))
    }

    /// Athletes before a place, in the order of the board.
    private func ahead(
        _ place: BoardPosition, limit: Int, _ challenge: ChallengeName, _ head: BoardHead,
        on connection: PostgresConnection
    ) async throws(PostgresError) -> [NamedEntry] {
        var nearest: [NamedEntry] = []
        var from: (Int64, Int64)
        let edge = LeaderboardLimits.largestInteger + 1
        if let score = place.score {
            from = (score, place.id)
        } else {
            let unscored = BoardStatements.unscored(
                from: place.id, isForward: false, limit: Int32(clamping: limit), of: challenge)
            nearest = try BoardRows.athletes(try await connection.query(unscored, timeout: timeout))
            from = (head.about.order.key(of: edge), edge)
        }
        if nearest.count < limit {
            nearest += try await list(
                .init(from, isForward: false, limit: limit - nearest.count, challenge, head), on: connection)
        }
        return nearest.reversed()
    }

    private struct Scored {
        let statement: PostgresStatement

        init(
            _ place: (Int64, Int64), isForward: Bool, limit: Int, _ challenge: ChallengeName, _ head: BoardHead
        ) {
            statement = BoardStatements.scored(
                from: (score: place.0, id: place.1), isForward: isForward, limit: Int32(clamping: limit),
                order: head.about.order, of: challenge)
        }
    }

    private func list(_ scored: Scored, on connection: PostgresConnection) async throws(PostgresError) -> [NamedEntry] {
        try BoardRows.athletes(try await connection.query(scored.statement, timeout: timeout))
    }

    /// Counts who comes before the first of some athletes.
    private func counted(
        _ athletes: [NamedEntry], _ challenge: ChallengeName, _ head: BoardHead, on connection: PostgresConnection
    ) async throws(PostgresError) -> BoardStretch {
        guard let first = athletes.first else { return BoardStretch(athletes: [], before: 0, better: 0) }
        let counts = try await connection.query(
            BoardStatements.counts(
                before: BoardPosition(score: first.entry.score, id: first.id), order: head.about.order, of: challenge),
            timeout: timeout)
        return BoardStretch(athletes: athletes, before: try counts.int64(0, 1), better: try counts.int64(0, 0))
    }
}
