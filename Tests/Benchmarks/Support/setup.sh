# shellcheck shell=bash disable=SC2034,SC2154
# What every benchmark begins and ends with; it is sourced with the benchmark's name: source Support/setup.sh NAME
# Sets `root`, `work` (a folder that goes with the benchmark), `day` and `today` (08:00 in milliseconds).

[[ -n ${STRIDE_TEST_POSTGRES_URL:-} ]] || { echo "dev: run it with ./dev bench $1" >&2 && exit 1; }
root=$(readlink -f -- "$here/../..")
for part in "$root"/Scripts/{common,services,run}.sh "$here"/Support/{measure,nginx,peer,service,stores,summaries}.sh; do
    # shellcheck source=/dev/null
    source "$part"
done
pids=()
databases=()
day=$(date -u +%F)
today=$(($(date -u -d "$day 08:00" +%s) * 1000))
tick=$((1000000 / $(getconf CLK_TCK)))
load_before=$(cut -d ' ' -f 1 /proc/loadavg)
work=$(mktemp -d -- "$root/.dev/bench.XXXXXX")

# Processes end, databases go: the next benchmark finds the servers as this one did.
clean_up() {
    local pid name
    for pid in "${pids[@]}"; do end_process "$pid"; done
    for name in "${databases[@]}"; do
        query -d "$STRIDE_TEST_POSTGRES_URL" -c "drop database if exists $name with (force)" >/dev/null 2>&1 || true
    done
    redis-cli -p "$STRIDE_TEST_REDIS_PORT" flushall >/dev/null || true
    rm -rf -- "$work"
}
trap clean_up EXIT

ulimit -n "$(ulimit -Hn)"
find_servers
head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n' >"$work/secret"
export STRIDE_TOKEN_SECRET_FILE=$work/secret STRIDE_TOKEN_ISSUER=bench STRIDE_TOKEN_AUDIENCE=stride
export STRIDE_REDIS_URL=$STRIDE_TEST_REDIS_URL

# The first when all benchmarks run, the second when this one was named: brief SHORT LONG
brief() { if [[ -n ${STRIDE_BENCH_BRIEF:-} ]]; then echo "$1"; else echo "$2"; fi; }

# Tokens of made-up users, `bench-0` and so on, into a file: make_tokens FILE COUNT OPTIONS…
make_tokens() {
    "$STRIDE_TEST_BIN/stride" token --sub 'bench-%d' --count "$2" "${@:3}" >"$1" || die "stride token failed"
}

# The services started from here on use a new database with the schema of Stride: use_database NAME
use_database() {
    make_database "$1"
    STRIDE_POSTGRES_URL=$(database_url "$1")
    export STRIDE_POSTGRES_URL
}

# Nobody is refused for calling too often.
lift_budgets() { export STRIDE_USER_RATE_PER_MINUTE=60000000 STRIDE_USER_BURST=1000000; }

# The numbers of loops that are compared: `loops`.
choose_loops() {
    loops=(1)
    (($(nproc) == 1)) || loops+=("$(nproc)")
}

median() { printf '%s\n' "$@" | sort -g | sed -n "$((($# + 1) / 2))p"; }

print_machine() {
    local model changes=
    model=$(awk -F ': *' '/^model name/ { print $2; exit }' /proc/cpuinfo)
    [[ -z $(git -C "$root" status --porcelain 2>/dev/null) ]] || changes=" with changes"
    say "commit $(git -C "$root" rev-parse --short HEAD 2>/dev/null || echo unknown)$changes, $(nproc) cores of" \
        "${model:-an unknown processor}"
    say "PostgreSQL $(query -d "$STRIDE_TEST_POSTGRES_URL" -c 'show server_version'), fsync" \
        "$(query -d "$STRIDE_TEST_POSTGRES_URL" -c 'show fsync'), shared_buffers" \
        "$(query -d "$STRIDE_TEST_POSTGRES_URL" -c 'show shared_buffers'), Redis" \
        "$(redis-cli -p "$STRIDE_TEST_REDIS_PORT" info server | tr -d '\r' | sed -n 's/^redis_version://p')"
    say "load average $load_before before, $(cut -d ' ' -f 1 /proc/loadavg) after"
}
