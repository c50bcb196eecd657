#!/usr/bin/env bash
# What ingest asks of the allocator for one workout, and progress for one summary from a warm
# cache: `./dev bench counts`.
#
# Counts, unlike times, do not depend on busy neighbours. More allocations than are allowed here fail the run. One loop, 64
# connections, one workout a call.
# STRIDE_BENCH_SECONDS (4) is the length of the measurement.
# shellcheck disable=SC2154 # what Support/ sets
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=Tests/Benchmarks/Support/setup.sh
source "$here/Support/setup.sh" counts

users=1000

# Asks for some seconds: ask SECONDS SCRIPT ARGUMENTS…
ask() {
    local seconds=$1 script=$2
    shift 2
    wrk -t 1 -c 64 -d "${seconds}s" --timeout 10s -s "$here/$script.lua" "http://127.0.0.1:$port" -- \
        "$work/tokens" "$@" >"$work/wrk.log" 2>&1 || die "wrk failed: $(tail -n 1 "$work/wrk.log")"
}

# Prints how many calls had the expected answer, then the allocations: counts ROUTE STATUS
counts() {
    answers "$admin_port" "$1" | awk -v status="$2" '$1 == status { printf "%d", $2 }'
    od -An -v -t u8 "$work/counts"
}

# Counts what a service does for each call: count PRODUCT WHAT MOST_ALLOCATIONS ROUTE STATUS SCRIPT ARGUMENTS…
# What it does every second without a call is taken off, since a slow machine has fewer calls to share it.
count() {
    local idle before after what=$2 most=$3 route=$4 status=$5 seconds=${STRIDE_BENCH_SECONDS:-4}
    run_service "$1" "$1" STRIDE_LOOPS=1 LD_PRELOAD="$work/counters.so" STRIDE_COUNTERS="$work/counts"
    shift 5
    ask 2 "$@"
    sleep 1 # what the calls have left behind is cleared away
    idle=$(counts "$route" "$status")
    sleep "$seconds"
    before=$(counts "$route" "$status")
    ask "$seconds" "$@"
    after=$(counts "$route" "$status")
    end_process "$pid"
    printf '%s\n' "$idle" "$before" "$after" | awk -v what="$what" -v most="$most" '
        { calls[NR] = $1; allocations[NR] = $2 }
        END {
            count = calls[3] - calls[2]
            each = (allocations[3] - 2 * allocations[2] + allocations[1]) / count
            printf "for each of %d %s: allocations %.1f\n", count, what, each
            exit each > most
        }' || die "more than $most allocations for each of the $what"
}

clang -O2 -shared -fPIC -o "$work/counters.so" "$here/Support/counters.c" || die "counters.c does not compile"
use_database bench_counts
fill_users bench_counts "$users"
lift_budgets
make_tokens "$work/tokens" "$users"
count progress summaries 27 /v1/progressSummary 200 Progress/summaries any
count ingest workouts 40 /v1/workouts 201 Ingest/workouts 1 "$today"
