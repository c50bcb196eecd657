#!/usr/bin/env bash
# What ingest asks of the allocator and the Swift runtime for one workout: `./dev bench counts`.
#
# Counts, unlike times, do not depend on busy neighbours. One loop, 64 connections, one workout a call.
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
pids=()
work=$(mktemp -d -- "$root/.dev/bench.XXXXXX")

clean_up() {
    local pid
    for pid in "${pids[@]}"; do end_process "$pid"; done
    rm -rf -- "$work"
}
trap clean_up EXIT

# Sends workouts for some seconds: send SECONDS
send() {
    wrk -t 1 -c 64 -d "${1}s" --timeout 10s -s "$here/Ingest/workouts.lua" "http://127.0.0.1:$port" -- \
        "$work/tokens" 1 "$today" >"$work/wrk.log" 2>&1 || die "wrk failed: $(tail -n 1 "$work/wrk.log")"
}

# Prints how many workouts were stored, then the counts in the order of counters.c.
counts() {
    answers "$admin_port" /v1/workouts | awk '$1 == 201 { printf "%d", $2 }'
    od -An -v -t u8 -w64 "$work/counts"
}

clang -O2 -shared -fPIC -o "$work/counters.so" "$here/Support/counters.c" -ldl || die "counters.c does not compile"
make_database bench_counts
head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n' >"$work/secret"
export STRIDE_TOKEN_SECRET_FILE=$work/secret STRIDE_TOKEN_ISSUER=bench STRIDE_TOKEN_AUDIENCE=stride
export STRIDE_REDIS_URL=$STRIDE_TEST_REDIS_URL STRIDE_USER_RATE_PER_MINUTE=60000000 STRIDE_USER_BURST=1000000
STRIDE_POSTGRES_URL=$(database_url bench_counts)
export STRIDE_POSTGRES_URL
"$STRIDE_TEST_BIN/stride" token --sub 'bench-%d' --count 1000 >"$work/tokens" || die "stride token failed"
run_service ingest ingest STRIDE_LOOPS=1 LD_PRELOAD="$work/counters.so" STRIDE_COUNTERS="$work/counts"
send 2
before=$(counts)
send "${STRIDE_BENCH_SECONDS:-4}"
after=$(counts)
printf '%s\n%s\n' "$before" "$after" | awk '
    NR == 1 { split($0, first); next }
    {
        split("allocations retains releases uniqueness_checks access_checks", name)
        printf "for each of %d workouts:", $1 - first[1]
        for (place = 1; place <= 5; place++)
            printf " %s %.1f", name[place], ($(place + 1) - first[place + 1]) / ($1 - first[1])
        print ""
    }'
