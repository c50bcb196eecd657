package import Redis

/// What the whole fleet may take from everybody together, counted in Redis and handed out in pieces.
package struct FleetCounter {
    private let redis: RedisClient
    private let budget: RateBudget

    /// String: the theoretical arrival time of the fleet's next workout, in microseconds of Redis' clock.
    static let key = "stride:{fleet}:budget:workouts"

    /// Uses the connection of one loop, which must have been given `BudgetCounter.scripts`.
    package init(_ budget: RateBudget, redis: RedisClient) {
        self.redis = redis
        self.budget = budget
    }

    /// Takes up to so many cells out of the fleet's budget; what is taken is never given back.
    ///
    /// - Throws: `RedisError` when Redis cannot count.
    package func take(_ cells: Int) async throws(RedisError) -> RateBudget.Decision {
        guard let decision = try await BudgetScript.admit([(Self.key, cells)], of: budget, in: redis).first else {
            throw .protocolViolation(.unexpectedReply)
        }
        return decision
    }
}
