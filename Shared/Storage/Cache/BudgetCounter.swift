package import Models
package import Redis

/// The rate budgets of users, counted in Redis for the whole fleet.
package struct BudgetCounter {
    private let redis: RedisClient
    private let kind: BudgetKind
    private let budget: RateBudget

    /// Uses the connection of one loop, which must have been given `scripts`.
    package init(_ kind: BudgetKind, _ budget: RateBudget, redis: RedisClient) {
        self.redis = redis
        self.kind = kind
        self.budget = budget
    }

    /// The scripts that a connection has to know.
    package static let scripts = [admit]

    /// Asks for a number of cells: workouts, or calls.
    ///
    /// One small script; all requests of a loop's turn travel in one exchange.
    ///
    /// - Throws: `RedisError` when Redis cannot count; the caller then counts locally.
    package func admit(_ cells: Int, of user: UserID) async throws(RedisError) -> RateBudget.Decision {
        try await Self.admit(cells, of: budget, under: kind.key(of: user), in: redis)
    }

    static func admit(
        _ cells: Int, of budget: RateBudget, under key: String, in redis: RedisClient
    ) async throws(RedisError) -> RateBudget.Decision {
        let command = RedisCommand(admit, keys: [key]) { command in
            command.append(cells)
            command.append(budget.interval)
            command.append(budget.burst)
        }
        let reply = try await redis.send(command)
        if let error = reply.error { throw .server(error.kind) }
        guard let parts = reply.elements, parts.count == 2, let admitted = parts[0].number,
            let ahead = parts[1].number
        else { throw .protocolViolation(.unexpectedReply) }
        return budget.decision(admitted: admitted, at: 0, arrival: ahead)
    }

    /// Forgets what a user has used of all budgets.
    package static func forget(_ user: UserID, in redis: RedisClient) async throws(RedisError) {
        let keys = [BudgetKind.workouts, .plans, .athletes].map { $0.key(of: user) }
        if let error = try await redis.send(RedisCommand("UNLINK", keys[0], keys[1], keys[2])).error {
            throw .server(error.kind)
        }
    }

    /// `KEYS[1]` the arrival time; `ARGV` cells, interval, burst.
    ///
    /// Answers admitted cells and how far TAT is ahead.
    ///
    /// The same arithmetic as `RateBudget.admit`, on Redis' own clock, so that all processes share one. A time that was cut
    /// is written back even when nothing is admitted, or else a clock that was set back would lock the user out for as long.
    static let admit = RedisScript(
        """
        local time = redis.call('TIME')
        local now = time[1] * 1000000 + time[2]
        local interval, burst = tonumber(ARGV[2]), tonumber(ARGV[3])
        local span = burst * interval
        local held = tonumber(redis.call('GET', KEYS[1]) or now) or now
        local arrival = math.min(math.max(held, now), now + span)
        local admitted = math.min(tonumber(ARGV[1]), math.floor((now + span - arrival) / interval))
        arrival = arrival + admitted * interval
        if admitted > 0 or held > arrival then
            redis.call('SET', KEYS[1], string.format('%.0f', arrival), 'PX', math.ceil((arrival - now) / 1000) + 1000)
        end
        return { admitted, string.format('%.0f', arrival - now) }
        """)
}
