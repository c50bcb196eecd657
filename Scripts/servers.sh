# shellcheck shell=bash disable=SC2034,SC2154
# A private PostgreSQL and a private Redis in one folder: FOLDER/postgres and FOLDER/redis hold data and unix sockets,
# FOLDER/postgres.pid and FOLDER/redis.pid name the processes. `up`, `test` and `bench` all use these functions.
# Servers of the system are never touched: every process is known by its pid file and by this folder in its command line.

postgres_bin=/usr/lib/postgresql/15/bin

# PostgreSQL refuses to run as root, so root lends both servers another account.
choose_server_account() {
    as_server=()
    ((EUID == 0)) || return 0
    server_account=postgres
    id -u "$server_account" >/dev/null 2>&1 || server_account=nobody
    as_server=(setpriv "--reuid=$server_account" "--regid=$(id -gn "$server_account")" --clear-groups)
    "${as_server[@]}" true 2>/dev/null || die "root may not change to the account $server_account here"
}

own_by_server() { ((EUID != 0)) || chown -- "$server_account:" "$@"; }

# Runs a command as the servers' account, in a run so that it ends with the run: run_as_server COMMAND…
run_as_server() {
    local -a session=()
    [[ -z ${folder:-} ]] || session=(in_session)
    "${session[@]}" env -C / "${as_server[@]}" "$@"
}

# Writes standard input to a file in a folder of the servers' account: write_as_server FILE
write_as_server() { run_as_server tee -- "$1" >/dev/null; }

# Sets `base` to a folder that the servers' account can enter: `.dev`, or else one in the temporary folder.
choose_base() {
    local hash parent
    choose_server_account
    base=$dev
    ! env -C / "${as_server[@]}" test -x "$root" || return 0
    hash=$(printf '%s' "$root" | sha256sum | cut -c 1-12)
    for parent in "${TMPDIR:-/tmp}" /tmp; do
        base=$parent/stride-$hash
        mkdir -m 711 -- "$base" 2>/dev/null || true
        [[ ! -L $base && -d $base && -O $base ]] || die "$base is not a folder of this account"
        ! env -C / "${as_server[@]}" test -x "$base" || return 0
        rmdir -- "$base" 2>/dev/null || true
    done
    die "the account $server_account can enter neither $root nor $base"
}

# Creates the database cluster of FOLDER with the superuser and database `stride`: create_postgres FOLDER PASSWORD LOG
create_postgres() {
    local data=$1/postgres new=$1/postgres.new secret=$1/postgres.secret
    local -a sync=()
    [[ ! -e $data ]] || return 0
    # The new files of a run need not survive the machine; what the server writes later is synced all the same.
    [[ -z ${folder:-} ]] || sync=(--no-sync)
    rm -rf -- "$new" "$secret"
    (umask 077 && printf '%s\n' "$2" >"$secret")
    mkdir -m 700 -- "$new"
    own_by_server "$new" "$secret"
    run_as_server "$postgres_bin/initdb" -D "$new" -U stride --pwfile="$secret" --auth=scram-sha-256 \
        --encoding=UTF8 --locale=C.UTF-8 "${sync[@]}" >>"$3" 2>&1 || die "initdb failed (log: $3)"
    rm -f -- "$secret"
    run_as_server "$postgres_bin/postgres" --single -D "$new" postgres >>"$3" 2>&1 \
        <<<'CREATE DATABASE stride' || die "cannot create the database stride (log: $3)"
    mv -- "$new" "$data"
}

# Gives the role `stride` of a stopped cluster another password: reset_password FOLDER PASSWORD LOG
reset_password() {
    run_as_server "$postgres_bin/postgres" --single -D "$1/postgres" postgres >>"$3" 2>&1 \
        <<<"ALTER ROLE stride PASSWORD '$2'" || die "cannot set the database password (log: $3)"
}

# write_postgres_settings DATA PORT; `postgres_buffers`: mebibytes of memory for pages (256)
write_postgres_settings() {
    local compression
    # A server built without LZ4 refuses the value.
    compression=$(env -C / "${as_server[@]}" "$postgres_bin/postgres" -C wal_compression -D "$1" \
        -c wal_compression=lz4 2>/dev/null) || compression=off
    write_as_server "$1/postgresql.conf" <<TEXT
listen_addresses = '127.0.0.1'
port = $2
unix_socket_directories = '.'
max_connections = 200
shared_buffers = ${postgres_buffers:-256}MB
max_wal_size = 2GB
fsync = on
synchronous_commit = on
wal_compression = $compression
log_timezone = 'UTC'
timezone = 'UTC'
TEXT
}

# start_postgres FOLDER PORT LOG; fails if it does not get ready
start_postgres() {
    local data=$1/postgres pid former
    [[ $(stat -c %u -- "$data") == "$("${as_server[@]}" id -u)" ]] ||
        die "$data belongs to the account $(stat -c %U -- "$data"); remove $1 or use that account"
    [[ $(<"$data/PG_VERSION") == 15 ]] || die "$data is not a PostgreSQL 15 cluster"
    write_postgres_settings "$data" "$2"
    # A killed server can linger as a zombie for a while, which its successor would take for alive.
    if { read -r former <"$data/postmaster.pid"; } 2>/dev/null; then wait_until 10 is_no_zombie "$former" || true; fi
    launch "$1/postgres.pid" "$data" "$3" "${as_server[@]}" "$postgres_bin/postgres" -D "$data"
    pid=$(<"$1/postgres.pid")
    wait_until 60 postgres_is_settled "$pid" "$data" || true
    postgres_is_ready "$pid" "$data" || { stop_postgres "$1" && return 1; }
}

# The eighth line of the server's own pid file tells its state.
postgres_is_ready() {
    local -a lines
    { mapfile -t lines <"$2/postmaster.pid"; } 2>/dev/null || return 1
    [[ ${lines[0]:-} == "$1" && ${lines[7]:-} == ready* ]] && is_ours "$1" "$2"
}

postgres_is_settled() { postgres_is_ready "$@" || ! is_alive "$1"; }

# start_redis FOLDER PORT LOG; fails if it does not get ready
start_redis() {
    local data=$1/redis pid
    [[ -d $data ]] || mkdir -m 700 -- "$data"
    own_by_server "$data"
    write_as_server "$data/redis.conf" <<TEXT
bind 127.0.0.1
port $2
protected-mode yes
unixsocket redis.sock
unixsocketperm 700
save ""
appendonly no
set-proc-title no
TEXT
    launch "$1/redis.pid" "$data" "$3" "${as_server[@]}" "$(command -v redis-server)" "$data/redis.conf"
    pid=$(<"$1/redis.pid")
    wait_until 10 redis_is_settled "$pid" "$2" || true
    redis_is_ready "$pid" "$2" || { stop_redis "$1" && return 1; }
}

# Asks for the process id, since another server may hold the port. A server that hangs is not ready.
redis_is_ready() { timeout 2 redis-cli -h 127.0.0.1 -p "$2" info server 2>/dev/null | grep -q "^process_id:$1"; }

redis_is_settled() { redis_is_ready "$@" || ! is_alive "$1"; }

postgres_pid() { live_pid "$1/postgres.pid" "$1/postgres"; }
redis_pid() { live_pid "$1/redis.pid" "$1/redis/redis.conf"; }

stop_postgres() { stop "$1/postgres.pid" "$1/postgres" INT 30; }
stop_redis() { stop "$1/redis.pid" "$1/redis/redis.conf" TERM 10; }

stop_servers() {
    stop_redis "$1"
    stop_postgres "$1"
}
