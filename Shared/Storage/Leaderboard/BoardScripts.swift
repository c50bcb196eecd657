internal import Redis

/// The scripts that alone read and write a board; each sees it whole.
///
/// `KEYS` are always meta, ranks, unscored, athletes, days, floor; `ARGV[1]` is the generation. The meta hash has `g`, the generation; `through`, the
/// revision of PostgreSQL that the board is equal to; `order`, 1 or −1; `participants`, `completed`, `sum`; `days`, how many there are; `about`.
enum BoardScripts {
    /// A page, or the word that nothing has changed.
    ///
    /// `ARGV`: generation, revision that the caller knows, limit, then where it begins: `` for the top, `s` with member and score, `u` with member.
    ///
    /// Answers 0: no board, 1: as known, else revision, athletes, sum of all and a stretch. A place whose athlete has moved is found by
    /// halving the athletes with its score.
    static let page = RedisScript(
        common + """
            local m = held()
            if not m then return 0 end
            if m[2] == ARGV[2] then return 1 end
            local first = 0
            if ARGV[4] == 's' then
                local key = string.format('%.0f', tonumber(m[6]) * tonumber(ARGV[6]))
                local low = redis.call('ZCOUNT', KEYS[2], '-inf', '(' .. key)
                local high = low + redis.call('ZCOUNT', KEYS[2], key, key)
                while low < high do
                    local middle = math.floor((low + high) / 2)
                    local found = redis.call('ZRANGE', KEYS[2], middle, middle)[1]
                    if is_before(ARGV[5], found) then high = middle else low = middle + 1 end
                end
                first = low
            elseif ARGV[4] == 'u' then
                first = tonumber(m[3]) + redis.call('ZLEXCOUNT', KEYS[3], '-', '[' .. ARGV[5])
            end
            return stretch(m, first, tonumber(ARGV[3]))
            """)

    /// An athlete with the neighbours.
    ///
    /// `ARGV`: generation, member, how many on each side. Answers 0: no board, 2: no such athlete, else a stretch.
    static let view = RedisScript(
        common + """
            local m = held()
            if not m then return 0 end
            local place = redis.call('ZRANK', KEYS[2], ARGV[2])
            if not place then
                place = redis.call('ZRANK', KEYS[3], ARGV[2])
                if not place then return 2 end
                place = place + tonumber(m[3])
            end
            local first = math.max(0, place - tonumber(ARGV[3]))
            return stretch(m, first, place - first + tonumber(ARGV[3]) + 1)
            """)

    /// The sums of today and of all days: 0, or the three sums and the days by turns.
    static let summary = RedisScript(
        common + """
            local m = held()
            if not m then return 0 end
            return { m[4], m[3], redis.call('HGET', KEYS[1], 'sum'), redis.call('HGETALL', KEYS[5]) }
            """)

    /// Takes a board from one revision to a later one.
    ///
    /// `ARGV`: generation, from, to, order, participants, completed, sum, about, life, number of days, day and sums by turns, then member,
    /// key, value by turns; the key is `` without a score and `x` for who is gone.
    ///
    /// Answers −1 when there is no board of this generation: the revision is then noted, so that no board built from an older one takes the place.
    /// Else answers the revision that the board has now: another one than `to` when it was not at `from`. So changes go onto a board
    /// in their order or not at all, and a late writer cannot bring back what a later one has deleted.
    static let apply = RedisScript(
        common + """
            local m = held()
            if m and m[6] ~= ARGV[4] then
                redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
                m = nil
            end
            if not m then
                local noted = redis.call('HMGET', KEYS[6], 'g', 'revision')
                if noted[1] ~= ARGV[1] or tonumber(noted[2]) < tonumber(ARGV[3]) then
                    redis.call('HSET', KEYS[6], 'g', ARGV[1], 'revision', ARGV[3])
                end
                redis.call('EXPIRE', KEYS[6], 600)
                return -1
            end
            if m[2] ~= ARGV[2] then return tonumber(m[2]) end
            local place = 11
            for _ = 1, tonumber(ARGV[10]) do
                redis.call('HSET', KEYS[5], ARGV[place], ARGV[place + 1])
                place = place + 2
            end
            for i = place, #ARGV, 3 do
                local member, key = ARGV[i], ARGV[i + 1]
                if key == 'x' then
                    redis.call('ZREM', KEYS[2], member)
                    redis.call('ZREM', KEYS[3], member)
                    redis.call('HDEL', KEYS[4], member)
                else
                    redis.call('HSET', KEYS[4], member, ARGV[i + 2])
                    if key == '' then
                        redis.call('ZREM', KEYS[2], member)
                        redis.call('ZADD', KEYS[3], 0, member)
                    else
                        redis.call('ZADD', KEYS[2], key, member)
                        redis.call('ZREM', KEYS[3], member)
                    end
                end
            end
            redis.call('HSET', KEYS[1], 'through', ARGV[3], 'participants', ARGV[5], 'completed', ARGV[6], 'sum', ARGV[7],
                'about', ARGV[8], 'days', redis.call('HLEN', KEYS[5]))
            for i = 1, 5 do redis.call('EXPIRE', KEYS[i], ARGV[9]) end
            return tonumber(ARGV[3])
            """)

    /// The board of this generation, or nil: generation, revision, completed, participants, days, order.
    ///
    /// A board of which Redis has evicted a part does not add up and is dropped.
    private static let common = """
        local function held()
            local m = redis.call('HMGET', KEYS[1], 'g', 'through', 'completed', 'participants', 'days', 'order')
            if m[1] ~= ARGV[1] then return nil end
            local completed, participants = tonumber(m[3]), tonumber(m[4])
            if redis.call('ZCARD', KEYS[2]) == completed and redis.call('ZCARD', KEYS[3]) == participants - completed
                and redis.call('HLEN', KEYS[4]) == participants and redis.call('HLEN', KEYS[5]) == tonumber(m[5]) then
                return m
            end
            redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5])
            return nil
        end
        -- Lua compares texts by the locale of the server, sorted sets compare bytes.
        local function is_before(one, other)
            for i = 1, 7 do
                local left, right = string.byte(one, i), string.byte(other, i)
                if left ~= right then return left < right end
            end
            return false
        end
        local function stretch(m, first, count)
            local completed = tonumber(m[3])
            local scored, unscored, better = {}, {}, 0
            if first < completed then
                scored = redis.call('ZRANGE', KEYS[2], first, math.min(first + count, completed) - 1, 'WITHSCORES')
                better = redis.call('ZCOUNT', KEYS[2], '-inf', '(' .. scored[2])
            end
            local rest = count - #scored / 2
            if rest > 0 then
                local start = math.max(0, first - completed)
                unscored = redis.call('ZRANGE', KEYS[3], start, start + rest - 1)
            end
            local members = {}
            for i = 1, #scored, 2 do members[#members + 1] = scored[i] end
            for i = 1, #unscored do members[#members + 1] = unscored[i] end
            local values = {}
            if #members > 0 then values = redis.call('HMGET', KEYS[4], unpack(members)) end
            return { m[2], m[4], first, better, scored, unscored, values, m[6] }
        end

        """
}
