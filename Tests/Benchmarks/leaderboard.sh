#!/usr/bin/env bash
# A board of a million athletes: how long the import takes, how large it is in Redis, how quickly pages, ranks and neighbours are
# answered while results come in, and the first page against nginx that returns as many bytes from memory.
# Settings: STRIDE_BENCH_ATHLETES (1000000), STRIDE_BENCH_SECONDS (8) the length of one measurement, STRIDE_BENCH_ROUNDS (3)
# how often each is taken.
# shellcheck disable=SC2154,SC2016 # what Support/ sets; variables of nginx
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
root=$(readlink -f -- "$here/../..")
for part in "$root"/Scripts/{common,services,run}.sh "$here"/Support/*.sh; do
    # shellcheck source=/dev/null
    source "$part"
done
[[ -n ${STRIDE_TEST_POSTGRES_URL:-} ]] || die "run it with ./dev bench leaderboard"

athletes=${STRIDE_BENCH_ATHLETES:-1000000}
seconds=${STRIDE_BENCH_SECONDS:-8}
rounds=${STRIDE_BENCH_ROUNDS:-3}
pids=()
work=$(mktemp -d -- "$root/.dev/bench.XXXXXX")

clean_up() {
    local pid
    for pid in "${pids[@]}"; do
        kill -s TERM "$pid" 2>/dev/null || continue
        wait "$pid" 2>/dev/null || true
    done
    rm -rf -- "$work"
}
trap clean_up EXIT

prepare() {
    find_servers
    make_database bench_leaderboard
    head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n' >"$work/secret"
    export STRIDE_TOKEN_SECRET_FILE=$work/secret STRIDE_TOKEN_ISSUER=bench STRIDE_TOKEN_AUDIENCE=stride
    export STRIDE_REDIS_URL=$STRIDE_TEST_REDIS_URL STRIDE_LOOPS=1
    export STRIDE_LEADERBOARD_RATE_PER_MINUTE=60000000 STRIDE_LEADERBOARD_BURST=1000000
    STRIDE_POSTGRES_URL=$(database_url bench_leaderboard)
    export STRIDE_POSTGRES_URL
    "$STRIDE_TEST_BIN/stride" token --sub 'bench-%d' --count 100 --scope leaderboard:write >"$work/tokens" ||
        die "stride token failed"
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

start_leaderboard() {
    local deadline=$((SECONDS + 20))
    port=$(free_port)
    admin_port=$(free_port)
    STRIDE_LEADERBOARD_PORT=$port STRIDE_LEADERBOARD_ADMIN_PORT=$admin_port "$STRIDE_TEST_BIN/leaderboard" \
        >"$work/leaderboard.log" 2>&1 &
    pid=$!
    pids+=("$pid")
    until is_ready "$admin_port"; do
        [[ -d /proc/$pid ]] || die "leaderboard ended at its start: $(tail -n 1 "$work/leaderboard.log")"
        ((SECONDS < deadline)) || die "leaderboard is not ready after 20 s"
        sleep 0.01
    done
}

ask() { curl -fsS --noproxy '*' --max-time 20 "$@"; }

await_board() {
    local deadline=$((SECONDS + 300))
    until ask -D - -o "$work/page" "http://127.0.0.1:$port/v1/athletes" | grep -qi '^x-stride-source: cache'; do
        ((SECONDS < deadline)) || die "the board is not there after 300 s: $(tail -n 1 "$work/leaderboard.log")"
        sleep 0.1
    done
}

# nginx with one worker that returns as many bytes as the first page has; a word of its configuration has 4 KiB at most.
start_nginx() {
    local size=$1 part=2048 words='' rest
    rest=$((size % part))
    for ((place = 0; place < size / part; place++)); do words+='$part'; done
    nginx_port=$(free_port)
    {
        echo "daemon off; master_process off; worker_processes 1; pid $work/nginx.pid; error_log $work/nginx.log;"
        echo "events { worker_connections 1024; }"
        echo "http { access_log off; keepalive_requests 1000000000; default_type application/json;"
        echo "server { listen 127.0.0.1:$nginx_port; location / {"
        printf 'set $part "%s"; set $rest "%s"; return 200 "%s$rest"; } } }\n' \
            "$(printf 'x%.0s' $(seq $part))" "$( ((rest == 0)) || printf 'x%.0s' $(seq $rest))" "$words"
    } >"$work/nginx.conf"
    nginx -e "$work/nginx.log" -p "$work" -c "$work/nginx.conf" >"$work/nginx.out" 2>&1 &
    pids+=($!)
    until port_is_busy "$nginx_port"; do sleep 0.05; done
    [[ $(ask "http://127.0.0.1:$nginx_port/" | wc -c) == "$size" ]] || die "nginx returns another size"
}

# Sets `rate`, `p50`, `p99` and `errors`: load WHAT PORT CONNECTIONS CALLS_A_SECOND (0: as many as are answered)
load() {
    wrk -t 1 -c "$3" -d "${seconds}s" --timeout 10s -s "$here/Leaderboard/calls.lua" "http://127.0.0.1:$2" -- \
        "$1" "$athletes" "$4" "$work/tokens" >"$work/wrk-$1.log" 2>&1 || die "wrk failed: $(tail -n 1 "$work/wrk-$1.log")"
    read -r _ rate p50 p99 errors < <(grep '^RESULT ' "$work/wrk-$1.log") || die "wrk said nothing"
    [[ $errors == 0 ]] || say "  $errors errors in $1"
}

median() { printf '%s\n' "$@" | sort -g | sed -n "$((($# + 1) / 2))p"; }

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

load_before=$(cut -d ' ' -f 1 /proc/loadavg)
prepare
clocked import
imported=$elapsed
start_leaderboard
ask -o /dev/null "http://127.0.0.1:$port/v1/athletes"
clocked await_board
built=$elapsed
size=$(wc -c <"$work/page")
start_nginx "$size"
say "commit $(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown), $(nproc) cores, load average $load_before"
say "$athletes athletes imported in $((imported / 1000)) s ($((athletes * 1000 / imported))/s); board built in $built ms"
say "memory in Redis:"
print_memory
against_nginx "$size"
say "while results come in:"
under_results
print_memory
clocked import
say "import of the same file again: $((elapsed / 1000)) s"
