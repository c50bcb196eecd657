#!/usr/bin/env bash
# How many workouts ingest takes, beside pgbench doing the same work on the same server: `./dev bench ingest`.
#
# Everything is measured in one run, by turns, and shown as medians over the rounds with the ratios of each round, since
# only ratios survive another machine or busy neighbours. The load generators share the cores with what they measure.
# STRIDE_BENCH_SECONDS (8) is the length of one measurement, STRIDE_BENCH_ROUNDS (3) how often each is taken. How that
# stands beside the aims: `./dev bench speed`.
# shellcheck disable=SC2154 # what Support/ sets
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=Tests/Benchmarks/Support/setup.sh
source "$here/Support/setup.sh" ingest

seconds=${STRIDE_BENCH_SECONDS:-$(brief 3 8)}
rounds=${STRIDE_BENCH_ROUNDS:-3}
users=1000
batch=200
idle=10000

prepare() {
    use_database bench_pgbench
    query -d "$(database_url bench_pgbench)" -v "today=$today" -v "day=$day" -f "$here/Ingest/batches.sql"
    lift_budgets
    use_database bench_ingest
    make_tokens "$work/tokens" "$users"
}

# Sets `loops`, the numbers of loops to try, and starts an ingest for each: `processes[LOOPS]` is its pid and ports.
start_services() {
    local count
    choose_loops
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

print_results() {
    local count order='' ratios='' single
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
        -v expected="201 for a workout, 200 for a batch" -f "$here/Support/median.awk" -f "$here/Support/table.awk" "$work/rows"
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

prepare
start_services
measure
print_machine
say "$rounds rounds of $seconds s each"
say
print_results
print_rows
print_memory
print_start
