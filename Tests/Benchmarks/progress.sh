#!/usr/bin/env bash
# How many summaries progress answers, beside nginx answering as many bytes and Redis doing the same read: `./dev bench
# progress`.
#
# Everything is measured in one run, by turns, and shown as medians over the rounds with the ratios of each round, since
# only ratios survive another machine or busy neighbours. The load generators share the cores with what they measure,
# and wrk is told the same for progress and for nginx. STRIDE_BENCH_SECONDS (5) is the length of one measurement,
# STRIDE_BENCH_ROUNDS (5) how often each is taken, STRIDE_BENCH_CONNECTIONS (64) how many clients ask.
# shellcheck disable=SC2154 # what Support/ sets
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=Tests/Benchmarks/Support/setup.sh
source "$here/Support/setup.sh" progress

seconds=${STRIDE_BENCH_SECONDS:-$(brief 2 5)}
rounds=${STRIDE_BENCH_ROUNDS:-$(brief 3 5)}
connections=${STRIDE_BENCH_CONNECTIONS:-64}
users=2000
# What progress asks Redis for a summary: `HomeCache.Selection`.
redis_fields=(g complete plan goal profile)
for age in {-7..1}; do redis_fields+=("$(date -u -d "$age days" +%F)"); done
choose_loops
declare -A processes=()

prepare() {
    use_database bench_progress
    fill_users bench_progress "$users"
    make_tokens "$work/tokens" "$users"
}

# A progress for each number of loops, and an nginx with as many workers: `processes[NAME]` is pid, port and admin port.
start_services() {
    local count
    for count in "${loops[@]}"; do
        run_service progress "progress-$count" STRIDE_LOOPS="$count"
        processes[progress-$count]="$pid $port $admin_port"
    done
    one_summary "$port" >"$work/body"
    for count in "${loops[@]}"; do
        run_nginx "nginx-$count" "$count" "$work/body"
        processes[nginx-$count]="$pid $port 0"
    done
}

measure() {
    local round count
    for ((round = 1; round <= rounds; round++)); do
        for count in "${loops[@]}"; do
            # Redis is empty before the cold row, whose fills make it warm for the next ones.
            redis-cli -p "$STRIDE_TEST_REDIS_PORT" flushall >/dev/null
            summaries "$round" "cold,_loops_$count" "progress-$count" each
            summaries "$round" "warm,_loops_$count" "progress-$count" any
            summaries "$round" "nginx,_workers_$count" "nginx-$count" any
            summaries "$round" "not_modified,_loops_$count" "progress-$count" any "If-None-Match: *"
        done
        copy_hashes
        measure_redis "$round" redis-benchmark 1
        measure_redis "$round" redis-benchmark_by_16 16
    done
}

# summaries ROUND NAME PROCESS any|each [FIELD]
summaries() {
    # shellcheck disable=SC2086
    measure_summaries "$1" "$2" ${processes[$3]} "$connections" "$4" ${5:+"$5"}
}

# The same read of hashes that are as large, by redis-benchmark: measure_redis ROUND NAME COMMANDS_A_WRITE
measure_redis() {
    local before after rate p50 p99 count=$((seconds * 40000))
    before=$(ticks 0)
    redis-benchmark -p "$STRIDE_TEST_REDIS_PORT" -c "$connections" -P "$3" -n "$count" -r "$users" --csv -q \
        HMGET bench:__rand_int__ "${redis_fields[@]}" >"$work/redis.csv" 2>"$work/redis.log" ||
        die "redis-benchmark failed: $(tail -n 1 "$work/redis.log")"
    after=$(ticks 0)
    # test, rps, avg, min, p50, p95, p99, max; latencies in milliseconds.
    read -r rate p50 p99 < <(tail -n 1 "$work/redis.csv" | tr -d '"' | awk -F , '{ n = NF; print $(n-6), $(n-3), $(n-1) }')
    # shellcheck disable=SC2086
    record "$1" "$2" "$rate" "$p50" "$p99" "$count" 0 $before $after
}

# Copies of the hashes under names that redis-benchmark can make.
copy_hashes() {
    redis-cli -p "$STRIDE_TEST_REDIS_PORT" --scan --pattern 'stride:*:home' | awk '{
        printf "COPY %s bench:%012d\n", $1, NR - 1 }' | redis-cli -p "$STRIDE_TEST_REDIS_PORT" >/dev/null
}

print_results() {
    local count order='' ratios=''
    for count in "${loops[@]}"; do
        order+="warm,_loops_$count not_modified,_loops_$count cold,_loops_$count nginx,_workers_$count "
        ratios+="warm,_loops_$count/nginx,_workers_$count not_modified,_loops_$count/nginx,_workers_$count "
        ratios+="warm,_loops_$count/redis-benchmark cold,_loops_$count/warm,_loops_$count "
    done
    awk -v tick="$tick" -v order="$order redis-benchmark redis-benchmark_by_16" -v ratios="$ratios" \
        -v service=server -v units=answers -v expected="200, or 304 where asked for" \
        -f "$here/Support/median.awk" -f "$here/Support/table.awk" "$work/rows"
    say
    awk '$1 !~ /nginx/ { cached[$1] += $2; all[$1] += $2 + $3 }
        END { for (name in all) {
            title = name; gsub(/_/, " ", title)
            printf "%s: %.1f %% from the cache\n", title, 100 * cached[name] / all[name] } }' "$work/sources" | sort
}

prepare
start_services
measure
print_machine
say "$rounds rounds of $seconds s each, $connections connections, one thread of wrk, $users users, bodies of" \
    "$(wc -c <"$work/body") bytes"
say
print_results
