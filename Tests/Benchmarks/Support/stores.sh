# shellcheck shell=bash disable=SC2034,SC2154
# The servers that `./dev bench` has started: their processes, and databases of our own in them.

pgbench=/usr/lib/postgresql/15/bin/pgbench

query() { psql -XqAt -v ON_ERROR_STOP=1 "$@" </dev/null; }

database_url() { printf '%s/%s\n' "${STRIDE_TEST_POSTGRES_URL%/*}" "$1"; }

# Sets `postgres_pid` and `redis_pid`, as the servers themselves tell them.
find_servers() {
    local line
    line=$(query -d "$STRIDE_TEST_POSTGRES_URL" -c "select pg_read_file('postmaster.pid')")
    postgres_pid=${line%%$'\n'*}
    redis_pid=$(redis-cli -p "$STRIDE_TEST_REDIS_PORT" info server | tr -d '\r' | sed -n 's/^process_id://p')
    [[ $postgres_pid =~ ^[0-9]+$ && $redis_pid =~ ^[0-9]+$ ]] || die "cannot find the processes of the servers"
}

# A database with the schema of Stride: make_database NAME
make_database() {
    query -d "$STRIDE_TEST_POSTGRES_URL" -c "create database $1"
    databases+=("$1")
    STRIDE_POSTGRES_URL=$(database_url "$1") "$STRIDE_TEST_BIN/stride" migrate >"$work/migrate.log" 2>&1 ||
        die "stride migrate failed: $(tail -n 1 "$work/migrate.log")"
}

# Brings the server into the same state before each measurement.
settle() { query -d "$STRIDE_TEST_POSTGRES_URL" -c checkpoint; }
