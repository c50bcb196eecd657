#!/usr/bin/env bash
# What ingest asks of the allocator and the Swift runtime for one workout, and progress for one summary from a warm
# cache: `./dev bench counts`.
#
# Counts, unlike times, do not depend on busy neighbours. More allocations than are allowed here fail the run. One loop, 64 connections, one workout a call.
# STRIDE_BENCH_SECONDS (4) is the length of the measurement.
# shellcheck disable=SC2154 # what Support/ sets
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
root=$(readlink -f -- "$here/../..")
for part in "$root"/Scripts/{common,services,run}.sh "$here"/Support/*.sh; do
    # shellcheck source=/dev/null
    source "$part"
done
[[ -n ${STRIDE_TEST_POSTGRES_URL:-} ]] || die "run it with ./dev bench counts"

today=$(($(date -u -d "$(date -u +%F) 08:00" +%s) * 1000))
users=1000
pids=()
work=$(mktemp -d -- "$root/.dev/bench.XXXXXX")

clean_up() {
    local pid
    for pid in "${pids[@]}"; do end_process "$pid"; done
    rm -rf -- "$work"
}
trap clean_up EXIT

# Asks for some seconds: ask SECONDS SCRIPT ARGUMENTS…
ask() {
    local seconds=$1 script=$2
    shift 2
    wrk -t 1 -c 64 -d "${seconds}s" --timeout 10s -s "$here/$script.lua" "http://127.0.0.1:$port" -- \
        "$work/tokens" "$@" >"$work/wrk.log" 2>&1 || die "wrk failed: $(tail -n 1 "$work/wrk.log")"
}

# Prints how many calls had the expected answer, then the counts in the order of counters.c: counts ROUTE STATUS
counts() {
    answers "$admin_port" "$1" | awk -v status="$2" '$1 == status { printf "%d", $2 }'
    od -An -v -t u8 -w64 "$work/counts"
}

# Counts what a service does for each call: count PRODUCT WHAT MOST_ALLOCATIONS ROUTE STATUS SCRIPT ARGUMENTS…
count() {
    local before after what=$2 most=$3 route=$4 status=$5
    run_service "$1" "$1" STRIDE_LOOPS=1 LD_PRELOAD="$work/counters.so" STRIDE_COUNTERS="$work/counts"
    shift 5
    ask 2 "$@"
    before=$(counts "$route" "$status")
    ask "${STRIDE_BENCH_SECONDS:-4}" "$@"
    after=$(counts "$route" "$status")
    end_process "$pid"
    printf '%s\n%s\n' "$before" "$after" | awk -v what="$what" -v most="$most" '
        NR == 1 { split($0, first); next }
        {
            split("allocations retains releases uniqueness_checks access_checks", name)
            printf "for each of %d %s:", $1 - first[1], what
            for (place = 1; place <= 5; place++)
                printf " %s %.1f", name[place], ($(place + 1) - first[place + 1]) / ($1 - first[1])
            print ""
            exit (($2 - first[2]) / ($1 - first[1]) > most)
        }' || die "more than $most allocations for each of the $what"
}

clang -O2 -shared -fPIC -o "$work/counters.so" "$here/Support/counters.c" -ldl || die "counters.c does not compile"
make_database bench_counts
query -d "$(database_url bench_counts)" -v "users=$users" -v "day=$(date -u +%F)" -f "$here/Progress/users.sql"
head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n' >"$work/secret"
export STRIDE_TOKEN_SECRET_FILE=$work/secret STRIDE_TOKEN_ISSUER=bench STRIDE_TOKEN_AUDIENCE=stride
export STRIDE_REDIS_URL=$STRIDE_TEST_REDIS_URL STRIDE_USER_RATE_PER_MINUTE=60000000 STRIDE_USER_BURST=1000000
STRIDE_POSTGRES_URL=$(database_url bench_counts)
export STRIDE_POSTGRES_URL
"$STRIDE_TEST_BIN/stride" token --sub 'bench-%d' --count "$users" >"$work/tokens" || die "stride token failed"
count progress summaries 28 /v1/progressSummary 200 Progress/summaries any
count ingest workouts 120 /v1/workouts 201 Ingest/workouts 1 "$today"
