# shellcheck shell=bash disable=SC2034,SC2154
# The usual Python service of peers/, with one worker a core.

# Starts it on a database: run_peer DATABASE. Sets `pid` and `port`.
run_peer() {
    local deadline=$((SECONDS + 30))
    port=$(free_port)
    env "PEER_POSTGRES_URL=$(database_url "$1")" "PEER_REDIS_URL=$STRIDE_TEST_REDIS_URL" "PEER_SECRET_FILE=$work/secret" \
        PYTHONDONTWRITEBYTECODE=1 "$STRIDE_TEST_PEERS/uvicorn" service:app --app-dir "$here/peers" --port "$port" \
        --workers "$(nproc)" --loop uvloop --http httptools --no-access-log --log-level warning >"$work/peer.log" 2>&1 &
    pid=$!
    pids+=("$pid")
    # Each worker has its own start; the first one to listen answers.
    until curl -sS -o /dev/null --noproxy '*' --max-time 1 "http://127.0.0.1:$port/" 2>/dev/null; do
        if [[ ! -d /proc/$pid ]] || ((SECONDS >= deadline)); then die "the peer does not start: $(tail -n 1 "$work/peer.log")"; fi
        sleep 0.1
    done
}
