# shellcheck shell=bash disable=SC2034,SC2154
# The short commands: down, status, logs, token, lint.

cmd_down() {
    [[ -d $dev ]] || return 0
    lock_checkout
    choose_base
    load_env || true
    stop_everything
    say "stopped; the data stays in $base"
}

# Services first, so that nobody loses its store.
stop_everything() {
    if [[ -e $dev/pods/pods.yaml ]]; then
        prepare_images
        stop_fleet "$dev/pods"
    fi
    stop_services
    stop_servers "$base"
    rm -f -- "$dev/env"
}

status_row() {
    printf '%-12s %-8s %-6s %s\n' "$@"
    [[ $1 == NAME || $4 == yes ]] || all_ready=false
}

# Ends with 1 unless everything is ready.
cmd_status() {
    local pid ready all_ready=true
    choose_base
    load_env || true
    status_row NAME PID PORT READY
    ready=no
    pid=$(postgres_pid "$base") || pid=-
    ! { postgres_is_ready "$pid" "$base/postgres" && postgres_answers; } || ready=yes
    status_row postgres "$pid" "${STRIDE_POSTGRES_PORT:--}" "$ready"
    ready=no
    pid=$(redis_pid "$base") || pid=-
    [[ $pid == - ]] || ! redis_is_ready "$pid" "${STRIDE_REDIS_PORT:-0}" || ready=yes
    status_row redis "$pid" "${STRIDE_REDIS_PORT:--}" "$ready"
    each_service service_row
    [[ $all_ready == true ]]
}

# Its pid file says ready also while it hangs.
postgres_answers() { "$postgres_bin/pg_isready" -q -t 2 -h 127.0.0.1 -p "${STRIDE_POSTGRES_PORT:-0}"; }

cmd_logs() {
    local -a files=("$dev/logs"/*.log)
    [[ -e ${files[0]} ]] || die "no logs yet; ./dev up makes them"
    if [[ -n ${1:-} ]]; then
        [[ $1 != */* && -e $dev/logs/$1.log ]] ||
            die "no log named $1; there are: $(basename -s .log -- "${files[@]}" | paste -sd' ')"
        files=("$dev/logs/$1.log")
    fi
    local -a follow=()
    [[ ! -t 1 ]] || follow=(-f)
    exec tail -n 100 "${follow[@]}" -- "${files[@]}"
}

cmd_token() {
    local name=${1:-}
    [[ -n $name && $name != -* ]] || die "usage: ./dev token NAME [OPTIONS]"
    shift
    load_env || die "nothing runs; start it with ./dev up"
    exec "$root/.build/release/stride" token --sub "$name" "$@"
}

cmd_lint() {
    prepare_folder
    need_packages "${packages_for_swift[@]}"
    need_swift
    swift format lint --strict --recursive --parallel Shared Services Tests Package.swift || die "lint: not clean"
    say "lint: clean"
}
