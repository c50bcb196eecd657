# shellcheck shell=bash disable=SC2034,SC2154
# The web app: building it, and its tests in a browser.

# Builds the core and puts the app together in `.build/web`; what serves it sees the old or the new one.
build_web() {
    local web=$root/.build/web
    build_wasm
    rm -rf -- "$web.new" "$web.old"
    run_logged web "$root/Scripts/assemble-web.sh" "$root/$wasm_folder/core.wasm" "$web.new"
    [[ ! -e $web ]] || mv -- "$web" "$web.old"
    mv -- "$web.new" "$web"
    rm -rf -- "$web.old"
}

# Makes a Python environment with what Tests/Browser/requirements.txt names, once for each content of that file.
need_browser() {
    local wanted=$root/Tests/Browser/requirements.txt made=$root/.build/browser
    need_packages "${packages_to_browse[@]}"
    if ! cmp -s -- "$wanted" "$made/requirements.txt"; then
        say "installing the browser tests' Python packages"
        rm -rf -- "$made"
        run_logged browser /usr/bin/python3 -m venv "$made"
        run_logged browser "$made/bin/pip" install --quiet --disable-pip-version-check --requirement "$wanted"
        cp -- "$wanted" "$made/requirements.txt"
    fi
}

# `./dev test --browser [FILTER]`: the services of this checkout, and nothing else that the tests need.
test_in_browser() {
    local name
    prepare_folder
    need_packages "${packages_to_build[@]}" "${packages_to_run[@]}" "${packages_for_wasm[@]}"
    need_swift
    open_run
    say "building the services and the app"
    for name in ingest plan progress leaderboard stride; do
        run_logged build-browser in_session swift build --product "$name"
    done
    in_session swift build --show-bin-path >"$folder/bin" 2>/dev/null || die "swift build --show-bin-path failed"
    start_on_free_ports
    run_browser "$@"
}

# Runs the tests in Tests/Browser against the servers of this run: run_browser [FILTER]
run_browser() {
    need_browser
    build_web
    export STRIDE_TEST_FOLDERS=$folder STRIDE_TEST_WEB=$root/.build/web PYTHONDONTWRITEBYTECODE=1
    in_session "$root/.build/browser/bin/python" -m pytest --quiet -p no:cacheprovider --durations=5 \
        "$root/Tests/Browser" ${1:+-k "$1"} > >(tee -- "$dev/logs/browser-tests.log") 2>&1
}
