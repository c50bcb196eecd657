#!/usr/bin/env bash
# What ingest does with more than it can take: `./dev bench overload`.
#
# Its capacity is measured first; then 1, 2, 5 and 10 times as much is offered by one process with 1000 connections of its own, in
# which each call has its time by the clock. Then one user floods beside others, and a spike of phones that come back as they
# are told ends; PostgreSQL stands still for a while; Redis does, for a minute, after which `stride verify --all` is asked.
# The database is the bottleneck, as it is for a fleet: a commit waits 4 ms more, as it does for network storage, and ingest
# writes one small transaction at a time. So the cores of this machine, which the generator, PostgreSQL, Redis and ingest share,
# have the time to offer ten times as much.
# STRIDE_BENCH_SECONDS (8) is the length of one measurement, STRIDE_BENCH_SPIKE (30) that of the spike and of PostgreSQL's absence,
# STRIDE_BENCH_AWAY (60) that of Redis' absence.
# shellcheck disable=SC2154,SC2013,SC2086 # what Support/ sets; results are words without spaces
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=Tests/Benchmarks/Support/setup.sh
source "$here/Support/setup.sh" overload

seconds=${STRIDE_BENCH_SECONDS:-$(brief 4 8)}
spike=${STRIDE_BENCH_SPIKE:-$(brief 15 30)}
away=${STRIDE_BENCH_AWAY:-$(brief 20 60)}
calm=$(brief 45 90)
connections=1000
stopped=()
users=20000
today=$((today - 8 * 3600000)) # midnight, so that none of the workouts lies ahead
trap 'resume; clean_up' EXIT

prepare() {
    use_database bench_overload
    query -d "$STRIDE_TEST_POSTGRES_URL" -c "alter database bench_overload set commit_delay = 4000" \
        -c "alter database bench_overload set commit_siblings = 0"
    make_tokens "$work/tokens" "$users"
    head -n 1 "$work/tokens" >"$work/one-token"
    tail -n +2 "$work/tokens" >"$work/other-tokens"
}

# Operations so far: transactions of the database, commands of Redis, batches of ingest.
operations() {
    query -d "$STRIDE_TEST_POSTGRES_URL" \
        -c "select pg_stat_clear_snapshot(), xact_commit + xact_rollback from pg_stat_database where datname = 'bench_overload'" |
        cut -d '|' -f 2
    redis-cli -p "$STRIDE_TEST_REDIS_PORT" info stats | tr -d '\r' | sed -n 's/^total_commands_processed://p'
    curl -fsS --noproxy '*' --max-time 5 "http://127.0.0.1:$admin_port/metrics" |
        awk '/^stride_ingest_batch_size_count/ { sum += $NF } END { print sum + 0 }'
}

# Sets one variable for each value of a generator's result: read_result NAME
read_result() {
    local pair
    for pair in $(grep '^RESULT ' "$work/$1.out" | cut -d ' ' -f 2-); do declare -g "${pair%%=*}=${pair#*=}"; done
}

# Runs the generator and reads its result: generate NAME KEY=VALUE…
generate() {
    local name=$1
    shift
    "$STRIDE_TEST_BIN/LoadBenchmark" port="$port" today="$today" connections="$connections" "$@" >"$work/$name.out" ||
        die "the generator failed: $(tail -n 1 "$work/$name.out")"
    read_result "$name"
}

# Workouts that were taken so far.
taken() { answers "$admin_port" /v1/workouts | awk '$1 == 201 { sum += $2 } END { print sum + 0 }'; }

measure_capacity() {
    generate warm tokens="$work/tokens" rate=2000 seconds=2
    # As many as make full batches and no more: each connection waits for its answer, and nobody is refused.
    local before after
    before=$(taken)
    wrk -t 1 -c 32 -d "${seconds}s" --timeout 10s -s "$here/Ingest/workouts.lua" "http://127.0.0.1:$port" -- \
        "$work/tokens" 1 "$today" >"$work/wrk.log" 2>&1 || die "wrk failed: $(tail -n 1 "$work/wrk.log")"
    after=$(taken)
    capacity=$(((after - before) / seconds))
    say "capacity, 32 connections that wait for their answers: $capacity/s"
}

# The longest of the operators' calls while the file WATCH is there, in ms: watch_operators WATCH
watch_operators() {
    local path worst=0 time
    while [[ -e $1 ]]; do
        for path in livez readyz metrics stats; do
            time=$(curl -sS -o /dev/null --noproxy '*' --max-time 20 -w '%{time_total}' \
                "http://127.0.0.1:$admin_port/$path" 2>/dev/null) || time=20
            worst=$(awk "BEGIN { print ($time > $worst ? $time : $worst) }")
        done
        sleep 0.2
    done
    awk "BEGIN { printf \"%d\", $worst * 1000 }" >"$work/operators"
}

measure_factor() {
    local factor=$1 before after transactions commands batches watcher
    mapfile -t before < <(operations)
    touch "$work/watch"
    watch_operators "$work/watch" &
    watcher=$!
    generate "factor-$factor" tokens="$work/tokens" rate=$((capacity * factor)) seconds="$seconds"
    rm -f -- "$work/watch"
    wait "$watcher" || true
    sleep 1 # PostgreSQL counts a second late
    mapfile -t after < <(operations)
    transactions=$((after[0] - before[0]))
    commands=$((after[1] - before[1]))
    batches=$((after[2] - before[2]))
    ((factor > 1)) || best=0
    ((accepted <= best)) || best=$accepted
    printf '%3d×  %8d %8d %8s %8s %8d %8s %8s %7d %7d %9s %9s %9s\n' "$factor" "$offered" "$accepted" "$p50" "$p99" \
        "$refused" "$refused_p50" "$refused_p99" "$failed" "$unanswered" \
        "$(awk "BEGIN { print ($refused_all * 10 > $accepted_all ? sprintf(\"%.3f\", ($transactions - $batches) / $refused_all) : \"-\") }")" \
        "$(awk "BEGIN { printf \"%.2f\", $commands / ($accepted_all + $refused_all) }")" \
        "$(<"$work/operators")"
}

measure_factors() {
    local factor
    say "      offered/s accepted/s   p50 ms   p99 ms refused/s p50 ms   p99 ms  failed  no answer  PG ops  Redis ops operators"
    say "                                                                                     a refusal    a call  worst ms"
    for factor in 1 2 5 10; do measure_factor "$factor"; done
    say "accepted at most $best/s"
}

# Others at a quarter of the capacity, alone and beside one user who sends as much as there is.
measure_flood() {
    local alone before after
    generate alone tokens="$work/other-tokens" rate=$((capacity / 4)) seconds="$seconds"
    alone="p50 $p50, p99 $p99 ms"
    mapfile -t before < <(operations)
    "$STRIDE_TEST_BIN/LoadBenchmark" port="$port" today="$today" connections=200 tokens="$work/one-token" \
        rate=$capacity seconds="$seconds" >"$work/flood.out" &
    local flood=$!
    generate others tokens="$work/other-tokens" rate=$((capacity / 4)) seconds="$seconds"
    wait "$flood"
    say "others at a quarter of the capacity alone: $alone; beside one user's flood: p50 $p50, p99 $p99 ms," \
        "$refused_all refused, $failed failed"
    local others=$accepted_all
    read_result flood
    sleep 1
    mapfile -t after < <(operations)
    say "the flood: $offered/s offered, $accepted_all accepted in all, $refused/s refused in p50 $refused_p50," \
        "p99 $refused_p99 ms, with $(awk "BEGIN { printf \"%.4f\", (${after[0]} - ${before[0]} - (${after[2]} - ${before[2]})) / ($refused_all + 1) }") transactions" \
        "each, and $(awk "BEGIN { printf \"%.2f\", (${after[1]} - ${before[1]}) / ($accepted_all + $refused_all + $others) }") commands of Redis for each call of all"
}

# After a spike whose phones come back as told: seconds until calls are answered as before it, while the phones still come.
measure_spike() {
    local before
    generate before tokens="$work/tokens" rate=$((capacity / 2)) seconds="$seconds"
    before="p50 $p50, p99 $p99 ms"
    limit=$(awk "BEGIN { print ($p99 * 2 > 100 ? $p99 * 2 : 100) }")
    wanted=$((capacity / 2))
    generate spike tokens="$work/tokens" rate=$((capacity * 5)) seconds="$spike" then="$wanted" more="$calm" retry=1 timeline=1
    say "a spike of $spike s at 5 times the capacity, phones coming back as told; then $wanted/s new ($before before it):"
    tell spike 0 "$spike"
    say "  of all $repeats returns, $outstanding phones had still to come at the end, $calm s after the spike"
}

# Stops processes, which go on when this script ends whatever happens: pause PID…
pause() {
    stopped=("$@")
    kill -s STOP "$@"
}

resume() {
    ((${#stopped[@]} == 0)) || kill -s CONT "${stopped[@]}" 2>/dev/null || true
    stopped=()
}

# Prints what happened before, during and after a time: tell NAME FIRST LAST. Normal is a second in which at least 99 % of the
# calls that come for the first time are taken at once, and the p99 of all that is taken is below the limit; it is normal again
# with the first of ten normal seconds.
tell() {
    awk -v first="$2" -v last="$3" -v limit="$limit" '
        /^SECOND/ {
            for (i = 3; i <= NF; i++) { split($i, pair, "="); v[pair[1]] = pair[2] }
            part = $2 < first ? 1 : $2 < last ? 2 : 3
            accepted[part] += v["accepted"]; refused[part] += v["refused"]; failed[part] += v["failed"]; seconds[part]++
            if (v["p99"] + 0 > worst[part]) worst[part] = v["p99"] + 0
            if (part < 3 || v["newcomers"] < 10) next
            if (v["newcomers_refused"] * 100 > v["newcomers"] || v["p99"] + 0 > limit) { odd++; row = 0 }
            else if (++row == 10 && !again) again = $2 - 9
        }
        END {
            split("before,during,after", names, ",")
            for (part = 1; part <= 3; part++)
                if (seconds[part]) printf "  %-7s %7.0f accepted/s, %7.0f refused/s, %d failed, worst second p99 %.0f ms\n", names[part],
                    accepted[part] / seconds[part], refused[part] / seconds[part], failed[part], worst[part]
            printf "  normal again (p99 below %.0f ms, 99 %% of newcomers taken at once) %s after the end; %d odd seconds in all\n", limit,
                (again ? again - last " s" : odd ? "at no time" : "0 s"), odd
        }' "$work/$1.out"
}

# PostgreSQL stands still; phones come back as they are told.
measure_stall() {
    local children
    wanted=$((capacity / 4))
    limit=200
    mapfile -t children < <(ps -o pid= --ppid "$postgres_pid" | tr -d ' ')
    (generate stall tokens="$work/tokens" rate="$wanted" seconds=$((5 + spike + calm)) timeline=1 retry=1) &
    local generator=$!
    sleep 5
    pause "$postgres_pid" "${children[@]}"
    sleep "$spike"
    resume
    wait "$generator"
    say "PostgreSQL stands still for $spike s, phones coming back as told, $wanted/s new:"
    tell stall 5 $((5 + spike))
}

# Redis stands still; nobody may notice, and the cache is right 5 s after.
measure_away() {
    local verdict=clean
    wanted=$((capacity / 4))
    limit=100
    (generate away tokens="$work/tokens" rate="$wanted" seconds=$((5 + away + 5)) timeline=1) &
    local generator=$!
    sleep 5
    pause "$redis_pid"
    sleep "$away"
    resume
    wait "$generator"
    say "Redis stands still for $away s, $wanted/s:"
    tell away 5 $((5 + away))
    # The load went on for 5 s after Redis was back; so did the last commits, and 5 s from there it is right.
    sleep 5
    "$STRIDE_TEST_BIN/stride" verify --all >"$work/verify.log" 2>&1 || verdict="NOT clean: $(tail -n 1 "$work/verify.log")"
    say "  stride verify --all: $verdict"
}

# A process that has refused nobody yet: those whom the generator does not let come back keep their places in the line of returns.
start_anew() {
    [[ -z ${pid:-} ]] || end_process "$pid"
    run_service ingest "ingest-$1" STRIDE_LOOPS=1 STRIDE_INGEST_LANES=1 STRIDE_INGEST_BATCH=8
}

prepare
# The database has a machine of its own in a fleet; here it goes first, so that the generator does not take its time.
renice -n -10 -p "$postgres_pid" >"$work/renice.log"
start_anew factors
print_machine
measure_capacity
measure_factors
measure_flood
say "ingest: $(($(memory "$pid" VmHWM) / 1024)) MiB at most"
start_anew spike
measure_spike
start_anew stall
measure_stall
measure_away
