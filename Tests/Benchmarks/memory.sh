#!/usr/bin/env bash
# What ingest holds in memory while it works at its full rate for long: `./dev bench memory`, or `./dev bench --long`.
#
# Single workouts of a thousand users over 256 connections, one loop a core; the resident memory every half minute. It is
# flat if the mean of the last third of the time is at most a hundredth above that of the third before.
# STRIDE_BENCH_MINUTES (10) is how long. The aim: at most 50 MiB, flat.
# shellcheck disable=SC2154 # what Support/ sets
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=Tests/Benchmarks/Support/setup.sh
source "$here/Support/setup.sh" memory

minutes=${STRIDE_BENCH_MINUTES:-10}
users=1000
interval=30

# Samples while the load goes on: SECONDS KiB CALLS, one a line.
watch() {
    local begin=$SECONDS
    while kill -0 "$1" 2>/dev/null; do
        printf '%d %d %d\n' $((SECONDS - begin)) "$(memory "$pid" VmRSS)" \
            "$(answers "$admin_port" /v1/workouts | awk '$1 == 201 { sum += $2 } END { print sum + 0 }')" >>"$work/samples"
        sleep "$interval"
    done
}

lift_budgets
use_database bench_memory
make_tokens "$work/tokens" "$users"
run_service ingest ingest
say "before the first call: $(($(memory "$pid" VmRSS) / 1024)) MiB"
wrk -t 1 -c 256 -d "${minutes}m" --timeout 10s -s "$here/Ingest/workouts.lua" "http://127.0.0.1:$port" -- \
    "$work/tokens" 1 "$today" >"$work/wrk.log" 2>&1 &
load=$!
pids+=("$load")
watch "$load"
wait "$load" || die "wrk failed: $(tail -n 1 "$work/wrk.log")"
print_machine
awk '
    { time[NR] = $1; mebibytes[NR] = $2 / 1024; calls[NR] = $3 }
    NR > 1 { printf "%4d s  %5.1f MiB  %6d workouts/s\n", $1, $2 / 1024, ($3 - calls[NR - 1]) / ($1 - time[NR - 1]) }
    END {
        last = time[NR]
        for (n = 1; n <= NR; n++) {
            if (mebibytes[n] > most) most = mebibytes[n]
            if (time[n] >= last * 2 / 3) { late += mebibytes[n]; count++ }
            else if (time[n] >= last / 3) { before += mebibytes[n]; number++ }
        }
        if (!count || !number) exit
        growth = (late / count) / (before / number)
        printf "%d workouts; at most %.1f MiB (aim 50: %s); last third / third before: %.3f (%s)\n", calls[NR], most,
            (most <= 50 ? "reached" : "NOT reached"), growth, (growth <= 1.01 ? "flat" : "NOT flat")
    }' "$work/samples"
