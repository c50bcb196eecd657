# shellcheck shell=bash disable=SC2034,SC2154
# One measurement: a load generator, and the processor time that everyone took meanwhile.
# A row of `$work/rows` is: round, name, rate, p50 ms, p99 ms, workouts, errors, then the clock ticks of the service,
# PostgreSQL, Redis, the generator, everyone else on this machine, and all that there were.

# Prints clock ticks so far: service, PostgreSQL with its processes, Redis, generators, busy, all: ticks PID_OF_SERVICE
ticks() {
    { cat /proc/stat /proc/[0-9]*/stat 2>/dev/null || true; } | awk -v service="$1" -v postgres="$postgres_pid" \
        -v redis="$redis_pid" -v shell=$$ '
        $1 == "cpu" {
            for (place = 2; place <= 9; place++) all += $place
            busy = all - $5 - $6
        }
        # After the name, which may hold spaces: state, parent, …; 12 and 13 are the process, 14 and 15 its children.
        match($0, /^[0-9]+ \(.*\) /) {
            pid = $1
            split(substr($0, RLENGTH + 1), field, " ")
            own = field[12] + field[13]
            ended = field[14] + field[15]
            if (service && (pid == service || field[2] == service)) served += own
            if (pid == redis) cache = own
            if (pid == postgres) store += own + ended
            if (field[2] == postgres) store += own
            if (pid == shell) generator = ended
        }
        END { print served + 0, store + 0, cache + 0, generator + 0, busy, all }'
}

# Adds a row: record ROUND NAME RATE P50 P99 CALLS ERRORS TICKS_BEFORE TICKS_AFTER
record() {
    printf '%s\n' "$*" | awk '{
        for (place = 0; place < 6; place++) spent[place] = $(14 + place) - $(8 + place)
        others = spent[4] - spent[0] - spent[1] - spent[2] - spent[3]
        print $1, $2, $3, $4, $5, $6, $7, spent[0], spent[1], spent[2], spent[3], (others > 0 ? others : 0), spent[5]
    }' >>"$work/rows"
}

# Calls of the API, one or more workouts each: measure_api ROUND NAME PID PORT ADMIN_PORT CONNECTIONS WORKOUTS
# An admin port of 0: not one of ours; then wrk tells how many answers there were, and how many were errors.
measure_api() {
    local route=/v1/workouts expected=201 before after known made other rate p50 p99 errors calls
    (($7 == 1)) || { route=/v1/workouts/batch && expected=200; }
    settle
    known=$(known_answers "$5" "$route")
    before=$(ticks "$3")
    wrk -t 1 -c "$6" -d "${seconds}s" --timeout 10s -s "$here/Ingest/workouts.lua" "http://127.0.0.1:$4" -- \
        "$work/tokens" "$7" "$today" >"$work/wrk.log" 2>&1 || die "wrk failed: $(tail -n 1 "$work/wrk.log")"
    after=$(ticks "$3")
    read -r _ rate p50 p99 errors < <(grep '^RESULT ' "$work/wrk.log") || die "wrk said nothing"
    made=$(known_answers "$5" "$route")
    # Of each status: what is there now less what was there before.
    read -r calls other < <(awk -v expected=$expected '
        NR == FNR { known[$1] = $2; next }
        $1 == expected { calls += $2 - known[$1]; next }
        { other += $2 - known[$1] }
        END { print calls + 0, other + 0 }' <(printf '%s\n' "${known:-0 0}") <(printf '%s\n' "$made"))
    if (($5 == 0)); then
        read -r calls other < <(awk '
            $2 == "requests" && !calls { calls = $1 }
            /Non-2xx or 3xx/ { other = $NF }
            END { print calls - other, other + 0 }' "$work/wrk.log")
    fi
    rate=$(awk "BEGIN { print $rate * $7 }")
    # shellcheck disable=SC2086
    record "$1" "$2" "$rate" "$p50" "$p99" "$((calls * $7))" "$((errors + other))" $before $after
}

known_answers() { (($1 == 0)) || answers "$1" "$2"; }

# Single calls at a rate of their own, each with its time by the clock: measure_pace ROUND NAME PID PORT RATE
measure_pace() {
    local before after pair
    settle
    before=$(ticks "$3")
    "$STRIDE_TEST_BIN/LoadBenchmark" port="$4" tokens="$work/tokens" rate="$5" seconds="$seconds" today="$today" \
        connections=256 >"$work/load.log" 2>&1 || die "the generator failed: $(tail -n 1 "$work/load.log")"
    after=$(ticks "$3")
    declare -A load=()
    while IFS= read -r pair; do load[${pair%%=*}]=${pair#*=}; done < <(sed -n 's/^RESULT //p' "$work/load.log" | tr ' ' '\n')
    # shellcheck disable=SC2086
    record "$1" "$2" "${load[accepted]}" "${load[p50]}" "${load[p99]}" "${load[accepted_all]}" \
        "$((load[refused_all] + load[failed] + load[unanswered]))" $before $after
}

# The same work without the API: measure_pgbench ROUND NAME SCRIPT WORKOUTS CLIENTS OPTIONS…
measure_pgbench() {
    local round=$1 name=$2 script=$3 workouts=$4 clients=$5 before after p50 p99 calls rate failed
    shift 5
    settle
    rm -f -- "$work"/latency.*
    before=$(ticks 0)
    (cd -- "$work" && exec "$pgbench" -n -M prepared -c "$clients" -j $((clients < 32 ? 1 : 2)) -T "$seconds" -l \
        --log-prefix=latency -D "users=$users" -D "today=$today" -D "day=$day" "$@" -f "$here/Ingest/$script.sql" \
        "$(database_url bench_pgbench)") >"$work/pgbench.log" 2>&1 ||
        die "pgbench failed: $(tail -n 1 "$work/pgbench.log")"
    sleep 0.2 # its servers' processes have ended, and their time is counted as that of PostgreSQL
    after=$(ticks 0)
    rate=$(awk -v workouts="$workouts" '/^tps = / { printf "%.1f", $3 * workouts }' "$work/pgbench.log")
    failed=$(awk '/^number of failed transactions/ { print $5 }' "$work/pgbench.log")
    read -r calls p50 p99 < <(cat "$work"/latency.* | awk '{ print $3 }' | sort -n | awk '
        { value[NR] = $1 }
        END { print NR, value[int(NR * 0.5) + 1] / 1000, value[int(NR * 0.99) + 1] / 1000 }')
    # shellcheck disable=SC2086
    record "$round" "$name" "$rate" "$p50" "$p99" $((calls * workouts)) "${failed:-0}" $before $after
}
