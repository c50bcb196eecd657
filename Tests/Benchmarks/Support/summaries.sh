# shellcheck shell=bash disable=SC2034,SC2154
# Summaries under measurement: progress, or whoever answers like it.

# Summaries of users picked at random for some seconds, or of each user once:
# measure_summaries ROUND NAME PID PORT ADMIN_PORT CONNECTIONS any|each [FIELD]
# An admin port of 0: not one of ours, which says nothing about its cache.
measure_summaries() {
    local before after rate p50 p99 errors cached database other calls known length=$seconds
    [[ $7 == any ]] || length=10
    known=$(looks "$5")
    before=$(ticks "$3")
    wrk -t 1 -c "$6" -d "${length}s" --timeout 10s -s "$here/Progress/summaries.lua" "http://127.0.0.1:$4" -- \
        "$work/tokens" "$7" ${8:+"$8"} >"$work/wrk.log" 2>&1 || die "wrk failed: $(tail -n 1 "$work/wrk.log")"
    after=$(ticks "$3")
    read -r _ rate p50 p99 errors cached database other < <(grep '^RESULT ' "$work/wrk.log") || die "wrk said nothing"
    calls=$(awk '$2 == "requests" { print $1; exit }' "$work/wrk.log")
    # wrk counts every status but 2xx and 3xx as an error.
    other=$((other + $(awk '/Non-2xx or 3xx/ { print $NF }' "$work/wrk.log" || true) + 0))
    if [[ $7 == any ]]; then
        read -r cached database < <(printf '%s %s\n' "$(looks "$5")" "$known" | awk '{ print $1 - $3, $2 - $4 }')
    fi
    printf '%s %s %s\n' "$2" "$cached" "$database" >>"$work/sources"
    # shellcheck disable=SC2086
    record "$1" "$2" "$rate" "$p50" "$p99" "$calls" "$((errors + other))" $before $after
}

# How many looks into the cache found everything, and how many did not: looks ADMIN_PORT
looks() {
    (($1 > 0)) || { echo 0 0 && return; }
    curl -fsS --noproxy '*' --max-time 5 "http://127.0.0.1:$1/metrics" | awk '
        /^stride_progress_cache_reads_total/ { if (/result="hit"/) hits += $NF; else others += $NF }
        END { printf "%d %d\n", hits, others }'
}

# Users with thirty days behind them, in a database: fill_users DATABASE COUNT
fill_users() { query -d "$(database_url "$1")" -v "users=$2" -v "day=$day" -f "$here/Progress/users.sql" >/dev/null; }

# The first user's answer: one_summary PORT
one_summary() {
    curl -fsS --noproxy '*' --max-time 5 -H "Authorization: Bearer $(head -n 1 "$work/tokens")" \
        "http://127.0.0.1:$1/v1/progressSummary"
}
