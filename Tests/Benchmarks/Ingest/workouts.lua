-- wrk's side of the ingest benchmark: workouts that nobody has sent before, each call by a user picked at random.
-- Arguments: a file with one token a line; how many workouts a call carries (1 is the plain route, more the batch
-- route); the instant, in milliseconds, of the first of the 600 minutes among which the workouts are spread.
-- Request ids are random like those of phones, so that the index sees what it would see.
-- The texts are made once; a call puts three of them together, because this runs on the cores that are measured.

local random, format, concat = math.random, string.format, table.concat
local heads, tails, count = {}, {}, 1

local function seed()
    local source = assert(io.open("/dev/urandom", "rb"))
    local number = 0
    for _, byte in ipairs({ source:read(6):byte(1, 6) }) do number = number * 256 + byte end
    source:close()
    math.randomseed(number)
end

local function request_id()
    return format("%08x-%04x-4%03x-%04x-%08x%04x", random(0, 0xffffffff), random(0, 0xffff), random(0, 0xfff),
        random(0x8000, 0xbfff), random(0, 0xffffffff), random(0, 0xffff))
end

local function workout() return '{"requestId":"' .. request_id() .. tails[random(1, #tails)] end

local function body()
    if count == 1 then return workout() end
    local parts = {}
    for place = 1, count do parts[place] = workout() end
    return '{"workouts":[' .. concat(parts, ",") .. "]}"
end

function init(arguments)
    seed()
    count = tonumber(arguments[2])
    for minute = 0, 599 do
        local start = arguments[3] + minute * 60000
        tails[minute + 1] = format('","start_time":%d,"end_time":%d,"steps":%d,"distance":%.1f,'
            .. '"time_zone":"Europe/Berlin","status":"COMPLETE","source":"auto"}',
            start, start + 60000, random(100, 180), random(700, 999) / 10)
    end
    for token in io.lines(arguments[1]) do
        heads[#heads + 1] = "POST /v1/workouts" .. (count > 1 and "/batch" or "") .. " HTTP/1.1\r\n"
            .. "Host: 127.0.0.1\r\nAuthorization: Bearer " .. token .. "\r\nContent-Type: application/json\r\n"
            -- All texts are equally long, so that the length is known beforehand.
            .. "Content-Length: " .. #body() .. "\r\n\r\n"
    end
end

function request() return heads[random(1, #heads)] .. body() end

function done(summary, latency)
    local errors = summary.errors
    io.write(format("RESULT %.1f %.3f %.3f %d\n", summary.requests * 1e6 / summary.duration,
        latency:percentile(50) / 1000, latency:percentile(99) / 1000,
        errors.connect + errors.read + errors.write + errors.timeout))
end
