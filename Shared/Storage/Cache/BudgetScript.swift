internal import Redis

/// The counting of budgets within Redis, on its own clock, so that all processes share one.
enum BudgetScript {
    /// Asks for cells of some keys, which must lie on one server; one decision for each, in order.
    ///
    /// - Throws: `RedisError` when Redis cannot count.
    static func admit(
        _ wishes: [(key: String, cells: Int)], of budget: RateBudget, in redis: RedisClient
    ) async throws(RedisError) -> [RateBudget.Decision] {
        let command = RedisCommand(admit, keys: wishes.map(\.key)) { command in
            command.append(budget.interval)
            command.append(budget.burst)
            for wish in wishes { command.append(wish.cells) }
        }
        let reply = try await redis.send(command)
        if let error = reply.error { throw .server(error.kind) }
        guard let parts = reply.elements, parts.count == 2 * wishes.count else {
            throw .protocolViolation(.unexpectedReply)
        }
        var decisions: [RateBudget.Decision] = []
        decisions.reserveCapacity(wishes.count)
        for place in wishes.indices {
            guard let admitted = parts[2 * place].number, let ahead = parts[2 * place + 1].number else {
                throw .protocolViolation(.unexpectedReply)
            }
            decisions.append(budget.decision(admitted: admitted, at: 0, arrival: ahead))
        }
        return decisions
    }

    /// `KEYS` the arrival times; `ARGV` interval, burst, then the cells for each key.
    ///
    /// Answers for each key the admitted cells and how far its arrival time is ahead.
    ///
    /// The same arithmetic as `RateBudget.admit`. A time that was cut is written back even when nothing is admitted, or else a
    /// clock that was set back would lock the user out for as long. A key that comes twice goes on from where it was.
    /// `MGET` takes a key of another type as not there. Numbers are whole and below 2^53, so all their digits travel.
    static let admit = RedisScript(
        """
        local time = redis.call('TIME')
        local now = time[1] * 1000000 + time[2]
        local interval = tonumber(ARGV[1])
        local last = now + ARGV[2] * interval
        local kept = redis.call('MGET', unpack(KEYS))
        local arrivals, answer = {}, {}
        for i, key in ipairs(KEYS) do
            local held = arrivals[key] or tonumber(kept[i] or now) or now
            local arrival = math.min(math.max(held, now), last)
            local admitted = math.min(tonumber(ARGV[i + 2]), math.floor((last - arrival) / interval))
            arrival = arrival + admitted * interval
            if admitted > 0 or held > arrival then
                redis.call('SET', key, arrival, 'PX', math.ceil((arrival - now) / 1000) + 1000)
            end
            arrivals[key] = arrival
            answer[2 * i - 1], answer[2 * i] = admitted, arrival - now
        end
        return answer
        """)
}
