#!/usr/bin/env bash
# What TLS costs ingest: `./dev bench tls`.
#
# The same requests on kept connections, plain and over TLS 1.3, by turns; then handshakes alone. The requests are
# answered with 404, so nothing but HTTP and TLS is measured. Processor time of the service is what counts: wrk has to
# encrypt too, on the same cores. STRIDE_BENCH_SECONDS (5) is the length of one measurement, STRIDE_BENCH_ROUNDS (3) how
# often each is taken; shown are medians.
# shellcheck disable=SC2154 # what Support/ sets
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=Tests/Benchmarks/Support/setup.sh
source "$here/Support/setup.sh" tls

seconds=${STRIDE_BENCH_SECONDS:-$(brief 2 5)}
rounds=${STRIDE_BENCH_ROUNDS:-3}

# Clock ticks of a process so far: spent PID
spent() { sed 's/^.*) //' "/proc/$1/stat" | awk '{ print $12 + $13 }'; }

# requests NAME PID URL: a row with the rate and the microseconds of processor time for each request
requests() {
    local before after
    before=$(spent "$2")
    wrk -t 1 -c 64 -d "${seconds}s" --timeout 10s "$3/v1/nothing" >"$work/wrk.log" 2>&1 ||
        die "wrk failed: $(tail -n 1 "$work/wrk.log")"
    after=$(spent "$2")
    awk -v name="$1" -v spent=$(((after - before) * tick)) '
        / requests in / { count = $1 }
        /^Requests\/sec/ { rate = $2 }
        END { print name, rate, spent / count }' "$work/wrk.log" >>"$work/rows"
}

# handshakes NAME PID PORT OPTIONS…: a row with the rate and the microseconds for each connection
handshakes() {
    local name=$1 pid=$2 port=$3 before after
    shift 3
    before=$(spent "$pid")
    openssl s_time -connect "127.0.0.1:$port" -CAfile "$work/own.pem" -time "$seconds" "$@" >"$work/s_time.log" 2>&1 ||
        die "s_time failed: $(tail -n 1 "$work/s_time.log")"
    after=$(spent "$pid")
    # The number before "connections in … real seconds" counts all of them.
    awk -v name="$name" -v spent=$(((after - before) * tick)) '
        / connections in [0-9]+ real seconds/ { count = $1; rate = $1 / $4 }
        END { print name, rate, spent / count }' "$work/s_time.log" >>"$work/rows"
}

row_median() { awk -v name="$1" -v place="$2" '$1 == name { print $place }' "$work/rows" | sort -n |
    awk '{ value[NR] = $1 } END { print value[int((NR + 1) / 2)] }'; }

use_database bench_tls
openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=localhost \
    -addext subjectAltName=DNS:localhost,IP:127.0.0.1 -keyout "$work/own.key" -out "$work/own.pem" 2>/dev/null
export STRIDE_LOOPS=1
run_service ingest plain
plain=("$pid" "$port")
run_service ingest secure STRIDE_TLS_CERTIFICATE_FILE="$work/own.pem" STRIDE_TLS_KEY_FILE="$work/own.key"
secure=("$pid" "$port")
: >"$work/rows"
for ((round = 0; round <= rounds; round++)); do
    requests plain "${plain[0]}" "http://127.0.0.1:${plain[1]}"
    requests secure "${secure[0]}" "https://127.0.0.1:${secure[1]}"
    handshakes full "${secure[0]}" "${secure[1]}" -tls1_3 -new
    # In 1.3 s_time closes before the ticket has come.
    handshakes resumed "${secure[0]}" "${secure[1]}" -tls1_2 -reuse
    ((round > 0)) || : >"$work/rows" # the first is for warmth
done
say "$rounds rounds of $seconds s, $(nproc) cores, load average $(cut -d ' ' -f 1 /proc/loadavg)"
for name in plain secure full resumed; do
    printf '%-8s %9.0f a second, %7.1f us of the service each\n' "$name" "$(row_median "$name" 2)" "$(row_median "$name" 3)"
done
awk -v plain="$(row_median plain 2)" -v secure="$(row_median secure 2)" -v less="$(row_median plain 3)" -v more="$(row_median secure 3)" \
    'BEGIN { printf "over TLS: %.2f of the plain rate, %.2f times the processor time\n", secure / plain, more / less }'
