# shellcheck shell=bash disable=SC2034,SC2154
# The services of `./dev up`. One line each; `name` gives the variables STRIDE_NAME_PORT and STRIDE_NAME_ADMIN_PORT,
# `kind` the function command_KIND that says how it is started.
services=(
    # name  port  kind
    "ingest 8081 product"
    "plan   8082 product"
    "progress 8083 product"
)

# Sets `command` for an executable of this package: command_product NAME. The last word must be a path of this checkout.
command_product() { command=("$root/.build/release/$1"); }

# Calls a function with name, port and admin port of each service: each_service FUNCTION
each_service() {
    local entry name port admin kind
    for entry in "${services[@]}"; do
        read -r name _ kind <<<"$entry"
        port=STRIDE_${name^^}_PORT
        admin=STRIDE_${name^^}_ADMIN_PORT
        "command_$kind" "$name"
        "$1" "$name" "${!port:-}" "${!admin:-}"
    done
}

# The functions below are called by each_service, with `command` set.

service_pid() { live_pid "$dev/run/$1.pid" "${command[-1]}"; }

service_is_ready() { curl -fsS -o /dev/null --noproxy '*' --max-time 1 "http://127.0.0.1:$1/readyz" 2>/dev/null; }

service_is_settled() { service_is_ready "$2" || ! is_alive "$(<"$dev/run/$1.pid")"; }

# Starts a service unless it runs; one that runs from an older build is started anew.
start_service() {
    local name=$1 port=$2 admin=$3 variable=STRIDE_${1^^}
    if service_pid "$name" >/dev/null && [[ ${command[-1]} -nt $dev/run/$name.pid ]]; then
        stop_service "$name"
    fi
    if ! service_pid "$name" >/dev/null; then
        need_free_port "$port" "$name" "${variable}_PORT"
        need_free_port "$admin" "the admin port of $name" "${variable}_ADMIN_PORT"
        launch "$dev/run/$name.pid" "$root" "$dev/logs/$name.log" "${command[@]}"
    fi
}

await_service() {
    local log=$dev/logs/$1.log
    wait_until 20 service_is_settled "$1" "$3" || die "$1 is not ready after 20 s (log: $log)"
    service_is_ready "$3" || die "$1 ended at its start: $(tail -n 1 "$log") (log: $log)"
}

stop_service() { stop "$dev/run/$1.pid" "${command[-1]}" TERM 20; }

# All at once, then wait: the time to drain is shared.
terminate_service() {
    local pid
    if pid=$(service_pid "$1"); then kill -s TERM "$pid" 2>/dev/null || true; fi
}

stop_services() {
    each_service terminate_service
    each_service stop_service
}

service_row() {
    local pid ready=no
    pid=$(service_pid "$1") || pid=-
    [[ $pid == - || -z $3 ]] || ! service_is_ready "$3" || ready=yes
    status_row "$1" "$pid" "${2:--}" "$ready"
}

print_service_pid() {
    local pid
    if pid=$(service_pid "$1"); then printf 'STRIDE_%s_PID=%s\n' "${1^^}" "$pid"; fi
}

# Whether something listens on a port of this machine.
port_is_busy() { (exec 3<>"/dev/tcp/127.0.0.1/$1") 2>/dev/null; }

# need_free_port PORT WHAT VARIABLE
need_free_port() {
    local holder=
    port_is_busy "$1" || return 0
    if has ss; then
        holder=$(ss -Hltnp "sport = :$1" 2>/dev/null | grep -o '"[^"]*",pid=[0-9]*' | head -n 1 | tr -d '"' || true)
    elif has lsof; then
        holder=$(lsof -nP -iTCP:"$1" -sTCP:LISTEN -Fcp 2>/dev/null | paste -sd' ' || true)
    fi
    die "port $1 for $2 is in use${holder:+ by $holder}; free it or set $3"
}
