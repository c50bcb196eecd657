package import Models
package import Redis

/// What the home screen of a user is made from, in one hash in Redis: recent days, plan, goal, profile.
///
/// PostgreSQL is the truth. A field is set only by a newer revision, a fill alone may say that the hash is complete, and a hash
/// of another generation counts for nothing. The races that this closes are listed in `docs/consistency.md`.
package struct HomeCache {
    /// How many of a user's newest days are kept; older ones are read from PostgreSQL.
    package static let keptDays = 40
    /// How long the hash of a user who is not heard of stays.
    package static let life = Duration.seconds(8 * 86_400)
    /// The scripts that a connection has to know.
    package static let scripts = [HomeScripts.setNewer, HomeScripts.lease, HomeScripts.fill]

    private let redis: RedisClient
    private let generation: () -> String?

    /// Uses the connection of one loop, which must have been given `scripts`.
    ///
    /// - Parameter generation: the pair of servers as that loop knows it (`CacheGeneration.current`); nil: not known yet.
    package init(redis: RedisClient, generation: @escaping () -> String?) {
        self.redis = redis
        self.generation = generation
    }

    /// Permission to fill one user's hash; gone as soon as somebody has filled it or it is dropped.
    package struct Lease: Sendable {
        let user: UserID
        let generation: String
        let token: String
    }

    /// Reads a user's hash, or no other days of it than those of a selection: one round trip.
    ///
    /// Nil when it is not there, not complete, or of another generation. One that is damaged is dropped: no fill would
    /// replace a field that claims a newer revision. A selection of nine days costs Redis and this side a third of all of it
    /// (`./dev bench progress`).
    package func read(_ user: UserID, _ selection: Selection? = nil) async throws(RedisError) -> HomeData? {
        guard let current = generation() else { throw .notConnected }
        let reply = try await redis.send(
            selection?.command(for: user) ?? RedisCommand("HGETALL", CacheKey.home(of: user)))
        if let error = reply.error { throw .server(error.kind) }
        let hash = selection.map { HomeHash(reply, of: $0, user: user) } ?? HomeHash(all: reply, user: user)
        if let data = hash.data(in: current) { return data }
        if hash.isComplete(in: current) { try await drop([user]) }
        return nil
    }

    /// Which days of a hash are read, beside everything that is no day; made once for many users.
    package struct Selection {
        /// The days, rising.
        package let days: DaySpan
        private let fields: RedisArguments

        /// Selects days.
        package init(days: DaySpan) {
            self.days = days
            var fields = RedisArguments()
            for name in HomeFields.settings { fields.append(name) }
            for day in days { fields.append(day.description) }
            self.fields = fields
        }

        func command(for user: UserID) -> RedisCommand {
            var command = RedisCommand("HMGET", reserving: 64 + fields.byteCount)
            command.append(CacheKey.home(of: user))
            command.append(fields)
            return command
        }
    }

    /// What Redis holds of a user for one pair of servers; whatever was written for another counts as not there.
    package struct Held: Sendable {
        /// All days, also those of a hash that is not complete.
        package var days: [Day: DayTotalsRow] = [:]
        /// What the next read would be answered with; nil when it would be a miss.
        package var home: HomeData?
    }

    /// Reads a hash for the comparison.
    package static func held(
        of user: UserID, generation: String, in redis: RedisClient
    ) async throws(RedisError) -> Held {
        let reply = try await redis.send(RedisCommand("HGETALL", CacheKey.home(of: user)))
        if let error = reply.error { throw .server(error.kind) }
        let hash = HomeHash(all: reply, user: user)
        guard hash.isOf(generation: generation) else { return Held() }
        return Held(
            days: Dictionary(uniqueKeysWithValues: hash.days.rows.map { ($0.day, $0) }),
            home: hash.data(in: generation))
    }

    /// Shows days after a commit, those of one user behind each other or not.
    ///
    /// Many users travel in one call, all in one exchange.
    package func show(_ rows: [DayTotalsRow]) async throws(RedisError) {
        var places: [UserID: Int] = [:]
        var writes: [(user: UserID, fields: [HomeField])] = []
        for row in rows {
            if let place = places[row.user] {
                writes[place].fields.append(HomeField(row))
            } else {
                places[row.user] = writes.count
                writes.append((row.user, [HomeField(row)]))
            }
        }
        try await show(writes)
    }

    /// The most users of one call: whoever else wants something of Redis waits for it.
    private static let mostKeys = 64

    /// Shows fields of users after a commit; in a cluster each user's server is told of that user alone.
    func show(_ writes: [(user: UserID, fields: [HomeField])]) async throws(RedisError) {
        guard !writes.isEmpty else { return }
        guard let current = generation() else { throw .notConnected }
        let step = redis.isOneServer ? Self.mostKeys : 1
        let commands = stride(from: 0, to: writes.count, by: step).map { first in
            Self.command(showing: writes[first..<min(first + step, writes.count)], generation: current)
        }
        for reply in try await redis.send(commands) { if let error = reply.error { throw .server(error.kind) } }
    }

    private static func command(
        showing writes: ArraySlice<(user: UserID, fields: [HomeField])>, generation: String
    ) -> RedisCommand {
        RedisCommand(HomeScripts.setNewer, keys: writes.map { CacheKey.home(of: $0.user) }) { command in
            command.append(generation)
            command.append(life.components.seconds)
            command.append(keptDays)
            command.reserve(arguments: 4 * writes.count, bytes: 256 + 110 * writes.count)
            for write in writes {
                command.append(write.fields.count)
                for field in write.fields { field.append(to: &command) }
            }
        }
    }

    /// Announces a fill; take the lease before PostgreSQL is read.
    package func lease(_ user: UserID) async throws(RedisError) -> Lease {
        guard let current = generation() else { throw .notConnected }
        let token = String(UInt64.random(in: .min ... .max), radix: 36)
        let command = RedisCommand(
            HomeScripts.lease, keys: [CacheKey.home(of: user)],
            values: [current, String(Self.life.components.seconds), token])
        let reply = try await redis.send(command)
        if let error = reply.error { throw .server(error.kind) }
        return Lease(user: user, generation: current, token: reply.text ?? token)
    }

    /// Fills the hash with what was read from PostgreSQL after the lease was taken.
    package func fill(_ data: HomeData, under lease: Lease) async throws(RedisError) {
        let command = RedisCommand(HomeScripts.fill, keys: [CacheKey.home(of: lease.user)]) { command in
            command.append(lease.generation)
            command.append(Self.life.components.seconds)
            command.append(Self.keptDays)
            command.append(lease.token)
            command.append(data.firstDay.description)
            command.append(data.revision)
            for field in HomeField.settings(of: data) { field.append(to: &command) }
            for row in data.days.rows.reversed() { HomeField(row).append(to: &command) }
        }
        if let error = try await redis.send(command).error { throw .server(error.kind) }
    }

    /// Drops the hashes of users whose last change may not be in them.
    package func drop(_ users: [UserID]) async throws(RedisError) {
        guard !users.isEmpty else { return }
        let replies = try await redis.send(users.map { RedisCommand("UNLINK", CacheKey.home(of: $0)) })
        for reply in replies { if let error = reply.error { throw .server(error.kind) } }
    }
}
