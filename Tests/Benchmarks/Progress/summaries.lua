-- wrk's side of the progress benchmark: summaries of users picked at random, or of each user once.
-- Arguments: a file with one token a line; `any` or `each`; a field for every request, or nothing.
-- `any` runs as long as wrk does and looks at no answer, because this runs on the cores that are measured; `each` asks
-- for every user once, ends with the last answer, and counts where the answers came from.

local ffi = require("ffi")
ffi.cdef("typedef struct { long seconds, nanoseconds; } instant; int clock_gettime(int clock, instant *now);")
local random, format = math.random, string.format
local heads, asked, answered = {}, 0, 0
cached, database, other, took = 0, 0, 0, 0 -- for `done`, which runs elsewhere

local function now()
    local instant = ffi.new("instant")
    ffi.C.clock_gettime(1, instant)
    return tonumber(instant.seconds) + tonumber(instant.nanoseconds) / 1e9
end

local begin

local function any() return heads[random(1, #heads)] end

local function each()
    begin = begin or now()
    asked = asked + 1
    return heads[(asked - 1) % #heads + 1]
end

local function look(status, headers)
    if answered == #heads then return end
    answered = answered + 1
    local source = headers["X-Stride-Source"]
    if status ~= 200 then other = other + 1
    elseif source == "cache" then cached = cached + 1
    elseif source == "database" then database = database + 1 end
    took = now() - begin
    if answered == #heads then wrk.thread:stop() end
end

function setup(thread) the_thread = thread end

function init(arguments)
    for token in io.lines(arguments[1]) do
        heads[#heads + 1] = "GET /v1/progressSummary HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer " .. token
            .. "\r\n" .. (arguments[3] and arguments[3] .. "\r\n" or "") .. "\r\n"
    end
    request = any
    if arguments[2] == "each" then request, response = each, look end
end

function done(summary, latency)
    local errors, thread = summary.errors, the_thread
    local took = thread:get("took")
    local rate = took > 0 and summary.requests / took or summary.requests * 1e6 / summary.duration
    io.write(format("RESULT %.1f %.3f %.3f %d %d %d %d\n", rate, latency:percentile(50) / 1000, latency:percentile(99) / 1000,
        errors.connect + errors.read + errors.write + errors.timeout,
        thread:get("cached"), thread:get("database"), thread:get("other")))
end
