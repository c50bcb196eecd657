# shellcheck shell=bash disable=SC2034,SC2154
# The services of `./dev up`. One line each; `name` gives the variables STRIDE_NAME_PORT and STRIDE_NAME_ADMIN_PORT,
# `kind` the functions command_KIND, prepare_KIND and ready_KIND. A gateway has no admin port.
services=(
    # name  port  kind
    "gateway 8080 nginx"
    "ingest 8081 product"
    "plan   8082 product"
    "progress 8083 product"
    "leaderboard 8084 product"
)

# What the executables are started with, as in docker/Dockerfile. A call takes some thirty pieces of memory and gives them back
# when a batch with some hundred others is answered; the C library keeps seven of a size at hand for a thread, unless told.
product_environment=(GLIBC_TUNABLES=glibc.malloc.tcache_count=500)

# Set `command` and `stop_signal`: command_KIND NAME. The last word must be a path of this checkout's own.
command_product() {
    command=(env "${product_environment[@]}" "$root/.build/release/$1")
    stop_signal=TERM
}

command_nginx() {
    command=("${as_server[@]}" /usr/sbin/nginx -e stderr -p "$base/$1/" -c "$base/$1/$1.conf")
    stop_signal=QUIT # TERM would cut what it is answering
}

# Make what a service needs before it starts: prepare_KIND NAME
prepare_product() { :; }

# Writes the configuration if it has changed; like the stores, nginx runs under the servers' account.
prepare_nginx() {
    local folder=$base/$1 log=$dev/logs/$1.log text
    [[ -d $folder ]] || mkdir -m 700 -- "$folder"
    touch -- "$log"
    "$root/Scripts/render-docs.sh" "$folder/docs" || die "cannot render the page about the API"
    own_by_server "$folder" "$folder/docs" "$log"
    text=$(render_gateway) || die "cannot render the configuration of $1"
    [[ $text == "$(cat -- "$folder/$1.conf" 2>/dev/null)" ]] || write_as_server "$folder/$1.conf" <<<"$text"
    place_web "$folder"
}

# Puts the web app where nginx looks for it, in one step: a browser that loads it meanwhile gets one version or the other.
place_web() {
    [[ -d $root/.build/web ]] || return 0
    rm -rf -- "$1/web.new" "$1/web.old"
    cp -Rp -- "$root/.build/web" "$1/web.new"
    ((EUID != 0)) || chown -R -- "$server_account:" "$1/web.new"
    [[ ! -e $1/web ]] || mv -- "$1/web" "$1/web.old"
    mv -- "$1/web.new" "$1/web"
    rm -rf -- "$1/web.old"
}

# Prints the gateway's configuration for this machine; a service that is not here yet is one that does not answer.
render_gateway() {
    local bind=$STRIDE_BIND name url
    local -a addresses=()
    [[ $bind != *:* ]] || bind="[$bind]"
    for name in INGEST:8081 PLAN:8082 PROGRESS:8083 LEADERBOARD:8084; do
        url=STRIDE_${name%:*}_URL
        url=${!url:-http://127.0.0.1:${name#*:}}
        addresses+=("STRIDE_${name%:*}_ADDRESS=${url#http://}")
    done
    env STRIDE_BIND="$bind" STRIDE_GATEWAY_PORT="$STRIDE_GATEWAY_PORT" "${addresses[@]}" \
        STRIDE_GATEWAY_RATE_PER_MINUTE="${STRIDE_GATEWAY_RATE_PER_MINUTE:-600}" \
        STRIDE_GATEWAY_BURST="${STRIDE_GATEWAY_BURST:-200}" \
        STRIDE_GATEWAY_CONNECTIONS="${STRIDE_GATEWAY_CONNECTIONS:-1000}" \
        STRIDE_CORS_ORIGINS="${STRIDE_CORS_ORIGINS:-}" \
        STRIDE_GATEWAY_ANSWER_SECONDS="${STRIDE_GATEWAY_ANSWER_SECONDS:-10}" "$root/Scripts/render-gateway.sh"
}

# Say whether a service accepts work: ready_KIND PORT ADMIN_PORT
ready_product() { answers -f "http://127.0.0.1:$2/readyz"; }
ready_nginx() { answers "http://127.0.0.1:$1/"; } # whatever it answers

answers() { curl -sS -o /dev/null --noproxy '*' --max-time 1 "$@" 2>/dev/null; }

# Calls a function with name, port and admin port of each service: each_service FUNCTION
each_service() {
    local entry name port admin kind stop_signal
    local -a command
    for entry in "${services[@]}"; do
        read -r name _ kind <<<"$entry"
        port=STRIDE_${name^^}_PORT
        admin=STRIDE_${name^^}_ADMIN_PORT
        "command_$kind" "$name"
        "$1" "$name" "${!port:-}" "${!admin:-}"
    done
}

# The functions below are called by each_service, with `kind`, `command` and `stop_signal` set.

service_pid() { live_pid "$dev/run/$1.pid" "${command[-1]}"; }

# Whether a service runs and accepts work: service_is_ready NAME PORT ADMIN_PORT
service_is_ready() { service_pid "$1" >/dev/null && "ready_$kind" "$2" "$3"; }

service_is_settled() { service_is_ready "$@" || ! is_alive "$(<"$dev/run/$1.pid")"; }

# Fails if something else holds a port of a service that does not run.
need_service_ports() {
    local variable=STRIDE_${1^^}
    ! service_pid "$1" >/dev/null || return 0
    need_free_port "$2" "$1" "${variable}_PORT"
    [[ -z $3 ]] || need_free_port "$3" "the admin port of $1" "${variable}_ADMIN_PORT"
}

# Starts a service unless it runs; one that runs from an older build is started anew.
start_service() {
    local name=$1
    "prepare_$kind" "$name"
    if service_pid "$name" >/dev/null && [[ ${command[-1]} -nt $dev/run/$name.pid ]]; then
        stop_service "$name"
    fi
    if ! service_pid "$name" >/dev/null; then
        need_service_ports "$@"
        launch "$dev/run/$name.pid" "$root" "$dev/logs/$name.log" "${command[@]}"
    fi
}

await_service() {
    local log=$dev/logs/$1.log
    wait_until 20 service_is_settled "$@" || die "$1 is not ready after 20 s (log: $log)"
    service_is_ready "$@" || die "$1 ended at its start: $(tail -n 1 "$log") (log: $log)"
}

stop_service() { stop "$dev/run/$1.pid" "${command[-1]}" "$stop_signal" 20; }

# All at once, then wait: the time to drain is shared.
terminate_service() {
    local pid
    if pid=$(service_pid "$1"); then kill -s "$stop_signal" "$pid" 2>/dev/null || true; fi
}

stop_services() {
    each_service terminate_service
    each_service stop_service
}

service_row() {
    local pid ready=no
    pid=$(service_pid "$1") || pid=-
    [[ $pid == - || -z $2 ]] || ! service_is_ready "$@" || ready=yes
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
