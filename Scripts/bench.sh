# shellcheck shell=bash disable=SC2034,SC2154
# `./dev bench`: measurements against a PostgreSQL and a Redis of their own.

# These take half an hour together and 35 GB of disk, so they run only when they are named or with --long.
long_benches=(memory history)

cmd_bench() {
    local name from begin
    local -a names=() arguments=("${@:2}") times=() failed=() static_flags
    choose_benches "${1:-}"
    prepare_folder
    need_packages "${packages_to_build[@]}" "${packages_to_run[@]}" "${packages_to_measure[@]}"
    need_swift
    [[ " ${names[*]} " != *" speed "* ]] || need_peers
    open_run
    say "building"
    set_static_flags || die "this toolchain has no static libraries that fit"
    run_logged build-bench in_session swift build -c release "${static_flags[@]}"
    in_session swift build -c release --show-bin-path >"$folder/bin" 2>/dev/null ||
        die "swift build --show-bin-path failed"
    # A quarter of the memory, as PostgreSQL's manual has it for a server with more data than a test has.
    postgres_buffers=$(awk '/^MemTotal/ { print int($2 / 4096) }' /proc/meminfo)
    start_on_free_ports
    from=$SECONDS
    for name in "${names[@]}"; do
        say "== $name"
        begin=$SECONDS
        in_session bash "Tests/Benchmarks/$name.sh" "${arguments[@]}" || failed+=("$name")
        times+=("$name $((SECONDS - begin)) s")
    done
    ((${#names[@]} == 1)) || say "== time: $(printf '%s, ' "${times[@]}")together $((SECONDS - from)) s"
    ((${#failed[@]} == 0)) || die "failed: ${failed[*]}"
}

# Sets `names` to the benchmarks to run: choose_benches NAME|--long|NOTHING
choose_benches() {
    local script name
    case $1 in
        --long) names=("${long_benches[@]}") ;;
        '')
            # Shorter measurements: all of them together take less than twenty minutes.
            export STRIDE_BENCH_BRIEF=1
            for script in Tests/Benchmarks/*.sh; do
                name=$(basename -s .sh -- "$script")
                [[ " ${long_benches[*]} " == *" $name "* ]] || names+=("$name")
            done
            ;;
        *)
            [[ $1 != */* && -e Tests/Benchmarks/$1.sh ]] || die "no benchmark named $1; there are:" \
                "$(basename -s .sh -- Tests/Benchmarks/*.sh | paste -sd' ')"
            names=("$1")
            ;;
    esac
}
