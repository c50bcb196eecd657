#!/usr/bin/env bash
# How fast Stride is beside what could do the same: `./dev bench speed`, which also writes the table to .dev/speed.md.
#
# Workouts against pgbench on the same server and against the usual Python service; summaries against nginx, which returns
# as many bytes from memory, and the same service. All by turns in one run: a ratio is taken within a round, and shown are
# its median and its range over the rounds, since only ratios survive another machine or busy neighbours. PostgreSQL,
# Redis and the load generators share the cores with what they measure. Each has a database of its own, and in each round
# all begin with tables without workouts.
# STRIDE_BENCH_SECONDS (4) is the length of one measurement, STRIDE_BENCH_ROUNDS (5) how often each is taken.
# shellcheck disable=SC2154 # what Support/ sets
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=Tests/Benchmarks/Support/setup.sh
source "$here/Support/setup.sh" speed

seconds=${STRIDE_BENCH_SECONDS:-$(brief 2 4)}
rounds=${STRIDE_BENCH_ROUNDS:-5}
users=1000
batch=200
acknowledged=0
stored=0

prepare() {
    local name
    [[ -x ${STRIDE_TEST_PEERS:-}/uvicorn ]] || die "run it with ./dev bench speed"
    lift_budgets
    for name in bench_pgbench bench_peer bench_speed; do
        use_database "$name"
        fill_users "$name" "$users"
    done
    query -d "$(database_url bench_pgbench)" -v "today=$today" -v "day=$day" -f "$here/Ingest/batches.sql" >/dev/null
    make_tokens "$work/tokens" "$users"
}

# Sets `process[NAME]`: pid, port and admin port of everyone who answers HTTP.
start_services() {
    local count
    choose_loops
    declare -gA process=()
    for count in "${loops[@]}"; do
        run_service ingest "ingest-$count" STRIDE_LOOPS="$count"
        process[ingest-$count]="$pid $port $admin_port"
        run_service progress "progress-$count" STRIDE_LOOPS="$count"
        process[progress-$count]="$pid $port $admin_port"
    done
    one_summary "$port" >"$work/body"
    all=${loops[-1]}
    run_nginx nginx "$all" "$work/body"
    process[nginx]="$pid $port 0"
    run_peer bench_peer
    process[peer]="$pid $port 0"
    one_summary "$port" >"$work/peer-body"
}

# Everyone works for two seconds before the first figure is taken.
warm_up() {
    local count
    for count in "${loops[@]}"; do seconds=2 post 0 warm "ingest-$count" 64 1; done
    seconds=2 post 0 warm peer 64 1
    fill_caches
    : >"$work/rows"
}

# post ROUND NAME PROCESS CONNECTIONS WORKOUTS
post() {
    # shellcheck disable=SC2086
    measure_api "$1" "$2" ${process[$3]} "$4" "$5"
}

# summaries ROUND NAME PROCESS any|each
summaries() {
    # shellcheck disable=SC2086
    measure_summaries "$1" "$2" ${process[$3]} 64 "$4"
}

# Both caches are full before the summaries.
fill_caches() {
    summaries 0 fill "progress-$all" each
    summaries 0 fill peer each
}

# The rate that the round has measured for a row: rate_of ROUND NAME
rate_of() { awk -v round="$1" -v name="$2" '$1 == round && $2 == name { print $3 }' "$work/rows"; }

measure_round() {
    local round=$1 count pace
    for count in "${loops[@]}"; do post "$round" "post-$count" "ingest-$count" 768 1; done
    measure_pgbench "$round" transaction transaction 1 32
    measure_pgbench "$round" statement statement 1 32
    post "$round" post-peer peer 64 1
    # Twice as many as there are transactions under way: one is written while the next is gathered.
    post "$round" batch "ingest-$all" $((4 * all)) "$batch"
    measure_pgbench "$round" batch-pgbench batched "$batch" 3 -D first=0 -D count=333
    for count in "${loops[@]}"; do
        pace=$(awk "BEGIN { printf \"%d\", $(rate_of "$round" "post-$count") / 2 }")
        # shellcheck disable=SC2086
        measure_pace "$round" "pace-$count" ${process[ingest-$count]% *} "$pace"
    done
    measure_pgbench "$round" commit statement 1 1
    fill_caches
    for count in "${loops[@]}"; do summaries "$round" "get-$count" "progress-$count" any; done
    summaries "$round" nginx nginx any
    summaries "$round" get-peer peer any
}

# An acknowledged workout must be a row; calls that wrk left unanswered at its end may be rows too.
count_rows() {
    local count more=0
    for count in "${loops[@]}"; do
        # shellcheck disable=SC2086
        set -- ${process[ingest-$count]}
        more=$((more + $({
            answers "$3" /v1/workouts
            answers "$3" /v1/workouts/batch
        } | awk -v batch="$batch" '$1 == 201 { sum += $2 } $1 == 200 { sum += batch * $2 } END { printf "%d", sum }')))
    done
    stored=$((stored + $(query -d "$(database_url bench_speed)" -c 'select count(*) from workouts')))
    ((stored >= more)) || die "$more workouts are acknowledged, $stored are stored"
    acknowledged=$more
}

empty_tables() {
    local name
    for name in bench_pgbench bench_peer bench_speed; do
        query -d "$(database_url "$name")" -c 'truncate workouts, cache_marks' -c 'vacuum daily_totals, users' >/dev/null
    done
}

# A row of the aims: what, of whom, its name; against whom, its name; which column of the rows; the aim.
print_aims() {
    cat <<TEXT
single POST, durable, all checks on|post-$all|pgbench, a transaction each, 32 clients|transaction|rate|>= 4
the same|post-$all|pgbench, a statement each, 32 clients|statement|rate|>= 1.8
the same|post-$all|FastAPI, asyncpg, redis-py|post-peer|rate|>= 17
batches of $batch, workouts|batch|pgbench, the same SQL|batch-pgbench|rate|>= 0.8
GET progressSummary, warm|get-$all|nginx, return 200, as many bytes|nginx|rate|>= 0.7
the same|get-$all|FastAPI, asyncpg, redis-py|get-peer|rate|>= 14
p99 of single POST at half of the greatest rate|pace-$all|pgbench, one commit, 1 client|commit|p99|<= 3
the same with 1 loop|pace-1|pgbench, one commit, 1 client|commit|p99|<= 3
CPU of ingest for a POST|post-$all|||service|<= 20
CPU of PostgreSQL for a POST|post-$all|||postgres|<= 28
CPU of Redis for a POST|post-$all|||redis|<= 8
$all loops, single POST|post-$all|1 loop|post-1|rate|>= 1
$all loops, GET progressSummary|get-$all|1 loop|get-1|rate|>= 1
TEXT
}

prepare
start_services
warm_up
count_rows
empty_tables
for ((round = 1; round <= rounds; round++)); do
    measure_round "$round"
    count_rows
    empty_tables
    say "round $round of $rounds after $SECONDS s" >&2
done
print_aims >"$work/aims"
{
    print_machine
    say "$rounds rounds of $seconds s for each; bodies of $(wc -c <"$work/body") bytes (the peer's: $(wc -c <"$work/peer-body"))"
    say
    awk -v tick="$tick" -f "$here/Support/median.awk" -f "$here/Speed/aims.awk" "$work/aims" "$work/rows"
    say
    # Ratios are the same on a faster machine, microseconds are not.
    awk -v tick="$tick" '$2 == "nginx" { spent += $8 * tick; calls += $6 }
        END { printf "nginx spends %.1f µs of CPU on an answer here\n", spent / calls }' "$work/rows"
    say "$acknowledged workouts acknowledged, $stored stored"
} | tee "$root/.dev/speed.md.new"
cp -- "$work/rows" "$root/.dev/speed.rows"
mv -- "$root/.dev/speed.md.new" "$root/.dev/speed.md"
