# shellcheck shell=bash disable=SC2034,SC2154
# The Debian packages that a step needs, installed only when one is missing.

# What the Swift toolchain loads and calls.
packages_for_swift=(
    binutils git libc6-dev libgcc-12-dev libstdc++-12-dev pkg-config
    libcurl4 libncurses6 libsqlite3-0 libxml2 zlib1g-dev
)
packages_to_build=(
    "${packages_for_swift[@]}" libuv1-dev node-llhttp libpq-dev libhiredis-dev libssl-dev libsqlite3-dev libcurl4-openssl-dev
)
packages_to_run=(postgresql-15 redis-server nginx pgbouncer openssl curl ca-certificates tzdata python3 python3-yaml)
packages_to_test=(prometheus prometheus-node-exporter prometheus-postgres-exporter prometheus-redis-exporter)
packages_to_check=(python3-venv)
packages_for_wasm=(nodejs binaryen)
packages_to_browse=(chromium fonts-dejavu-core python3-venv)
packages_to_measure=(wrk postgresql-contrib)

# Installs what is missing of the packages: need_packages NAME…
need_packages() {
    local -A installed=()
    local -a missing=()
    local status name
    while read -r status name; do
        [[ ${status:1:1} != i ]] || installed[$name]=yes
    done < <(dpkg-query -W -f '${db:Status-Abbrev} ${Package}\n' "$@" 2>/dev/null)
    for name in "$@"; do
        [[ -n ${installed[$name]:-} ]] || missing+=("$name")
    done
    ((${#missing[@]} > 0)) || return 0
    ((EUID == 0)) || die "missing packages; install them as root: apt-get install ${missing[*]}"

    say "installing ${missing[*]}"
    local -a apt=(env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300)
    run_logged packages "${apt[@]}" update
    run_logged packages "${apt[@]}" install --no-install-recommends "${missing[@]}"
}

# Makes a Python with the packages of a list, once: make_python FOLDER LIST WHAT
make_python() {
    need_packages "${packages_to_check[@]}"
    ! cmp -s -- "$2" "$1/requirements.txt" || return 0
    say "installing Python's packages of $3"
    rm -rf -- "$1"
    run_logged python /usr/bin/python3 -m venv "$1"
    run_logged python "$1/bin/pip" install --quiet --disable-pip-version-check --no-deps -r "$2"
    cp -- "$2" "$1/requirements.txt"
}

# For the contract tests; exports where it is.
need_python() {
    make_python "$root/.build/python" Tests/Contract/requirements.txt "the contract tests"
    export STRIDE_TEST_PYTHON=$root/.build/python/bin
}

# For the service that speed is compared with; exports where it is.
need_peers() {
    make_python "$root/.build/peers" Tests/Benchmarks/peers/requirements.txt "the service to compare with"
    export STRIDE_TEST_PEERS=$root/.build/peers/bin
}

need_swift() { has swift || die "no swift on the PATH; install a Swift 6.3 toolchain"; }
