# shellcheck shell=bash disable=SC2034,SC2154
# What every part uses: messages, waiting, and processes that are known by pid file and command line.

say() { printf '%s\n' "$*"; }

die() {
    printf 'dev: %s\n' "$*" >&2
    exit 1
}

has() { command -v "$1" >/dev/null 2>&1; }

# Repeats a command until it succeeds: wait_until SECONDS COMMAND…; fails when the time is over.
wait_until() {
    local deadline=$((SECONDS + $1 + 1))
    shift
    until "$@"; do
        ((SECONDS < deadline)) || return 1
        sleep 0.05
    done
}

# Takes the lock that keeps two `up`, `down`, `images` or `test --containers` of this checkout apart; it goes with this process.
lock_checkout() {
    exec 9>"$dev/lock"
    flock -n 9 || die "another ./dev up, down, images or test --containers is at work in this checkout"
}

# Runs a long command with its output in a log, and shows that log if it fails: run_logged NAME COMMAND…
run_logged() {
    local name=$1 log=$dev/logs/$1.log new=${folder:-$dev/run}/$1.log status=0
    shift
    : >"$new"
    show_progress "$new"
    "$@" >"$new" 2>&1 9>&- || status=$?
    hide_progress
    mv -- "$new" "$log" # not before: two runs of one checkout keep their output apart
    if ((status != 0)); then
        grep -vE '^\[[0-9]+/[0-9]+\]' "$log" | tail -n 200 >&2 || true
        die "$name failed (whole log: $log)"
    fi
}

# Shows the time and the last line of a log until hide_progress, or until this script ends: always in the same place of a terminal,
# elsewhere on a line of its own every twenty seconds.
show_progress() {
    local log=$1 from=$SECONDS line columns
    if [[ ! -t 2 || ${TERM:-dumb} == dumb ]]; then
        while sleep 1 && kill -0 "$$" 2>/dev/null; do
            (((SECONDS - from) % 20 == 0 && SECONDS > from)) || continue
            line=$(tail -n 1 -- "$log" 2>/dev/null | tr -d '\000-\037') || true
            printf '%3d:%02d  %s\n' $(((SECONDS - from) / 60)) $(((SECONDS - from) % 60)) "${line:0:100}" >&2
        done 9>&- &
        watcher=$!
        return 0
    fi
    columns=$({ stty size <&2 | cut -d' ' -f2; } 2>/dev/null) || true
    [[ ${columns:-} =~ ^[1-9][0-9]*$ ]] || columns=80
    while sleep 0.5 && kill -0 "$$" 2>/dev/null; do
        line=$(tail -n 1 -- "$log" 2>/dev/null | tr -d '\000-\037') || true
        line=$(printf '%3d:%02d  %s' $(((SECONDS - from) / 60)) $(((SECONDS - from) % 60)) "$line")
        printf '\r%s\e[K' "${line:0:columns - 1}" >&2
    done 9>&- &
    watcher=$!
}

hide_progress() {
    [[ -n $watcher ]] || return 0
    kill "$watcher" 2>/dev/null || true
    wait "$watcher" 2>/dev/null || true
    [[ ! -t 2 || ${TERM:-dumb} == dumb ]] || printf '\r\e[K' >&2
}

# Whether process PID lives and is what it should be: is_ours PID TEXT, TEXT being part of its command line.
is_ours() {
    local -a words
    [[ $1 =~ ^[0-9]+$ ]] || return 1
    { mapfile -d '' -t words <"/proc/$1/cmdline"; } 2>/dev/null || return 1
    [[ " ${words[*]} " == *" $2 "* ]]
}

is_gone() { ! is_ours "$@"; }

is_no_zombie() { ! grep -qs '^State:.Z' "/proc/$1/status"; }

# Whether a process started here still runs, whatever program it has become so far.
is_alive() { [[ -d /proc/$1 ]] && is_no_zombie "$1"; }

# Prints what a log says about a failure: its last fatal line, or else its last one.
reason() { { grep -E 'FATAL|PANIC' "$1" || cat "$1"; } | tail -n 1; }

# Prints the pid in a pid file if that process lives and is ours: live_pid FILE TEXT
live_pid() {
    local pid
    { read -r pid <"$1"; } 2>/dev/null || return 1
    is_ours "$pid" "$2" || return 1
    printf '%s\n' "$pid"
}

# Starts a process that outlives this script, in a session of its own: launch PID_FILE FOLDER LOG COMMAND…
launch() {
    local pid_file=$1 folder=$2 log=$3
    shift 3
    (cd -- "$folder" && exec setsid env --default-signal=INT,QUIT "$@" >>"$log" 2>&1 9>&-) &
    printf '%s\n' "$!" >"$pid_file"
    disown
}

# Ends the process of a pid file, by force after the given time: stop PID_FILE TEXT SIGNAL SECONDS
stop() {
    local pid
    { read -r pid <"$1"; } 2>/dev/null || return 0
    is_ours "$pid" "$2" || sleep 0.1 # just launched, it may not be that program yet
    if is_ours "$pid" "$2"; then
        kill -s "$3" "$pid" 2>/dev/null || true
        if ! wait_until "$4" is_gone "$pid" "$2"; then
            kill -s KILL "$pid" 2>/dev/null || true
            printf 'dev: %s did not stop within %s s and was killed\n' "${2##*/}" "$4" >&2
        fi
    fi
    rm -f -- "$1"
}

# Sends a signal to every process of a session: signal_session SESSION SIGNAL; fails if there is none.
signal_session() {
    local stat line pid fields found=1
    for stat in /proc/[0-9]*/stat; do
        { read -r line <"$stat"; } 2>/dev/null || continue
        pid=${line%% *}
        read -ra fields <<<"${line##*) }" # state, parent, group, session, …
        if [[ ${fields[3]:-} == "$1" && ${fields[0]} != Z ]]; then
            kill -s "$2" "$pid" 2>/dev/null || true
            found=0
        fi
    done
    return "$found"
}

session_is_empty() { ! signal_session "$1" 0; }
