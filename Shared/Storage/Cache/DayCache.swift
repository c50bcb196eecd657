package import Models
package import Redis

/// The totals of a user's recent days in Redis.
///
/// PostgreSQL is the truth. A field is set only by a newer revision, so a late writer never hides a newer value,
/// whatever the order in which two services reach Redis.
package struct DayCache {
    /// How many of a user's newest days are kept; older ones are read from PostgreSQL.
    package static let keptDays = 40
    /// How long the days of a user who is not heard of stay.
    package static let life = Duration.seconds(8 * 86_400)

    private let redis: RedisClient

    /// Uses the connection of one loop, which must have been given `scripts`.
    package init(redis: RedisClient) { self.redis = redis }

    /// The scripts that a connection has to know.
    package static let scripts = [setNewer]

    /// Shows days after a commit.
    ///
    /// Days of one user travel in one call, all users in one exchange.
    ///
    /// - Throws: `RedisError`, also for an answer in which Redis refuses a single user's days.
    package func show(_ rows: [DayTotalsRow]) async throws(RedisError) {
        guard !rows.isEmpty else { return }
        let replies = try await redis.send(Self.commands(for: rows))
        for reply in replies { if let error = reply.error { throw .server(error.kind) } }
    }

    /// What Redis holds of a user; damaged fields are left out.
    package func days(of user: UserID) async throws(RedisError) -> [Day: DayTotalsRow] {
        let reply = try await redis.send(RedisCommand("HGETALL", CacheKey.days(of: user)))
        if let error = reply.error { throw .server(error.kind) }
        let fields = reply.elements ?? []
        var days: [Day: DayTotalsRow] = [:]
        for index in stride(from: 0, to: fields.count - 1, by: 2) {
            guard let name = fields[index].text, let day = Day(parsing: name), let text = fields[index + 1].text,
                let row = Self.row(text, user: user, day: day)
            else { continue }
            days[day] = row
        }
        return days
    }

    private static func commands(for rows: [DayTotalsRow]) -> [RedisCommand] {
        var places: [UserID: Int] = [:]
        var groups: [[DayTotalsRow]] = []
        for row in rows {
            if let place = places[row.user] {
                groups[place].append(row)
            } else {
                places[row.user] = groups.count
                groups.append([row])
            }
        }
        return groups.map { group in
            RedisCommand(setNewer, keys: [CacheKey.days(of: group[0].user)]) { command in
                command.append(life.wholeSeconds)
                command.append(keptDays)
                for row in group {
                    command.append(row.day.description)
                    command.append(row.revision)
                    command.append("\(row.totals.steps):\(row.totals.distance.count):\(row.totals.workouts)")
                }
            }
        }
    }

    private static func row(_ text: String, user: UserID, day: Day) -> DayTotalsRow? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 4, let revision = Int64(parts[0]), let steps = Int64(parts[1]),
            let millimetres = Int64(parts[2]), let workouts = Int32(parts[3])
        else { return nil }
        let totals = DayTotals(steps: steps, distance: Millimetres(millimetres), workouts: workouts)
        return DayTotalsRow(user: user, day: day, totals: totals, revision: revision)
    }

    /// `KEYS[1]` the user's days; `ARGV` life in seconds, days kept, then day, revision and value by turns.
    ///
    /// The hash is trimmed only when it has grown by a fifth beyond what is kept, so that the usual call sorts nothing.
    static let setNewer = RedisScript(
        """
        for i = 3, #ARGV, 3 do
            local held = redis.call('HGET', KEYS[1], ARGV[i])
            local revision = held and tonumber(string.match(held, '^(%d+):'))
            if not revision or revision < tonumber(ARGV[i + 1]) then
                redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1] .. ':' .. ARGV[i + 2])
            end
        end
        local kept = tonumber(ARGV[2])
        if redis.call('HLEN', KEYS[1]) > kept * 1.2 then
            local days = redis.call('HKEYS', KEYS[1])
            table.sort(days)
            for i = 1, #days - kept do redis.call('HDEL', KEYS[1], days[i]) end
        end
        redis.call('EXPIRE', KEYS[1], ARGV[1])
        return 1
        """)
}

extension Duration {
    /// Whole seconds, rounded down.
    var wholeSeconds: Int64 { components.seconds }
}
