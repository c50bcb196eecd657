package import Models
package import Postgres
internal import Redis

/// Builds a board from PostgreSQL, aside, and puts it in the place of the old one in one step.
///
/// Read in chunks by id, so neither the loop nor the memory notices a million athletes, and no transaction stays open: what changes meanwhile is read again by the
/// log of results, so the board is equal to one revision when it is shown. One process builds at a time, under a lease. Confined to its loop.
package struct BoardBuild {
    let store: LeaderboardStore
    let pool: PostgresPool
    let cache: BoardCache

    private static let chunk = 2000
    /// Changes during one build; with more it begins anew.
    private static let mostChanges = 100_000
    private static let leaseMilliseconds = 15_000
    private static let patience = Duration.seconds(2)

    /// Uses the connections of one loop.
    package init(store: LeaderboardStore, pool: PostgresPool, cache: BoardCache) {
        self.store = store
        self.pool = pool
        self.cache = cache
    }

    /// What became of a build.
    package enum Outcome: Hashable, Sendable {
        /// The board is shown.
        case built
        /// It is there by now.
        case present
        /// Somebody else is building it.
        case leased
        /// There is no such challenge.
        case noChallenge
        /// Something came in between; whoever looks next begins anew.
        case lost
    }

    /// Builds a board.
    package func build(_ challenge: ChallengeName) async throws -> Outcome {
        let generation = try cache.current()
        // Whoever asks may have looked before another build ended.
        guard try await cache.revisions(of: [challenge])[0] == nil else { return .present }
        let keys = BoardKeys(challenge)
        let token = String(UInt64.random(in: .min ... .max), radix: 36)
        let lease = try await cache.redis.send(
            RedisCommand("SET", keys.lease, token, "NX", "PX", String(Self.leaseMilliseconds)))
        guard lease.isOK else { return .leased }
        let aside = Aside(keys: keys, token: token)
        let outcome: Outcome
        do {
            outcome = try await fill(challenge, aside, generation: generation)
        } catch {
            await release(aside)
            throw error
        }
        if outcome != .built { await release(aside) }
        return outcome
    }

    private struct Aside {
        let keys: BoardKeys
        let token: String
        var names: [String] { keys.aside(token) }
    }

    private func fill(_ challenge: ChallengeName, _ aside: Aside, generation: String) async throws -> Outcome {
        let first = try await pool.transact { connection throws(PostgresError) in
            try await store.head(of: challenge, on: connection)
        }
        guard let first else { return .noChallenge }
        let order = first.about.order
        var last = -LeaderboardLimits.largestInteger - 1
        while true {
            let after = last
            let athletes = try await pool.transact { connection throws(PostgresError) in
                try await store.chunk(of: challenge, after: after, limit: Self.chunk, on: connection)
            }
            guard try await put(athletes.map { ($0.id, $0.entry) }, order, aside) else { return .lost }
            guard athletes.count == Self.chunk, let end = athletes.last else { break }
            last = end.id
        }
        return try await finish(challenge, aside, from: first.revision, order: order, generation: generation)
    }

    /// What was read so far is of different moments; what has changed since the first of them makes it one.
    private func finish(
        _ challenge: ChallengeName, _ aside: Aside, from first: Int64, order: BoardOrder, generation: String
    ) async throws -> Outcome {
        var revision = first
        for _ in 0..<20 {
            let from = revision
            let delta = try await pool.transact { connection throws(PostgresError) in
                try await store.delta(
                    of: challenge, after: from, limit: Self.mostChanges, allDays: true, on: connection)
            }
            guard let delta, delta.about.order == order, delta.athletes.count <= Self.mostChanges else { return .lost }
            for start in stride(from: 0, to: delta.athletes.count, by: Self.chunk) {
                let part = delta.athletes[start..<min(start + Self.chunk, delta.athletes.count)]
                guard try await put(Array(part), order, aside) else { return .lost }
            }
            revision = delta.to
            switch try await swap(delta, aside, generation: generation) {
            case 1: return .built
            case 2: continue
            default: return .lost
            }
        }
        return .lost
    }

    /// Writes athletes aside and holds on to the lease; false if it is lost.
    private func put(
        _ athletes: [(id: Int64, entry: AthleteEntry?)], _ order: BoardOrder, _ aside: Aside
    ) async throws(RedisError) -> Bool {
        let names = aside.names
        var (ranks, unscored) = (RedisCommand("ZADD"), RedisCommand("ZADD"))
        var (values, gone) = (RedisCommand("HSET"), RedisCommand("ZREM"))
        var (wasUnscored, noValues) = (RedisCommand("ZREM"), RedisCommand("HDEL"))
        ranks.append(names[0])
        gone.append(names[0])
        unscored.append(names[1])
        wasUnscored.append(names[1])
        values.append(names[2])
        noValues.append(names[2])
        var (scored, others, removed) = (0, 0, 0)
        for (id, entry) in athletes {
            let member = BoardMember.bytes(of: id)
            if let score = entry?.score {
                scored += 1
                ranks.append(order.key(of: score))
                ranks.append(member)
                wasUnscored.append(member)
            } else {
                others += 1
                gone.append(member)
                if entry != nil {
                    unscored.append("0")
                    unscored.append(member)
                } else {
                    removed += 1
                    wasUnscored.append(member)
                    noValues.append(member)
                }
            }
            if let entry {
                values.append(member)
                values.append(BoardFields.value(of: entry))
            }
        }
        var commands: [RedisCommand] = []
        if others > 0 { commands.append(gone) }
        if scored + removed > 0 { commands.append(wasUnscored) }
        if scored > 0 { commands.append(ranks) }
        if others > removed { commands.append(unscored) }
        if athletes.count > removed { commands.append(values) }
        if removed > 0 { commands.append(noValues) }
        commands.append(
            RedisCommand(
                Self.hold, keys: [aside.keys.lease] + names, values: [aside.token, String(Self.leaseMilliseconds)]))
        let replies = try await cache.redis.send(commands, timeout: Self.patience)
        for reply in replies { if let error = reply.error { throw .server(error.kind) } }
        return replies.last?.number == 1
    }

    private func swap(_ delta: BoardDelta, _ aside: Aside, generation: String) async throws(RedisError) -> Int64 {
        let keys = aside.keys.board + [aside.keys.lease] + aside.names + aside.keys.trash(aside.token)
        let command = RedisCommand(Self.swap, keys: keys) { command in
            command.append(generation)
            command.append(aside.token)
            command.append(delta.to)
            delta.appendSums(to: &command)
            for (day, totals) in delta.days {
                command.append(day.description)
                command.append(BoardFields.value(of: totals))
            }
        }
        let reply = try await cache.redis.send(command, timeout: Self.patience)
        if let error = reply.error { throw .server(error.kind) }
        return reply.number ?? 0
    }

    /// Leaves nothing behind; what cannot be taken away now expires.
    private func release(_ aside: Aside) async {
        var command = RedisCommand("UNLINK")
        for name in aside.names { command.append(name) }
        _ = try? await cache.redis.send([
            command,
            RedisCommand(Self.hold, keys: [aside.keys.lease] + aside.names, values: [aside.token, "1"]),
        ])
    }
}
