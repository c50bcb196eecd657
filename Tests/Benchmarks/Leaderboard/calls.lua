-- wrk's side of the leaderboard benchmark: reads and results of athletes picked at random.
-- Arguments: what to call (top, page, rank, around, result); how many athletes there are; how many calls a second all connections
-- together make, each at its time by the clock however slow the answers are, 0 for as many as are answered; for results, a file with
-- one token a line.

local ffi = require("ffi")
local random, format, floor = math.random, string.format, math.floor
local what, athletes, tokens = "top", 1, {}
local interval, next_call = 0, 0 -- in milliseconds

ffi.cdef("typedef struct { long seconds, nanoseconds; } stride_time; int clock_gettime(int clock, stride_time *time);")
local time = ffi.new("stride_time")

local function now()
    ffi.C.clock_gettime(1, time)
    return tonumber(time.seconds) * 1000 + tonumber(time.nanoseconds) / 1e6
end

function init(arguments)
    local source = assert(io.open("/dev/urandom", "rb"))
    local number = 0
    for _, byte in ipairs({ source:read(6):byte(1, 6) }) do number = number * 256 + byte end
    source:close()
    math.randomseed(number)
    what, athletes = arguments[1], tonumber(arguments[2])
    local rate = tonumber(arguments[3])
    if arguments[4] then for token in io.lines(arguments[4]) do tokens[#tokens + 1] = token end end
    if rate == 0 then delay = nil else interval = 1000 / rate end
end

-- How long a connection that is free waits for the next call's time.
function delay()
    local moment = now()
    if next_call == 0 then next_call = moment end
    next_call = next_call + interval
    return floor(next_call - moment > 0 and next_call - moment + 0.5 or 0)
end

local function get(path) return "GET /v1/athletes" .. path .. " HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" end

function request()
    if what == "top" then return get("") end
    if what == "page" then return get("?limit=" .. random(20, 100)) end
    if what == "rank" then return get("/" .. random(1, athletes)) end
    if what == "around" then return get("/" .. random(1, athletes) .. "?around=5") end
    local id = random(1, athletes)
    local body = format('{"name":"Athlete %d","score":%d}', id, random(0, 1000000))
    return format("PUT /v1/athletes/%d HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer %s\r\n"
        .. "Content-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", id, tokens[random(1, #tokens)], #body, body)
end

function done(summary, latency)
    local errors = summary.errors
    io.write(format("RESULT %.1f %.3f %.3f %d\n", summary.requests * 1e6 / summary.duration,
        latency:percentile(50) / 1000, latency:percentile(99) / 1000,
        errors.connect + errors.read + errors.write + errors.timeout + errors.status))
end
