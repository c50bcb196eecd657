# shellcheck shell=bash disable=SC2034,SC2154
# What runs from images: the fleet of `./dev images`, and `./dev test --containers`.
#
# Pods are those of k8s/overlays/dev, run by podman; Scripts/checks/pods.py says what a single machine replaces.

fleet_services=(ingest plan progress leaderboard)

# Prints NAME=VALUE words for pods: the ports and budgets that the environment has, and what a store without TLS needs.
pod_settings() {
    local name port admin
    printf '%s\n' PGSSLMODE=disable "STRIDE_BIND=127.0.0.1" "STRIDE_GATEWAY_PORT=$STRIDE_GATEWAY_PORT"
    for name in "${!STRIDE_USER_@}"; do printf '%s\n' "$name=${!name}"; done
    for name in "${fleet_services[@]}"; do
        port=STRIDE_${name^^}_PORT
        admin=STRIDE_${name^^}_ADMIN_PORT
        printf '%s\n' "$port=${!port}" "$admin=${!admin}" "STRIDE_${name^^}_ADDRESS=127.0.0.1:${!port}"
    done
}

# Lays the Secrets of the manifests out as files: write_pod_secrets FOLDER POSTGRES_URL REDIS_URL TOKEN_SECRET_FILE
write_pod_secrets() {
    local group=65532
    rm -rf -- "$1"
    install -d -m 0711 -- "$1"
    install -d -m 0750 -g "$group" -- "$1"/{stride-postgres-app,stride-postgres-ca,stride-redis,stride-tokens}
    (
        umask 077
        printf '%s' "$2" >"$1/stride-postgres-app/uri"
        printf '%s' "$3" | tee -- "$1/stride-redis/url" >"$1/stride-redis/budgets-url"
        cp -- "$4" "$1/stride-tokens/token-secret"
        : >"$1/stride-postgres-ca/ca.crt"
    )
    chgrp "$group" -- "$1"/*/*
    chmod 0440 -- "$1"/*/*
}

# Runs `stride` in its container as the migration Job says, with other words: run_stride FOLDER WORD…
run_stride() {
    local pods=$1
    local -a words settings
    shift
    mapfile -t settings < <(pod_settings)
    mapfile -t words < <("$checks/venv/bin/python" "$root/Scripts/checks/pods.py" flags \
        "$checks/rendered/overlays-dev.yaml" migrate "$pods" "${settings[@]}")
    [[ ${#words[@]} -gt 2 && ${words[-1]} == migrate ]] || die "the migration Job cannot be read"
    podman run --rm --no-healthcheck "--volume=$pods/stride-tokens:/run/secrets/tokens:ro" \
        --env=STRIDE_TOKEN_SECRET_FILE=/run/secrets/tokens/token-secret \
        --env=STRIDE_GATEWAY_URL="http://127.0.0.1:$STRIDE_GATEWAY_PORT" "${words[@]:0:${#words[@]}-1}" "$@" 9>&-
}

# Starts all Deployments from their images: start_fleet FOLDER
start_fleet() {
    local -a settings
    mapfile -t settings < <(pod_settings)
    "$checks/venv/bin/python" "$root/Scripts/checks/pods.py" play "$checks/rendered/overlays-dev.yaml" "$1" \
        "${settings[@]}" >"$1/pods.yaml"
    run_logged migrate run_stride "$1" migrate
    # Not in the checkout: where memory ends, the container's monitor leaves a file in the folder in which it was called.
    run_logged pods env -C "$1" podman play kube --network host "$1/pods.yaml"
}

# Ends what start_fleet has started, if it has: stop_fleet FOLDER
stop_fleet() {
    [[ -e $1/pods.yaml ]] || return 0
    podman pod stop -t 30 -a >/dev/null 2>&1 || true
    podman play kube --down "$1/pods.yaml" >/dev/null 2>&1 || true
    rm -f -- "$1/pods.yaml"
}

# Ends all that a run has left of containers: end_containers RUN_FOLDER
end_containers() {
    local group
    stop_fleet "$1/pods"
    podman rm -f -t 0 -a >/dev/null 2>&1 || true
    for group in /sys/fs/cgroup{,/memory,/cpu}/stride-"${1##*.}"{/*,}; do
        [[ ! -d $group ]] || rmdir -- "$group" 2>/dev/null || true
    done
}

fleet_is_ready() {
    local name admin
    for name in "${fleet_services[@]}"; do
        admin=STRIDE_${name^^}_ADMIN_PORT
        answers -f "http://127.0.0.1:${!admin}/readyz" || return 1
    done
    answers "http://127.0.0.1:$STRIDE_GATEWAY_PORT/v1"
}

# Everything from images, on the ports and with the stores of `./dev up`.
up_images() {
    local text fresh_password=false
    need_packages "${packages_to_run[@]}"
    [[ -s $dev/postgres-password ]] || fresh_password=true
    make_secret "$dev/postgres-password"
    make_secret "$dev/token-secret"
    choose_base
    text=$(settings)
    check_ports "$text"
    stop_everything
    write_env "$text"$'\n'"STRIDE_SERVERS_FOLDER=$(printf '%q' "$base")"
    load_env
    each_service need_service_ports
    up_servers
    write_pod_secrets "$dev/pods" "$STRIDE_POSTGRES_URL" "$STRIDE_REDIS_URL" "$STRIDE_TOKEN_SECRET_FILE"
    start_fleet "$dev/pods"
    wait_until 60 fleet_is_ready || die "the pods are not ready after 60 s (./dev images podman ps -a)"
    run_stride "$dev/pods" demo --sub demo --time-zone "$demo_zone"
    say "all pods run: http://127.0.0.1:$STRIDE_GATEWAY_PORT   stop: ./dev down"
}

# The images as they run: what Scripts/checks/containers.py looks at, then the system tests with every service inside its image.
test_containers() {
    local name
    prepare_folder
    lock_checkout
    need_packages "${packages_to_build[@]}" "${packages_to_run[@]}"
    [[ ! -e $dev/pods/pods.yaml ]] || die "the pods of ./dev images run; stop them with ./dev down"
    prepare_images
    check_manifests
    build_images
    print_images
    open_run
    printf '%s\n' "$folder/wrapped" >"$folder/bin"
    start_on_free_ports
    for name in GATEWAY INGEST PLAN PROGRESS LEADERBOARD; do
        declare -gx "STRIDE_${name}_PORT=$(free_port)" "STRIDE_${name}_ADMIN_PORT=$(free_port)"
    done
    # One user sends everything.
    export STRIDE_USER_RATE_PER_MINUTE=6000000 STRIDE_USER_BURST=1000000
    make_secret "$folder/token-secret"
    write_pod_secrets "$folder/pods" "$STRIDE_TEST_POSTGRES_URL" "$STRIDE_TEST_REDIS_URL" "$folder/token-secret"
    start_fleet "$folder/pods"
    wait_until 120 fleet_is_ready || die "the pods are not ready after 120 s: $(podman ps -a 2>&1)"
    STRIDE_TEST_TOKEN=$(run_stride "$folder/pods" token --sub walker)
    export STRIDE_TEST_TOKEN
    "$checks/venv/bin/python" "$root/Scripts/checks/containers.py" "$folder/pods" "$checks/rendered/overlays-dev.yaml" \
        "$image_prefix" "$image_limit_mb" || die "the containers do not do what they should"
    stop_fleet "$folder/pods"
    test_compose
    test_wrapped
}

# Suites that start services as processes, end them, kill them and look at what is left.
wrapped_suites='^SystemTests\.(StopTests|KillTests|HealingTests|SecrecyTests|StrangerTests|TwoDevicesTests|LocalDayTests|PlanWeekTests)'
# Leaves settings out, which in a pod the manifests give.
not_wrapped='StopTests/wrongSettings'

# The same system tests as ever, but each service is the one of its image, run as its pod specification says.
test_wrapped() {
    local name pod roots=$folder/roots container status=0
    say "the system tests, with every service inside its image"
    run_logged build-tests in_session swift build --build-tests
    mkdir -p -- "$roots" "$folder/wrapped"
    for name in "${fleet_services[@]}" stride; do
        pod=$name
        [[ $name != stride ]] || pod=migrate
        container=$(podman create --no-healthcheck "$image_prefix/$name:local")
        mkdir -- "$roots/$name"
        podman export "$container" | tar -x -C "$roots/$name"
        podman rm "$container" >/dev/null
        "$checks/venv/bin/python" "$root/Scripts/checks/pods.py" wrap "$checks/rendered/overlays-dev.yaml" "$pod" \
            "$roots/$name" "stride-${folder##*.}" \
            "$(podman image inspect --format '{{json .Config.Env}}' "$image_prefix/$name:local")" \
            PGSSLMODE=disable >"$folder/wrapped/$name"
        chmod 755 "$folder/wrapped/$name"
    done
    export STRIDE_TEST_FOLDERS=$folder
    in_session swift test --skip-build --disable-xctest --filter "$wrapped_suites" --skip "$not_wrapped" || status=$?
    return "$status"
}
