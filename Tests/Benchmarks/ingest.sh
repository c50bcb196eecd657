#!/usr/bin/env bash
# How many workouts ingest takes, beside pgbench doing the same work on the same server: `./dev bench ingest`.
#
# Everything is measured in one run, by turns, and shown as medians over the rounds with the ratios of each round, since
# only ratios survive another machine or busy neighbours. The load generators share the cores with what they measure.
# STRIDE_BENCH_SECONDS (8) is the length of one measurement, STRIDE_BENCH_ROUNDS (3) how often each is taken.
# shellcheck disable=SC2154 # what Support/ sets
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
root=$(readlink -f -- "$here/../..")
for part in "$root"/Scripts/{common,services,run}.sh "$here"/Support/*.sh; do
    # shellcheck source=/dev/null
    source "$part"
done
[[ -n ${STRIDE_TEST_POSTGRES_URL:-} ]] || die "run it with ./dev bench ingest"

seconds=${STRIDE_BENCH_SECONDS:-8}
rounds=${STRIDE_BENCH_ROUNDS:-3}
users=1000
batch=200
idle=10000
day=$(date -u +%F)
today=$(($(date -u -d "$day 08:00" +%s) * 1000))
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
    make_database bench_ingest
    make_database bench_pgbench
    query -d "$(database_url bench_pgbench)" -v "today=$today" -v "day=$day" -f "$here/Ingest/batches.sql"
    head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n' >"$work/secret"
    export STRIDE_TOKEN_SECRET_FILE=$work/secret STRIDE_TOKEN_ISSUER=bench STRIDE_TOKEN_AUDIENCE=stride
    export STRIDE_REDIS_URL=$STRIDE_TEST_REDIS_URL STRIDE_USER_RATE_PER_MINUTE=60000000 STRIDE_USER_BURST=1000000
    STRIDE_POSTGRES_URL=$(database_url bench_ingest)
    export STRIDE_POSTGRES_URL
    "$STRIDE_TEST_BIN/stride" token --sub 'bench-%d' --count "$users" >"$work/tokens" || die "stride token failed"
}

# Sets `loops`, the numbers of loops to try, and starts an ingest for each: `processes[LOOPS]` is its pid and ports.
start_services() {
    local count
    loops=(1)
    (($(nproc) == 1)) || loops+=("$(nproc)")
    declare -gA processes=()
    for count in "${loops[@]}"; do
        run_service ingest "ingest-$count" STRIDE_LOOPS="$count"
        processes[$count]="$pid $port $admin_port"
        # Code, caches and connections are warm before the first figure is taken.
        seconds=2 measure_api 0 warm "$pid" "$port" "$admin_port" 64 1
    done
    : >"$work/rows"
}

measure() {
    local round count
    for ((round = 1; round <= rounds; round++)); do
        measure_service "$round" 1
        measure_pgbench "$round" pgbench,_a_transaction_each transaction 1 32
        measure_pgbench "$round" pgbench,_a_statement_each statement 1 32
        measure_pgbench "$round" "pgbench,_batches_of_one_user" batched "$batch" 3 -D first=0 -D count=333
        measure_pgbench "$round" "pgbench,_batches_of_many_users" batched "$batch" 3 -D first=999 -D count=20
        for count in "${loops[@]:1}"; do measure_service "$round" "$count"; done
    done
}

# measure_service ROUND LOOPS
measure_service() {
    local -a process
    read -ra process <<<"${processes[$2]}"
    measure_api "$1" "single,_64_connections,_loops_$2" "${process[@]}" 64 1
    measure_api "$1" "single,_256_connections,_loops_$2" "${process[@]}" 256 1
    measure_api "$1" "batch_of_$batch,_loops_$2" "${process[@]}" 16 "$batch"
}

print_machine() {
    local model changes=
    model=$(awk -F ': *' '/^model name/ { print $2; exit }' /proc/cpuinfo)
    [[ -z $(git -C "$root" status --porcelain 2>/dev/null) ]] || changes=" with changes"
    say "commit $(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)$changes, $(nproc) cores of" \
        "${model:-an unknown processor}"
    say "PostgreSQL $(query -d "$STRIDE_TEST_POSTGRES_URL" -c 'show server_version'), fsync" \
        "$(query -d "$STRIDE_TEST_POSTGRES_URL" -c 'show fsync'), Redis" \
        "$(redis-cli -p "$STRIDE_TEST_REDIS_PORT" info server | tr -d '\r' | sed -n 's/^redis_version://p')"
    say "$rounds rounds of $seconds s each; load average $load_before before, $(cut -d ' ' -f 1 /proc/loadavg) after"
    say
}

print_results() {
    local count order='' ratios='' single tick=$((1000000 / $(getconf CLK_TCK)))
    for count in "${loops[@]}"; do
        single=single,_256_connections,_loops_$count
        order+="single,_64_connections,_loops_$count $single batch_of_$batch,_loops_$count "
        ratios+="$single/pgbench,_a_transaction_each $single/pgbench,_a_statement_each "
        ratios+="batch_of_$batch,_loops_$count/pgbench,_batches_of_one_user "
        ratios+="$single/pgbench,_batches_of_many_users "
    done
    order+="pgbench,_a_transaction_each pgbench,_a_statement_each pgbench,_batches_of_one_user"
    order+=" pgbench,_batches_of_many_users"
    awk -v tick="$tick" -v order="$order" -v ratios="$ratios" -v service=ingest -v units=workouts \
        -v expected="201 for a workout, 200 for a batch" -f "$here/Support/table.awk" "$work/rows"
}

# An acknowledged workout must be a row; calls that wrk left unanswered at its end may be rows too.
print_rows() {
    local stored acknowledged=0 count more process
    stored=$(query -d "$(database_url bench_ingest)" -c 'select count(*) from workouts')
    for count in "${loops[@]}"; do
        read -ra process <<<"${processes[$count]}"
        more=$({
            answers "${process[2]}" /v1/workouts
            answers "${process[2]}" /v1/workouts/batch
        } | awk -v batch="$batch" '$1 == 201 { sum += $2 } $1 == 200 { sum += batch * $2 } END { printf "%d", sum }')
        acknowledged=$((acknowledged + more))
    done
    say "$acknowledged workouts acknowledged, $stored stored"
    ((stored >= acknowledged)) || die "acknowledged workouts are missing"
}

print_memory() {
    local count process
    for count in "${loops[@]}"; do
        read -ra process <<<"${processes[$count]}"
        say "ingest, loops $count: $(($(memory "${process[0]}" VmRSS) / 1024)) MiB resident," \
            "$(($(memory "${process[0]}" VmHWM) / 1024)) MiB at most"
        end_process "${process[0]}"
    done
}

# A fresh process for each start, the last one for the connections.
print_start() {
    local number milliseconds=() room=$(($(ulimit -n) - 500))
    for number in 1 2 3 4 5; do
        run_service ingest "start-$number" STRIDE_LOOPS=1 STRIDE_MAX_CONNECTIONS=$((idle + 100))
        milliseconds+=("$ready_milliseconds")
        ((number == 5)) || end_process "$pid"
    done
    say "start to ready: $(printf '%s\n' "${milliseconds[@]}" | sort -n | sed -n 3p) ms (${milliseconds[*]})"
    idle_connection "$pid" "$port" $((idle < room ? idle : room))
    say "idle connection: $idle_kib KiB of memory each, with $idle_count open"
}

load_before=$(cut -d ' ' -f 1 /proc/loadavg)
prepare
start_services
measure
print_machine
print_results
print_rows
print_memory
print_start
