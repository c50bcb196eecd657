#!/usr/bin/env bash
# Two builds side by side through a real migration, under load: `./dev fault --upgrade [COMMIT]` starts it.
#
# The older build alone; the newer one's `stride migrate` while everybody walks; both builds behind one gateway; the newer one
# alone. Nothing acknowledged is missing or doubled, every summary was right at every moment, and the newer judge agrees.
# STRIDE_UPGRADE_SECONDS (5) is the length of each part. Needs OLD_BIN, and STRIDE_TEST_… as for tests.
# shellcheck disable=SC2154 # what the sourced parts set
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
root=$(readlink -f -- "$here/../../..")
for part in "$root"/Scripts/{common,services,run}.sh "$root"/Tests/Benchmarks/Support/{service,stores}.sh; do
    # shellcheck source=/dev/null
    source "$part"
done
seconds=${STRIDE_UPGRADE_SECONDS:-5}
pids=()
work=$(mktemp -d -- "$root/.dev/upgrade.XXXXXX")
chmod 711 "$work"

clean_up() {
    local pid
    for pid in "${pids[@]}"; do end_process "$pid"; done
    rm -rf -- "$work"
}
trap clean_up EXIT

# Starts a build's services and notes where they are: start_build NAME BIN
start_build() {
    local service
    for service in ingest plan progress; do
        STRIDE_TEST_BIN=$2 run_service "$service" "$service-$1" STRIDE_LOOPS=1
        declare -g "${service}_$1=$port" "pid_${service}_$1=$pid"
    done
}

# Lets the gateway lead to these builds: lead_to NAME…
lead_to() {
    local service name list
    for service in ingest plan progress; do
        list=
        for name in "$@"; do
            port=${service}_$name
            list+=${list:+,}127.0.0.1:${!port}
        done
        export "STRIDE_${service^^}_ADDRESS=$list"
    done
    "$root/Scripts/render-gateway.sh" >"$work/gateway.conf"
    [[ -z ${gateway_pid:-} ]] || kill -s HUP "$gateway_pid"
}

# Ends a build's services, the gateway having been led away from them: end_build NAME
end_build() {
    local service
    for service in ingest plan progress; do
        pid=pid_${service}_$1
        kill -s TERM "${!pid}"
        wait "${!pid}" || die "$service of the $1 build ended with $?"
    done
}

head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n' >"$work/secret"
export STRIDE_TOKEN_SECRET_FILE=$work/secret STRIDE_TOKEN_ISSUER=upgrade STRIDE_TOKEN_AUDIENCE=stride
export STRIDE_REDIS_URL=$STRIDE_TEST_REDIS_URL STRIDE_USER_RATE_PER_MINUTE=60000000 STRIDE_USER_BURST=1000000
STRIDE_POSTGRES_URL=$(database_url upgrade)
export STRIDE_POSTGRES_URL
query -d "$STRIDE_TEST_POSTGRES_URL" -c "create database upgrade"
"$OLD_BIN/stride" migrate | tail -n 1
"$OLD_BIN/stride" token --sub 'walker-%d' --count 8 >"$work/tokens"

start_build old "$OLD_BIN"
STRIDE_GATEWAY_PORT=$(free_port)
export STRIDE_BIND=127.0.0.1 STRIDE_GATEWAY_PORT STRIDE_LEADERBOARD_ADDRESS=127.0.0.1:9 STRIDE_CORS_ORIGINS=
export STRIDE_GATEWAY_RATE_PER_MINUTE=600 STRIDE_GATEWAY_BURST=200 STRIDE_GATEWAY_CONNECTIONS=1000
export STRIDE_GATEWAY_ANSWER_SECONDS=30
lead_to old
/usr/sbin/nginx -e stderr -p "$work" -g "user root;" -c "$work/gateway.conf" >"$work/gateway.log" 2>&1 &
gateway_pid=$!
pids+=("$gateway_pid")
wait_until 20 port_is_busy "$STRIDE_GATEWAY_PORT" || die "the gateway does not start: $(tail -n 1 "$work/gateway.log")"

/usr/bin/python3 "$here/walk.py" "$STRIDE_GATEWAY_PORT" "$work/tokens" "$work/stop" >"$work/walked" 2>"$work/faults" &
walkers=$!
say "the older build alone"
sleep "$seconds"
say "the newer build's migration"
"$STRIDE_TEST_BIN/stride" migrate | tail -n 1
sleep "$seconds"
say "both builds"
start_build new "$STRIDE_TEST_BIN"
lead_to old new
sleep "$seconds"
say "the newer build alone"
lead_to new
sleep 1 # what the gateway's former workers have begun
end_build old
sleep "$seconds"
touch "$work/stop"
wait "$walkers" || die "walkers: $(cat "$work/faults")"
read -r count repeats <"$work/walked"
rows=$(query -d "$STRIDE_POSTGRES_URL" -c "select count(*) from workouts")
((rows == count)) || die "$count workouts were acknowledged, $rows are there"
"$STRIDE_TEST_BIN/stride" verify --all | tail -n 1 || die "cache and database differ"
say "upgrade: $count workouts acknowledged and there, $repeats calls had to be repeated, every summary right"
