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
root=$(readlink -f -- "$here/../..")
for part in "$root"/Scripts/{common,services,run}.sh "$here"/Support/*.sh; do
    # shellcheck source=/dev/null
    source "$part"
done
[[ -n ${STRIDE_TEST_POSTGRES_URL:-} ]] || die "run it with ./dev bench progress"

seconds=${STRIDE_BENCH_SECONDS:-5}
rounds=${STRIDE_BENCH_ROUNDS:-5}
connections=${STRIDE_BENCH_CONNECTIONS:-64}
users=2000
# What progress asks Redis for a summary: `HomeCache.Selection`.
redis_fields=(g complete plan goal profile)
for age in {-7..1}; do redis_fields+=("$(date -u -d "$age days" +%F)"); done
nginx=/usr/sbin/nginx
loops=(1)
(($(nproc) == 1)) || loops+=("$(nproc)")
declare -A processes=()
pids=()
work=$(mktemp -d -- "$root/.dev/bench.XXXXXX")

clean_up() {
    local pid
    for pid in "${pids[@]}"; do end_process "$pid"; done
    rm -rf -- "$work"
}
trap clean_up EXIT

prepare() {
    ulimit -n "$(ulimit -Hn)"
    find_servers
    make_database bench_progress
    query -d "$(database_url bench_progress)" -v "users=$users" -v "day=$(date -u +%F)" -f "$here/Progress/users.sql"
    head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n' >"$work/secret"
    export STRIDE_TOKEN_SECRET_FILE=$work/secret STRIDE_TOKEN_ISSUER=bench STRIDE_TOKEN_AUDIENCE=stride
    export STRIDE_REDIS_URL=$STRIDE_TEST_REDIS_URL
    STRIDE_POSTGRES_URL=$(database_url bench_progress)
    export STRIDE_POSTGRES_URL
    "$STRIDE_TEST_BIN/stride" token --sub 'bench-%d' --count "$users" >"$work/tokens" || die "stride token failed"
}

# A progress for each number of loops, and an nginx with as many workers: `processes[NAME]` is pid, port and admin port.
start_services() {
    local count
    for count in "${loops[@]}"; do
        run_service progress "progress-$count" STRIDE_LOOPS="$count"
        processes[progress-$count]="$pid $port $admin_port"
    done
    one_answer "$port" >"$work/body"
    for count in "${loops[@]}"; do run_nginx "$count"; done
}

# The body of the first user's answer: one_answer PORT
one_answer() {
    curl -fsS --noproxy '*' --max-time 5 -H "Authorization: Bearer $(head -n 1 "$work/tokens")" \
        "http://127.0.0.1:$1/v1/progressSummary"
}

# nginx that answers everything with the body of a summary: run_nginx WORKERS
run_nginx() {
    local deadline=$((SECONDS + 20))
    port=$(free_port)
    cat >"$work/nginx-$1.conf" <<TEXT
daemon off;
pid $work/nginx-$1.pid;
error_log $work/nginx-$1.log;
worker_processes $1;
events { worker_connections 4096; }
http {
    access_log off;
    keepalive_requests 1000000000;
    default_type application/json;
    server {
        listen 127.0.0.1:$port reuseport;
        location / { return 200 '$(<"$work/body")'; }
    }
}
TEXT
    "$nginx" -c "$work/nginx-$1.conf" -p "$work" 2>"$work/nginx-$1.err" &
    pid=$!
    pids+=("$pid")
    until port_is_busy "$port"; do
        ((SECONDS < deadline)) || die "nginx does not start: $(tail -n 1 "$work/nginx-$1.err")"
        sleep 0.01
    done
    processes[nginx-$1]="$pid $port 0"
}

measure() {
    local round count
    for ((round = 1; round <= rounds; round++)); do
        for count in "${loops[@]}"; do
            # Redis is empty before the cold row, whose fills make it warm for the next ones.
            redis-cli -p "$STRIDE_TEST_REDIS_PORT" flushall >/dev/null
            measure_summaries "$round" "cold,_loops_$count" "progress-$count" each
            measure_summaries "$round" "warm,_loops_$count" "progress-$count" any
            measure_summaries "$round" "nginx,_workers_$count" "nginx-$count" any
            measure_summaries "$round" "not_modified,_loops_$count" "progress-$count" any "If-None-Match: *"
        done
        copy_hashes
        measure_redis "$round" redis-benchmark 1
        measure_redis "$round" redis-benchmark_by_16 16
    done
}

# measure_summaries ROUND NAME PROCESS any|each [FIELD]
measure_summaries() {
    local -a process
    local before after rate p50 p99 errors cached database other calls known
    read -ra process <<<"${processes[$3]}"
    known=$(looks "${process[2]}")
    before=$(ticks "${process[0]}")
    wrk -t 1 -c "$connections" -d "$([[ $4 == each ]] && echo 10 || echo "$seconds")s" --timeout 10s \
        -s "$here/Progress/summaries.lua" "http://127.0.0.1:${process[1]}" -- "$work/tokens" "$4" ${5:+"$5"} \
        >"$work/wrk.log" 2>&1 || die "wrk failed: $(tail -n 1 "$work/wrk.log")"
    after=$(ticks "${process[0]}")
    read -r _ rate p50 p99 errors cached database other < <(grep '^RESULT ' "$work/wrk.log") || die "wrk said nothing"
    calls=$(awk '$2 == "requests" { print $1; exit }' "$work/wrk.log")
    # wrk counts every status but 2xx and 3xx as an error.
    other=$((other + $(awk '/Non-2xx or 3xx/ { print $NF }' "$work/wrk.log" || true) + 0))
    if [[ $4 == any ]]; then
        read -r cached database < <(printf '%s %s\n' "$(looks "${process[2]}")" "$known" | awk '{ print $1 - $3, $2 - $4 }')
    fi
    printf '%s %s %s\n' "$2" "$cached" "$database" >>"$work/sources"
    # shellcheck disable=SC2086
    record "$1" "$2" "$rate" "$p50" "$p99" "$calls" "$((errors + other))" $before $after
}

# How many looks into the cache found everything, and how many did not: looks ADMIN_PORT
looks() {
    (($1 > 0)) || { echo 0 0 && return; }
    curl -fsS --noproxy '*' --max-time 5 "http://127.0.0.1:$1/metrics" | awk '
        /^stride_progress_cache_reads_total/ { if (/result="hit"/) hits += $NF; else others += $NF }
        END { printf "%d %d\n", hits, others }'
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

print_machine() {
    local model changes=
    model=$(awk -F ': *' '/^model name/ { print $2; exit }' /proc/cpuinfo)
    [[ -z $(git -C "$root" status --porcelain 2>/dev/null) ]] || changes=" with changes"
    say "commit $(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)$changes, $(nproc) cores of" \
        "${model:-an unknown processor}"
    say "$rounds rounds of $seconds s each, $connections connections, one thread of wrk, $users users, bodies of" \
        "$(wc -c <"$work/body") bytes; load average $load_before before, $(cut -d ' ' -f 1 /proc/loadavg) after"
    say
}

print_results() {
    local count order='' ratios='' tick=$((1000000 / $(getconf CLK_TCK)))
    for count in "${loops[@]}"; do
        order+="warm,_loops_$count not_modified,_loops_$count cold,_loops_$count nginx,_workers_$count "
        ratios+="warm,_loops_$count/nginx,_workers_$count not_modified,_loops_$count/nginx,_workers_$count "
        ratios+="warm,_loops_$count/redis-benchmark cold,_loops_$count/warm,_loops_$count "
    done
    awk -v tick="$tick" -v order="$order redis-benchmark redis-benchmark_by_16" -v ratios="$ratios" \
        -v service=server -v units=answers -v expected="200, or 304 where asked for" \
        -f "$here/Support/table.awk" "$work/rows"
    say
    awk '$1 !~ /nginx/ { cached[$1] += $2; all[$1] += $2 + $3 }
        END { for (name in all) {
            title = name; gsub(/_/, " ", title)
            printf "%s: %.1f %% from the cache\n", title, 100 * cached[name] / all[name] } }' "$work/sources" | sort
}

load_before=$(cut -d ' ' -f 1 /proc/loadavg)
prepare
start_services
measure
print_machine
print_results
