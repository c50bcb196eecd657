internal import Redis

/// The scripts that alone write a user's hash.
///
/// `KEYS[1]` is always the hash, `ARGV[1]` the generation. A hash of another generation was written for another pair of
/// servers, whose revisions mean nothing here: it is dropped, whatever it holds.
enum HomeScripts {
    /// Sets fields whose revision is newer.
    ///
    /// `ARGV`: generation, life, days kept, then field, revision, value by turns.
    ///
    /// The hash is trimmed only when it has grown by a fifth beyond what is kept, so that the usual call sorts nothing.
    static let setNewer = RedisScript(
        common + """
            set_newer(4, tonumber(redis.call('HGET', KEYS[1], 'through') or '-1'))
            trim(tonumber(ARGV[3]))
            redis.call('EXPIRE', KEYS[1], ARGV[2])
            return 1
            """)

    /// Announces a fill.
    ///
    /// `ARGV`: generation, life, lease. Answers the lease under which to fill: that of whoever reads already, else this one.
    ///
    /// Both may fill, since fields merge by revision; the first one ends the lease, and then the hash is complete.
    static let lease = RedisScript(
        common + """
            redis.call('HSETNX', KEYS[1], 'lease', ARGV[3])
            redis.call('EXPIRE', KEYS[1], ARGV[2])
            return redis.call('HGET', KEYS[1], 'lease')
            """)

    /// Fills what PostgreSQL holds.
    ///
    /// `ARGV`: generation, life, days kept, lease, first complete day, revision of the snapshot, then fields by turns.
    ///
    /// A snapshot has everything of the user up to its revision. So what the hash holds of an equal or lower one is in it again or is
    /// gone, as after an erasure, and a writer who comes late with such a revision is ignored from then on.
    ///
    /// Does nothing when the lease is gone: a repair or another fill has come in between, and what this one has read
    /// may be old.
    static let fill = RedisScript(
        """
        if redis.call('HGET', KEYS[1], 'lease') ~= ARGV[4] then return 0 end

        """ + common + """
            if redis.call('HEXISTS', KEYS[1], 'lease') == 0 then
                redis.call('DEL', KEYS[1])
                return 0
            end
            local through = tonumber(ARGV[6])
            for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
                if string.match(field, '^%d') or field == 'plan' or field == 'goal' or field == 'profile' then
                    local revision = tonumber(string.match(redis.call('HGET', KEYS[1], field), '^(%d+):'))
                    if not revision or revision <= through then redis.call('HDEL', KEYS[1], field) end
                end
            end
            set_newer(7, -1)
            redis.call('HSET', KEYS[1], 'through', ARGV[6])
            redis.call('HDEL', KEYS[1], 'lease')
            redis.call('HSET', KEYS[1], 'complete', ARGV[5])
            trim(tonumber(ARGV[3]))
            redis.call('EXPIRE', KEYS[1], ARGV[2])
            return 1
            """)

    private static let common = """
        if redis.call('HGET', KEYS[1], 'g') ~= ARGV[1] then
            redis.call('DEL', KEYS[1])
            redis.call('HSET', KEYS[1], 'g', ARGV[1])
        end
        local function set_newer(first, through)
            for i = first, #ARGV, 3 do
                local held = redis.call('HGET', KEYS[1], ARGV[i])
                local revision = held and tonumber(string.match(held, '^(%d+):'))
                local new = tonumber(ARGV[i + 1])
                if new > through and (not revision or revision < new) then
                    redis.call('HSET', KEYS[1], ARGV[i], ARGV[i + 1] .. ':' .. ARGV[i + 2])
                end
            end
        end
        local function trim(kept)
            if redis.call('HLEN', KEYS[1]) <= kept * 1.2 + 6 then return end
            local days = {}
            for _, field in ipairs(redis.call('HKEYS', KEYS[1])) do
                if string.match(field, '^%d') then days[#days + 1] = field end
            end
            table.sort(days)
            for i = 1, #days - kept do redis.call('HDEL', KEYS[1], days[i]) end
            local oldest = days[math.max(1, #days - kept + 1)]
            local complete = redis.call('HGET', KEYS[1], 'complete')
            if complete and complete < oldest then redis.call('HSET', KEYS[1], 'complete', oldest) end
        end

        """
}
