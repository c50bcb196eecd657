package import Models
package import Redis

extension BoardCache {
    /// What a look at a page has brought.
    package enum PageAnswer: Sendable {
        /// There is no board.
        case noBoard
        /// The board is at the revision that the caller knows.
        case asKnown
        /// The page, and the version of the board that it is from.
        case page(BoardPage, version: Version)
    }

    /// What names one state of a board: two answers of one version are equal.
    package struct Version: Hashable, Sendable {
        let generation: String
        let revision: String
    }

    /// Reads a page: one round trip.
    ///
    /// - Parameter known: the version of which the caller has this page.
    package func page(
        _ query: AthletesQuery, of challenge: ChallengeName, known: Version? = nil
    ) async throws(RedisError) -> PageAnswer {
        let generation = try current()
        let known = known.flatMap { $0.generation == generation ? $0.revision : nil } ?? ""
        let reply = try await call(BoardScripts.page, challenge) { command in
            command.append(generation)
            command.append(known)
            command.append(query.limit)
            guard let position = query.cursor?.position else { return command.append("") }
            command.append(position.score == nil ? "u" : "s")
            command.append(BoardMember.bytes(of: position.id))
            if let score = position.score { command.append(score) }
        }
        if reply.number == 1 { return .asKnown }
        guard let read = ReadStretch(reply) else { return .noBoard }
        let page = BoardPage(read.stretch, total: read.total, hasMore: read.hasMore)
        return .page(page, version: Version(generation: generation, revision: read.revision))
    }

    /// What a look at one athlete has brought.
    package enum ViewAnswer: Sendable {
        /// There is no board.
        case noBoard
        /// There is no such athlete.
        case noAthlete
        /// The athlete and its neighbours.
        case view(BoardView)
    }

    /// Reads one athlete with its neighbours: one round trip.
    package func view(
        _ id: Int64, around: Int, of challenge: ChallengeName
    ) async throws(RedisError) -> ViewAnswer {
        let generation = try current()
        let reply = try await call(BoardScripts.view, challenge) { command in
            command.append(generation)
            command.append(BoardMember.bytes(of: id))
            command.append(around)
        }
        if reply.number == 2 { return .noAthlete }
        guard let read = ReadStretch(reply), let view = BoardView(of: id, in: read.stretch, total: read.total) else {
            return .noBoard
        }
        return .view(view)
    }

    /// Reads the sums of all days: one round trip; nil without a board.
    package func summary(of challenge: ChallengeName) async throws(RedisError) -> BoardSummary? {
        let generation = try current()
        let reply = try await call(BoardScripts.summary, challenge) { $0.append(generation) }
        guard let parts = reply.elements, parts.count == 4, let participants = parts[0].number,
            let completed = parts[1].number, let sum = parts[2].text.flatMap({ Int128($0) }),
            let fields = parts[3].elements
        else { return nil }
        var days: [Day: BoardTotals] = [:]
        for index in stride(from: 0, to: fields.count - 1, by: 2) {
            guard let day = fields[index].text.flatMap({ Day(parsing: $0) }),
                let totals = fields[index + 1].text.flatMap({ BoardFields.totals($0) })
            else { return nil }
            days[day] = totals
        }
        return BoardSummary(
            now: BoardTotals(participants: participants, completed: completed, scoreSum: sum), changes: days)
    }

    /// What is told about a challenge, as the body of an answer; nil without a board.
    package func about(_ challenge: ChallengeName) async throws(RedisError) -> [UInt8]? {
        let generation = try current()
        let reply = try await redis.send(RedisCommand("HMGET", BoardKeys(challenge).meta, "g", "about"))
        if let error = reply.error { throw .server(error.kind) }
        guard let parts = reply.elements, parts.count == 2, parts[0].text == generation else { return nil }
        return parts[1].bytes.map { Array($0) }
    }

    private func call(
        _ script: RedisScript, _ challenge: ChallengeName, _ values: (inout RedisCommand) -> Void
    ) async throws(RedisError) -> RESPValue {
        let reply = try await redis.send(RedisCommand(script, keys: BoardKeys(challenge).board, values: values))
        if let error = reply.error { throw .server(error.kind) }
        return reply
    }
}
