internal import Redis

/// The scripts that alone write a user's hash.
///
/// `KEYS` are hashes, `ARGV[1]` is the generation. A hash of another generation was written for another pair of
/// servers, whose revisions mean nothing here: it is dropped, whatever it holds.
enum HomeScripts {
    /// Sets fields whose revision is newer, in one hash or in many.
    ///
    /// `ARGV`: generation, life, days kept, then for each hash the number of fields, and field, revision, value by turns.
    ///
    /// The usual hash gets one day that it has already: two calls into the server, and nothing to trim. Its life goes on from
    /// its last new day, so that the usual call need not renew it. A hash that refuses keeps no other from being
    /// written; the refusal is the answer.
    static let setNewer = RedisScript(
        common + """
            local function has_usual(key, place)
                local held = redis.call('HMGET', key, 'g', 'through', ARGV[place])
                if held[1] ~= ARGV[1] or not held[3] then return false end
                local revision, new = tonumber(string.match(held[3], '^(%d+):')), tonumber(ARGV[place + 1])
                if new > tonumber(held[2] or '-1') and (not revision or revision < new) then
                    redis.call('HSET', key, ARGV[place], ARGV[place + 1] .. ':' .. ARGV[place + 2])
                end
                return true
            end
            local function set(key, place, count)
                if count == 1 and has_usual(key, place) then return end
                begin(key)
                set_newer(key, place, place + 3 * count - 1, tonumber(redis.call('HGET', key, 'through') or '-1'))
                trim(key, tonumber(ARGV[3]))
                redis.call('EXPIRE', key, ARGV[2])
            end
            local place, refusal = 4, nil
            for _, key in ipairs(KEYS) do
                local count = tonumber(ARGV[place])
                local done, fault = pcall(set, key, place + 1, count)
                if not done then refusal = refusal or fault end
                place = place + 1 + 3 * count
            end
            if not refusal then return 1 end
            return type(refusal) == 'table' and refusal or redis.error_reply(refusal)
            """)

    /// Announces a fill.
    ///
    /// `ARGV`: generation, life, lease. Answers the lease under which to fill: that of whoever reads already, else this one.
    ///
    /// Both may fill, since fields merge by revision; the first one ends the lease, and then the hash is complete.
    static let lease = RedisScript(
        common + """
            begin(KEYS[1])
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
    /// A small hash is a list that Redis searches from its front, so what each read asks for comes first: the order of the fields
    /// is that of the fill.
    ///
    /// Does nothing when the lease is gone: a repair or another fill has come in between, and what this one has read
    /// may be old.
    static let fill = RedisScript(
        """
        if redis.call('HGET', KEYS[1], 'lease') ~= ARGV[4] then return 0 end

        """ + common + """
            begin(KEYS[1])
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
            redis.call('HDEL', KEYS[1], 'lease')
            redis.call('HSET', KEYS[1], 'complete', ARGV[5], 'through', ARGV[6])
            set_newer(KEYS[1], 7, #ARGV, -1)
            trim(KEYS[1], tonumber(ARGV[3]))
            redis.call('EXPIRE', KEYS[1], ARGV[2])
            return 1
            """)

    /// A hash is trimmed only when it has grown by a fifth beyond what is kept, so that the usual call sorts nothing.
    private static let common = """
        local function begin(key)
            if redis.call('HGET', key, 'g') == ARGV[1] then return end
            redis.call('DEL', key)
            redis.call('HSET', key, 'g', ARGV[1])
        end
        local function set_newer(key, first, last, through)
            for i = first, last, 3 do
                local held = redis.call('HGET', key, ARGV[i])
                local revision = held and tonumber(string.match(held, '^(%d+):'))
                local new = tonumber(ARGV[i + 1])
                if new > through and (not revision or revision < new) then
                    redis.call('HSET', key, ARGV[i], ARGV[i + 1] .. ':' .. ARGV[i + 2])
                end
            end
        end
        local function trim(key, kept)
            if redis.call('HLEN', key) <= kept * 1.2 + 6 then return end
            local days = {}
            for _, field in ipairs(redis.call('HKEYS', key)) do
                if string.match(field, '^%d') then days[#days + 1] = field end
            end
            table.sort(days)
            for i = 1, #days - kept do redis.call('HDEL', key, days[i]) end
            local oldest = days[math.max(1, #days - kept + 1)]
            local complete = redis.call('HGET', key, 'complete')
            if complete and complete < oldest then redis.call('HSET', key, 'complete', oldest) end
        end

        """
}
