# shellcheck shell=bash disable=SC2034,SC2154
# `./dev up`: from a fresh checkout to a running system and a week to look at.

demo_zone=Europe/Berlin

cmd_up() {
    local text fresh_password=false
    prepare_folder
    lock_checkout
    need_packages "${packages_to_build[@]}" "${packages_to_run[@]}" "${packages_for_wasm[@]}"
    need_swift

    # What can be wrong with the settings is said before the long build.
    [[ -s $dev/postgres-password ]] || fresh_password=true
    make_secret "$dev/postgres-password"
    make_secret "$dev/token-secret"
    choose_base
    text=$(settings)
    check_ports "$text"
    build_products

    text+=$'\n'STRIDE_SERVERS_FOLDER=$(printf '%q' "$base")
    stop_if_changed "$text"
    write_env "$text"
    load_env

    each_service need_service_ports
    up_servers
    stride migrate >"$dev/logs/migrate.log" 2>&1 9>&- ||
        die "stride migrate failed: $(tail -n 1 "$dev/logs/migrate.log") (log: $dev/logs/migrate.log)"
    each_service start_service
    each_service await_service
    write_env "$text"$'\n'"$(print_pids)"
    first_workout
    demo_fortnight
    summary
}

# The services and the tool, without what only tests and benchmarks need.
build_products() {
    local entry name kind from=$SECONDS
    local -a names=() static_flags
    for entry in "${services[@]}" "stride - product"; do
        read -r name _ kind <<<"$entry"
        [[ $kind != product ]] || names+=("$name")
    done
    say "building ${names[*]} and the web app: some minutes the first time, seconds afterwards"
    set_static_flags || die "this toolchain has no static libraries that fit"
    for name in "${names[@]}"; do run_logged build swift build -c release "${static_flags[@]}" --product "$name"; done
    build_web
    say "built in $((SECONDS - from)) s"
}

# What runs with other settings is stopped first.
stop_if_changed() {
    [[ -e $dev/env ]] || return 0
    [[ $(grep -v '_PID=' "$dev/env") != "$1" ]] || return 0
    say "settings changed: starting anew"
    stop_everything
}

up_servers() {
    local log=$dev/logs/postgres.log
    if ! postgres_pid "$base" >/dev/null; then
        need_free_port "$STRIDE_POSTGRES_PORT" PostgreSQL STRIDE_POSTGRES_PORT
        if [[ -e $base/postgres && $fresh_password == true ]]; then
            reset_password "$base" "$(<"$dev/postgres-password")" "$log"
        fi
        create_postgres "$base" "$(<"$dev/postgres-password")" "$log"
        start_postgres "$base" "$STRIDE_POSTGRES_PORT" "$log" ||
            die "PostgreSQL does not start: $(reason "$log") (log: $log)"
    fi
    log=$dev/logs/redis.log
    if ! redis_pid "$base" >/dev/null; then
        need_free_port "$STRIDE_REDIS_PORT" Redis STRIDE_REDIS_PORT
        start_redis "$base" "$STRIDE_REDIS_PORT" "$log" ||
            die "Redis does not start: $(reason "$log") (log: $log)"
    fi
}

print_pids() {
    printf 'STRIDE_POSTGRES_PID=%s\n' "$(postgres_pid "$base")"
    printf 'STRIDE_REDIS_PID=%s\n' "$(redis_pid "$base")"
    each_service print_service_pid
}

# Runs the operator's tool; what runs here is not asked through a proxy.
stride() { no_proxy=127.0.0.1 "$root/.build/release/stride" "$@"; }

# The same workout with every `up`: the first time it is new (201), afterwards a duplicate (200).
first_workout() {
    local body=$dev/first-workout.json token answer status id now
    if [[ ! -s $body ]]; then
        id=$(</proc/sys/kernel/random/uuid)
        now=$(($(date +%s) * 1000))
        printf '{"requestId":"%s","start_time":%d,"end_time":%d,"steps":120,"distance":87.5,"time_zone":"%s"}\n' \
            "$id" $((now - 60000)) "$now" "$demo_zone" >"$body.new"
        mv -- "$body.new" "$body"
    fi
    token=$(stride token --sub demo) || die "stride token failed"
    # The token goes by standard input: arguments can be read by everyone on this machine.
    # A service whose database has just come back asks to try again: each answer takes the place of the one before in the file.
    status=$(curl -sS --noproxy '*' --max-time 10 --retry 5 -w '%{http_code}' -o "$dev/first-answer" -K - \
        -H 'Content-Type: application/json' --data-binary "@$body" "$STRIDE_GATEWAY_URL/v1/workouts" \
        <<<"header = \"Authorization: Bearer $token\"" 2>"$dev/logs/first-workout.log") ||
        die "the first workout got no answer: $(tail -n 1 "$dev/logs/first-workout.log")"
    answer=$(<"$dev/first-answer")
    [[ $status == 20[01] ]] || die "the first workout was answered with $status: $answer"
    say "POST /v1/workouts -> $status $answer"
}

# A made-up fortnight of the user demo, and the proof that what the cache shows is what is stored.
demo_fortnight() {
    local log=$dev/logs/demo.log
    stride demo --sub demo --time-zone "$demo_zone" >"$log" 2>&1 9>&- ||
        die "stride demo failed: $(tail -n 1 "$log") (log: $log)"
    say "stride demo -> $(tail -n 1 "$log")"
    log=$dev/logs/verify.log
    stride verify >"$log" 2>&1 9>&- ||
        die "stride verify: cache and database differ: $(tail -n 1 "$log") (log: $log)"
    say "stride verify -> cache and database agree"
}

print_service_url() {
    local note="the whole API"
    [[ -z $3 ]] || note="admin http://127.0.0.1:$3"
    printf '  %-12s %-26s %s\n' "$1" "http://127.0.0.1:$2" "$note"
}

summary() {
    say
    say "running:"
    each_service print_service_url
    printf '  %-12s %s\n' postgres "127.0.0.1:$STRIDE_POSTGRES_PORT" redis "127.0.0.1:$STRIDE_REDIS_PORT"
    say "the app: $STRIDE_GATEWAY_URL/   (sign in with a token: ./dev token demo)"
    say "all settings: .dev/env   stop: ./dev down"
    say
    stride summary --sub demo || die "stride summary failed"
    say
    say "try: curl -H \"Authorization: Bearer \$(./dev token demo)\" \\"
    say "       $STRIDE_GATEWAY_URL/v1/progressSummary"
}
