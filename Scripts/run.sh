# shellcheck shell=bash disable=SC2034,SC2154
# `./dev test`, and for every command that runs against a PostgreSQL and a Redis of its own: these, which leave with it.

cmd_test() {
    local -a filter=() build=()
    local status=0 browser=0
    sanitizer=''
    case ${1:-} in
        '' | --manifests)
            prepare_folder
            check_manifests
            check_mutants
            [[ -z ${1:-} ]] || return 0
            ;;
        --containers)
            test_containers
            return
            ;;
    esac
    if [[ ${1:-} == --browser ]]; then
        shift
        test_in_browser "$@"
        return
    fi
    if [[ ${1:-} == --sanitize=* ]]; then
        sanitizer=${1#*=}
        [[ $sanitizer == thread || $sanitizer == address ]] || die "--sanitize is thread or address"
        build=(--sanitize="$sanitizer" --scratch-path ".build/$sanitizer")
        shift
    fi
    prepare_folder
    need_packages "${packages_to_build[@]}" "${packages_to_run[@]}" "${packages_to_test[@]}" "${packages_for_wasm[@]}"
    need_swift
    need_python
    open_run
    say "building the tests"
    run_logged build-tests in_session swift build "${build[@]}" --build-tests
    if [[ -n ${1:-} ]]; then
        filter=(--filter "$1")
        # The runner calls a run without tests a success.
        run_logged list-tests in_session swift test list "${build[@]}" --skip-build --disable-xctest
        grep -qP -- "$1" "$dev/logs/list-tests.log" || die "no test matches: $1"
    fi
    if [[ -z ${1:-} ]] || grep -P -- "$1" "$dev/logs/list-tests.log" | grep WasmTests >"$folder/wasm-tests"; then
        say "building the client's core for browsers"
        build_wasm
        export STRIDE_TEST_WASM=$root/$wasm_folder
    fi
    in_session swift build "${build[@]}" --show-bin-path >"$folder/bin" 2>/dev/null ||
        die "swift build --show-bin-path failed"
    start_on_free_ports
    export STRIDE_TEST_FOLDERS=$folder
    [[ -z $sanitizer ]] || watch_sanitizer
    # First, so that the count of the Swift tests stays the last line.
    [[ -n $sanitizer || -n ${filter[*]} ]] || run_browser || browser=$?
    run_suites "${build[@]}" "${filter[@]}" || status=$?
    ((browser == 0)) || { echo "In the browser:" && grep -E '^(FAILED|ERROR)' "$dev/logs/browser-tests.log"; } >&2 || true
    [[ -z $sanitizer ]] || report_sanitizer
    return "$((status > 0 ? status : browser))"
}

# Runs the Swift tests: with a filter those, else first what only computes and then what waits for servers. Together, a
# test that waits for an answer would wait much longer for its turn, as the two cores are busy computing:
# run_suites BUILD-OPTION… [--filter REGEX]
run_suites() {
    local units status=0 log=$dev/logs/tests.log shown
    exec {shown}> >(tee -- "$log" | grep --line-buffered -vE '^◇ |^Test Case |^$')
    local printer=$!
    if [[ " $* " == *' --filter '* ]]; then
        run_some 24 "$@" || status=$?
    else
        units="^($(cd Tests/Unit && printf '%s\n' * | paste -sd'|'))\."
        run_some 4 "$@" --filter "$units" || status=$?
        run_some 16 "$@" --skip "$units" || status=$?
    fi
    exec {shown}>&-
    wait "$printer" || true
    sum_up "$log"
    return "$status"
}

# At most so many tests at a time; XCTest, which has none, is left out: run_some COUNT OPTION…
run_some() {
    SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH=${STRIDE_TEST_WIDTH:-$1} \
        in_session swift test --skip-build --disable-xctest "${@:2}" >&"$shown" 2>&1
}

# The end of a long log is what is read: what failed once more, and one count of all.
sum_up() {
    local failed
    failed=$(grep -E '^(✘ .* recorded an issue|±)' "$1" || true)
    [[ -z $failed ]] || printf '\nFailed:\n%s\n\n' "$failed"
    awk '/Test run with [0-9]+ tests? in [0-9]+ suites?/ {
            runs++; worst = /failed/ ? "failed" : worst; sub(/.*Test run with /, "")
            tests += $1; suites += $4; for (i = 5; i < NF; i++) if ($i == "after") seconds += $(i + 1)
        }
        END { if (runs > 1) printf "%s Test run with %d tests in %d suites %s after %.0f seconds.\n",
            worst ? "✘" : "✔", tests, suites, worst ? worst : "passed", seconds }' "$1"
}

# Every process, the services that tests start too, writes what the sanitizer finds into a file of its own.
watch_sanitizer() {
    local options="log_path=$folder/sanitizer suppressions=$root/Tests/Sanitizers/$sanitizer.txt"
    export TSAN_OPTIONS="$options" ASAN_OPTIONS="${options%% *} detect_leaks=0"
}

report_sanitizer() {
    local -a reports=("$folder"/sanitizer.*)
    if [[ -e ${reports[0]} ]]; then
        cat -- "${reports[@]}" >"$dev/logs/sanitizer.log"
        die "the $sanitizer sanitizer has ${#reports[@]} reports (.dev/logs/sanitizer.log)"
    fi
    say "the $sanitizer sanitizer found nothing"
}

# Makes the folder of a run. Whatever ends this script, what runs in the folder ends too, and the folder goes.
open_run() {
    choose_base
    folder=$(mktemp -d -- "$base/run.XXXXXX")
    chmod 711 "$folder"
    trap 'exit 129' HUP
    trap 'exit 130' INT
    trap 'exit 143' TERM
    trap finish EXIT
    start_guard
}

# Runs a command in a session of its own, so that it can be ended together with all its children.
in_session() {
    local runner status=0
    setsid env --default-signal=INT,QUIT "$@" <&0 &
    runner=$!
    printf '%s\n' "$runner" >"$folder/runner.pid"
    wait "$runner" || status=$?
    end_session "$folder"
    return "$status"
}

# Ends what is left of the session in a folder: end_session FOLDER
end_session() {
    local session
    { read -r session <"$1/runner.pid"; } 2>/dev/null || return 0
    if signal_session "$session" TERM; then
        wait_until 2 session_is_empty "$session" || signal_session "$session" KILL || true
    fi
    rm -f -- "$1/runner.pid" # the number may soon be another's
}

# Ends what works in a folder and belongs to no session of ours: the children of a database server are sessions of
# their own, and while they are stopped they do not notice that it is gone. end_lodgers FOLDER
end_lodgers() {
    local process place
    for process in /proc/[0-9]*; do
        place=$(readlink -- "$process/cwd" 2>/dev/null) || continue
        [[ $place != "$1"/* ]] || kill -s KILL "${process##*/}" 2>/dev/null || true
    done
}

finish() {
    trap '' HUP INT TERM
    discard "$folder"
    [[ -z ${guard[1]:-} ]] || echo finished >&"${guard[1]}"
}

# A process in a group of its own that cleans up when this script is killed: its standard input ends with us.
start_guard() {
    set -m
    coproc guard {
        trap '' HUP INT TERM
        read -r _ || discard "$folder"
    }
    set +m
}

# Ends what runs in a folder and removes it: discard FOLDER
discard() {
    end_session "$1"
    [[ ! -d $1/pods ]] || end_containers "$1"
    stop_servers "$1"
    end_lodgers "$1"
    rm -rf -- "$1"
}

# Starts the servers and exports STRIDE_TEST_…; a free port can be taken before its server has it, hence several tries.
start_on_free_ports() {
    local password attempt port log=$folder/servers.log
    make_secret "$folder/password"
    password=$(<"$folder/password")
    create_postgres "$folder" "$password" "$log"
    for ((attempt = 1; ; attempt++)); do
        port=$(free_port)
        ! start_postgres "$folder" "$port" "$log" || break
        ((attempt < 5)) || die "PostgreSQL does not start: $(reason "$log")"
    done
    export STRIDE_TEST_POSTGRES_URL=postgresql://stride:$password@127.0.0.1:$port/stride
    for ((attempt = 1; ; attempt++)); do
        port=$(free_port)
        ! start_redis "$folder" "$port" "$log" || break
        ((attempt < 5)) || die "Redis does not start: $(reason "$log")"
    done
    export STRIDE_TEST_REDIS_PORT=$port STRIDE_TEST_REDIS_URL=redis://127.0.0.1:$port
    STRIDE_TEST_BIN=$(<"$folder/bin")
    export STRIDE_TEST_BIN
}

# Below the range from which the system takes ports for outgoing connections.
free_port() {
    local port
    while :; do
        port=$((20000 + RANDOM % 12000))
        port_is_busy "$port" || break
    done
    printf '%s\n' "$port"
}
