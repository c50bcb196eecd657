package import Models
package import Redis

/// Boards in Redis: sorted sets that answer pages, ranks and neighbours without PostgreSQL.
///
/// A board is always equal to PostgreSQL at one revision of its challenge, because changes go onto it in the order of their revisions or not at all. A
/// board of another generation counts as not there. What closes which race is listed in `docs/consistency.md`.
package struct BoardCache {
    /// How long a board that nobody changes stays; it is built again when somebody looks.
    package static let life = Duration.seconds(8 * 86_400)
    /// The scripts that a connection has to know.
    package static let scripts = [
        BoardScripts.page, BoardScripts.view, BoardScripts.summary, BoardScripts.apply, BoardBuild.hold,
        BoardBuild.swap,
    ]

    let redis: RedisClient
    private let generation: () -> String?

    /// Uses the connection of one loop, which must have been given `scripts`.
    ///
    /// - Parameter generation: the pair of servers as that loop knows it (`CacheGeneration.current`); nil: not known yet.
    package init(redis: RedisClient, generation: @escaping () -> String?) {
        self.redis = redis
        self.generation = generation
    }

    /// The name of the pair of servers.
    func current() throws(RedisError) -> String {
        guard let current = generation() else { throw .notConnected }
        return current
    }

    /// What became of a delta.
    package enum Shown: Hashable, Sendable {
        /// The board has it, from here or from somebody else.
        case shown
        /// The board is at an older revision than the delta builds on.
        case behind(through: Int64)
        /// There is no board.
        case noBoard
    }

    /// Takes a board on by a delta.
    package func show(_ delta: BoardDelta, timeout: Duration? = nil) async throws(RedisError) -> Shown {
        let generation = try current()
        let keys = BoardKeys(delta.challenge)
        var command = RedisCommand(BoardScripts.apply, keys: keys.board) { command in
            command.append(generation)
            command.append(delta.from)
            command.append(delta.to)
            delta.appendSums(to: &command)
            for (day, totals) in delta.days {
                command.append(day.description)
                command.append(BoardFields.value(of: totals))
            }
        }
        command.reserve(arguments: delta.athletes.count * 3, bytes: delta.athletes.count * 40)
        for athlete in delta.athletes {
            command.append(BoardMember.bytes(of: athlete.id))
            command.append(delta.about.order.boardKey(of: athlete.entry))
            command.append(athlete.entry.map { BoardFields.value(of: $0) } ?? "")
        }
        let reply = try await redis.send(command, timeout: timeout)
        if let error = reply.error { throw .server(error.kind) }
        guard let through = reply.number else { throw .protocolViolation(.unexpectedReply) }
        if through < 0 { return .noBoard }
        return through >= delta.to ? .shown : .behind(through: through)
    }

    /// The revisions that boards are at; nil for those that are not there.
    package func revisions(of challenges: [ChallengeName]) async throws(RedisError) -> [Int64?] {
        guard !challenges.isEmpty else { return [] }
        let current = try current()
        let replies = try await redis.send(
            challenges.map { RedisCommand("HMGET", BoardKeys($0).meta, "g", "through") }, timeout: .seconds(1))
        return replies.map { reply in
            guard let parts = reply.elements, parts.count == 2, parts[0].text == current else { return nil }
            return parts[1].number
        }
    }

    /// Drops a board; it is built again when somebody looks.
    package func drop(_ challenge: ChallengeName) async throws(RedisError) {
        let keys = BoardKeys(challenge)
        var command = RedisCommand("UNLINK")
        for key in keys.board.dropLast() { command.append(key) }
        if let error = try await redis.send(command).error { throw .server(error.kind) }
    }
}

extension BoardOrder {
    /// The number by which Redis sorts: the smaller comes first.
    var boardSign: String { self == .descending ? "-1" : "1" }

    /// What the scripts take as an athlete's key.
    func boardKey(of entry: AthleteEntry?) -> String {
        guard let entry else { return "x" }
        return entry.score.map { String(key(of: $0)) } ?? ""
    }
}

extension BoardDelta {
    /// Order, sums, what is told, life and the number of days, as the scripts take them.
    func appendSums(to command: inout RedisCommand) {
        command.append(about.order.boardSign)
        command.append(totals.participants)
        command.append(totals.completed)
        command.append("\(totals.scoreSum)")
        command.append(about.encode())
        command.append(BoardCache.life.components.seconds)
        command.append(days.count)
    }
}
