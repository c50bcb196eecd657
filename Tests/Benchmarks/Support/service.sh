# shellcheck shell=bash disable=SC2034,SC2154
# A service under measurement: starting it, asking it what it did, and how large it is.

# Starts a service with more settings and waits until it is ready: run_service PRODUCT NAME KEY=VALUE…
# Sets `pid`, `port`, `admin_port` and `ready_milliseconds`.
run_service() {
    local product=$1 name=$2 begin deadline=$((SECONDS + 20))
    shift 2
    port=$(free_port)
    admin_port=$(free_port)
    begin=${EPOCHREALTIME/./}
    env "${product_environment[@]}" "$@" "STRIDE_${product^^}_PORT=$port" "STRIDE_${product^^}_ADMIN_PORT=$admin_port" \
        "$STRIDE_TEST_BIN/$product" >"$work/$name.log" 2>&1 &
    pid=$!
    pids+=("$pid")
    until is_ready "$admin_port"; do
        [[ -d /proc/$pid ]] || die "$product ended at its start: $(tail -n 1 "$work/$name.log")"
        ((SECONDS < deadline)) || die "$product is not ready after 20 s: $(tail -n 1 "$work/$name.log")"
        sleep 0.001
    done
    ready_milliseconds=$(((${EPOCHREALTIME/./} - begin) / 1000))
}

# Asks without starting a process, which would take longer than the service needs to start.
is_ready() {
    local status
    {
        exec {socket}<>"/dev/tcp/127.0.0.1/$1" || return 1
        printf 'GET /readyz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n' >&"$socket"
        read -r -t 1 _ status _ <&"$socket"
        exec {socket}>&-
    } 2>/dev/null
    [[ $status == 200 ]]
}

# Ends a process that was started here: end_process PID
end_process() {
    kill -s TERM "$1" 2>/dev/null || return 0
    wait "$1" 2>/dev/null || true
}

# How many calls of a route were answered with which status, `STATUS COUNT` a line: answers ADMIN_PORT ROUTE
answers() {
    curl -fsS --noproxy '*' --max-time 5 "http://127.0.0.1:$1/metrics" | awk -v route="http_route=\"$2\"" '
        /^http_server_request_duration_seconds_count/ && index($0, route) {
            match($0, /status_code="[0-9]+"/)
            sum[substr($0, RSTART + 13, RLENGTH - 14)] += $NF
        }
        END { for (status in sum) print status, sum[status] }'
}

# A line of /proc/PID/status in KiB: memory PID VmRSS
memory() { awk -v key="$2:" '$1 == key { print $2 }' "/proc/$1/status"; }

# KiB for each of COUNT connections that have had one answer and are silent now: idle_connection PID PORT COUNT
# Sets `idle_count` and `idle_kib`.
idle_connection() {
    local before
    before=$(memory "$1" VmRSS)
    read -r idle_count idle_kib < <(
        for ((number = 0; number < $3; number++)); do
            exec {socket}<>"/dev/tcp/127.0.0.1/$2" || break
            printf 'GET /v1/nothing HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n' >&"$socket"
            read -r -t 5 _ <&"$socket" || break
        done
        sockets=("/proc/$1/fd/"*)
        awk -v count="$number" -v open="${#sockets[@]}" -v grown=$(($(memory "$1" VmRSS) - before)) '
            BEGIN { print (open < count ? open : count), sprintf("%.2f", grown / count) }'
    )
}
