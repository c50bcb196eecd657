# shellcheck shell=bash disable=SC2034,SC2154
# Ports, secrets and `.dev/env`, the file that tells services, tests and people what runs where.

# Makes the folder of this checkout's own files. Servers under another account pass through it, hence 711.
prepare_folder() {
    mkdir -p -- "$dev/logs" "$dev/run" 2>/dev/null || die "cannot write to $dev"
    [[ -O $dev ]] || ((EUID == 0)) || die "$dev belongs to $(stat -c %U "$dev"); remove it or use that account"
    chmod 711 "$dev"
}

# Makes a file with 32 random bytes in hexadecimal, once: make_secret FILE
make_secret() {
    [[ ! -s $1 ]] || return 0
    (umask 077 && od -An -v -tx1 -N32 /dev/urandom | tr -d ' \n' >"$1.new")
    mv -- "$1.new" "$1"
}

# Sets a port variable to its default unless the environment has it, and checks it: default_port NAME DEFAULT
default_port() {
    local value=${!1:-$2}
    [[ $value =~ ^[1-9][0-9]{0,4}$ ]] || die "$1 is not a port: $value"
    ((value <= 65535)) || die "$1 is not a port: $value"
    declare -g "$1=$value"
    printf '%s=%s\n' "$1" "$value"
}

# Prints the settings of a start as KEY=value lines, the environment first, then the defaults.
settings() {
    local entry name port kind key password
    password=$(<"$dev/postgres-password")
    default_port STRIDE_POSTGRES_PORT 15432
    default_port STRIDE_REDIS_PORT 16379
    printf 'STRIDE_POSTGRES_URL=%q\n' "postgresql://stride:$password@127.0.0.1:$STRIDE_POSTGRES_PORT/stride"
    printf 'STRIDE_REDIS_URL=%q\n' "redis://127.0.0.1:$STRIDE_REDIS_PORT"
    printf 'STRIDE_TOKEN_SECRET_FILE=%q\n' "$dev/token-secret"
    printf 'STRIDE_TOKEN_ISSUER=%q\n' "${STRIDE_TOKEN_ISSUER:-stride-dev}"
    printf 'STRIDE_TOKEN_AUDIENCE=%q\n' "${STRIDE_TOKEN_AUDIENCE:-stride}"
    printf 'STRIDE_BIND=%q\n' "${STRIDE_BIND:-127.0.0.1}"
    for entry in "${services[@]}"; do
        read -r name port kind <<<"$entry"
        key=STRIDE_${name^^}
        default_port "${key}_PORT" "$port"
        port=${key}_PORT
        [[ $kind == nginx ]] || default_port "${key}_ADMIN_PORT" $((${!port} + 1000))
        printf '%s_URL=%q\n' "$key" "http://127.0.0.1:${!port}"
    done
}

# Refuses two settings with one port: check_ports TEXT
check_ports() {
    local twice
    twice=$(grep -E '_PORT=' <<<"$1" | cut -d= -f2 | sort | uniq -d | head -n 1)
    [[ -z $twice ]] || die "port $twice is set twice: $(grep -E "_PORT=$twice\$" <<<"$1" | cut -d= -f1 | paste -sd' ')"
}

# Writes `.dev/env`: write_env TEXT
write_env() {
    (umask 077 && printf '%s\n' "$1" >"$dev/env.new")
    mv -- "$dev/env.new" "$dev/env"
}

# Exports what `.dev/env` says and sets `base`; fails if nothing was started.
load_env() {
    [[ -r $dev/env ]] || return 1
    set -a
    # shellcheck source=/dev/null
    source "$dev/env"
    set +a
    base=$STRIDE_SERVERS_FOLDER
}
