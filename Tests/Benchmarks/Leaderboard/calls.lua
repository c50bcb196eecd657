-- wrk's side of the leaderboard benchmark: reads and results of athletes picked at random.
-- Arguments: what to call (top, page, rank, around, result); how many athletes there are; the pause of each connection in milliseconds,
-- 0 for none; for results, a file with one token a line.

local random, format = math.random, string.format
local what, athletes, pause, tokens = "top", 1, 0, {}

function init(arguments)
    local source = assert(io.open("/dev/urandom", "rb"))
    local number = 0
    for _, byte in ipairs({ source:read(6):byte(1, 6) }) do number = number * 256 + byte end
    source:close()
    math.randomseed(number)
    what, athletes, pause = arguments[1], tonumber(arguments[2]), tonumber(arguments[3])
    if arguments[4] then for token in io.lines(arguments[4]) do tokens[#tokens + 1] = token end end
    if pause == 0 then delay = nil end
end

function delay() return pause end

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
