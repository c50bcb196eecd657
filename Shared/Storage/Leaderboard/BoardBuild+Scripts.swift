internal import Redis

extension BoardBuild {
    /// Holds on to the lease and to what was written aside, for so many milliseconds.
    ///
    /// `KEYS`: lease and the keys aside; `ARGV`: token, milliseconds. Answers 0 when the lease is somebody else's.
    static let hold = RedisScript(
        """
        if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
        for i = 1, #KEYS do redis.call('PEXPIRE', KEYS[i], ARGV[2]) end
        return 1
        """)

    /// Puts what was written aside in the place of the board.
    ///
    /// `KEYS`: meta, ranks, unscored, athletes, days, floor, lease, the three keys aside, three for what is freed. `ARGV`: generation, token, revision,
    /// order, participants, completed, sum, about, life, number of days, day and sums by turns.
    ///
    /// Answers 1: shown; 2: a later revision was committed and had no board to go to, read what has changed again; 0: the lease is lost, or
    /// what is aside does not add up. A board that is at a later revision already stays.
    static let swap = RedisScript(
        """
        if redis.call('GET', KEYS[7]) ~= ARGV[2] then return 0 end
        local noted = redis.call('HMGET', KEYS[6], 'g', 'revision')
        if noted[1] == ARGV[1] and tonumber(noted[2]) > tonumber(ARGV[3]) then return 2 end
        local completed, participants = tonumber(ARGV[6]), tonumber(ARGV[5])
        if redis.call('ZCARD', KEYS[8]) ~= completed or redis.call('ZCARD', KEYS[9]) ~= participants - completed
            or redis.call('HLEN', KEYS[10]) ~= participants then return 0 end
        local m = redis.call('HMGET', KEYS[1], 'g', 'through')
        if m[1] == ARGV[1] and tonumber(m[2]) > tonumber(ARGV[3]) then
            redis.call('UNLINK', KEYS[7], KEYS[8], KEYS[9], KEYS[10])
            return 1
        end
        for i = 2, 4 do
            if redis.call('EXISTS', KEYS[i]) == 1 then
                redis.call('RENAME', KEYS[i], KEYS[i + 9])
                redis.call('UNLINK', KEYS[i + 9])
            end
            if redis.call('EXISTS', KEYS[i + 6]) == 1 then redis.call('RENAME', KEYS[i + 6], KEYS[i]) end
        end
        redis.call('UNLINK', KEYS[1], KEYS[5], KEYS[6], KEYS[7])
        for i = 11, #ARGV, 2 do redis.call('HSET', KEYS[5], ARGV[i], ARGV[i + 1]) end
        redis.call('HSET', KEYS[1], 'g', ARGV[1], 'through', ARGV[3], 'order', ARGV[4], 'participants', ARGV[5],
            'completed', ARGV[6], 'sum', ARGV[7], 'about', ARGV[8], 'days', ARGV[10])
        for i = 1, 5 do redis.call('EXPIRE', KEYS[i], ARGV[9]) end
        return 1
        """)
}
