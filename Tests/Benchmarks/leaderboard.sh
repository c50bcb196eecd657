#!/usr/bin/env bash
# A board of a million athletes: how long the import takes, how large it is in Redis, how quickly pages, ranks and neighbours are
# answered while results come in, and the first page against nginx that returns as many bytes from memory.
# Settings: STRIDE_BENCH_ATHLETES (1000000), STRIDE_BENCH_SECONDS (8) the length of one measurement, STRIDE_BENCH_ROUNDS (3)
# how often each is taken.
# shellcheck disable=SC2154 # what Support/ sets
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=Tests/Benchmarks/Support/setup.sh
source "$here/Support/setup.sh" leaderboard

athletes=${STRIDE_BENCH_ATHLETES:-$(brief 200000 1000000)}
seconds=${STRIDE_BENCH_SECONDS:-$(brief 3 8)}
rounds=${STRIDE_BENCH_ROUNDS:-3}

prepare() {
    use_database bench_leaderboard
    export STRIDE_LOOPS=1
    export STRIDE_LEADERBOARD_RATE_PER_MINUTE=60000000 STRIDE_LEADERBOARD_BURST=1000000
    make_tokens "$work/tokens" 100 --scope leaderboard:write
    awk -v count="$athletes" 'BEGIN {
        srand(1)
        print "id,name,score"
        for (id = 1; id <= count; id++) printf "%d,\"Athlete %d\",%d\n", id, id, rand() * 1000000
    }' >"$work/athletes.csv"
}

# Sets `elapsed` to the milliseconds that a command takes: clocked COMMAND…
clocked() {
    local begin=${EPOCHREALTIME/./}
    "$@"
    elapsed=$(((${EPOCHREALTIME/./} - begin) / 1000))
}

import() {
    "$STRIDE_TEST_BIN/stride" athletes import "$work/athletes.csv" --challenge open >"$work/import.log" 2>&1 ||
        die "the import failed: $(tail -n 1 "$work/import.log")"
}

ask() { curl -fsS --noproxy '*' --max-time 20 "$@"; }

await_board() {
    local deadline=$((SECONDS + 300))
    until ask -D - -o "$work/page" "http://127.0.0.1:$port/v1/athletes" | grep -qi '^x-stride-source: cache'; do
        ((SECONDS < deadline)) || die "the board is not there after 300 s: $(tail -n 1 "$work/leaderboard.log")"
        sleep 0.1
    done
}

# Sets `rate`, `p50`, `p99` and `errors`: load WHAT PORT CONNECTIONS CALLS_A_SECOND (0: as many as are answered)
load() {
    wrk -t 1 -c "$3" -d "${seconds}s" --timeout 10s -s "$here/Leaderboard/calls.lua" "http://127.0.0.1:$2" -- \
        "$1" "$athletes" "$4" "$work/tokens" >"$work/wrk-$1.log" 2>&1 || die "wrk failed: $(tail -n 1 "$work/wrk-$1.log")"
    read -r _ rate p50 p99 errors < <(grep '^RESULT ' "$work/wrk-$1.log") || die "wrk said nothing"
    [[ $errors == 0 ]] || say "  $errors errors in $1"
}

against_nginx() {
    local round ours=() theirs=() alone
    for ((round = 1; round <= rounds; round++)); do
        load top "$nginx_port" 64 0
        theirs+=("$rate")
        load top "$port" 64 0
        ours+=("$rate")
    done
    alone=$(median "${ours[@]}")
    say "first page of $1 bytes, 64 connections, warm: leaderboard $alone/s (p99 $p99 ms)," \
        "nginx return 200 $(median "${theirs[@]}")/s;" \
        "ratio $(awk "BEGIN { printf \"%.2f\", $alone / $(median "${theirs[@]}") }")"
}

# 1000 results a second over up to 64 connections, and beside them 1000 reads a second over 32.
under_results() {
    local what wrote
    for what in top page rank around; do
        load result "$port" 64 1000 &
        local writer=$!
        sleep 0.2
        load "$what" "$port" 32 1000
        wait "$writer"
        wrote=$(awk '/^RESULT / { print $2 " results/s, p99 " $4 " ms" }' "$work/wrk-result.log")
        say "  $what: $rate/s, p50 $p50 ms, p99 $p99 ms, beside $wrote"
    done
}

print_memory() {
    local key bytes
    for key in ranks athletes; do
        bytes=$(redis-cli -p "$STRIDE_TEST_REDIS_PORT" memory usage "stride:{board:open}:$key" samples 0)
        say "  $key: $((bytes / 1048576)) MiB, $((bytes / athletes)) bytes an athlete"
    done
    say "  leaderboard: $(($(memory "$pid" VmRSS) / 1024)) MiB resident, $(($(memory "$pid" VmHWM) / 1024)) MiB at most"
}

prepare
clocked import
imported=$elapsed
run_service leaderboard leaderboard
board=("$pid" "$port")
ask -o /dev/null "http://127.0.0.1:$port/v1/athletes"
clocked await_board
built=$elapsed
size=$(wc -c <"$work/page")
run_nginx nginx 1 "$work/page"
nginx_port=$port
pid=${board[0]}
port=${board[1]}
print_machine
say "$athletes athletes imported in $((imported / 1000)) s ($((athletes * 1000 / imported))/s); board built in $built ms"
say "memory in Redis:"
print_memory
against_nginx "$size"
say "while results come in:"
under_results
print_memory
clocked import
say "import of the same file again: $((elapsed / 1000)) s"
