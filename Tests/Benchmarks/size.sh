#!/usr/bin/env bash
# How many bytes a workout takes in PostgreSQL, a user in Redis, and what that makes of a year: `./dev bench size`.
#
# A month of STRIDE_BENCH_USERS (200) users with thirty workouts a day each, sent to a real ingest; once with random
# requestIds, once with time-ordered ones. Sizes are those of the files, after VACUUM.
# shellcheck disable=SC2154 # what Support/ sets
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
root=$(readlink -f -- "$here/../..")
for part in "$root"/Scripts/{common,services,run}.sh "$here"/Support/{service,stores}.sh; do
    # shellcheck source=/dev/null
    source "$part"
done
[[ -n ${STRIDE_TEST_POSTGRES_URL:-} ]] || die "run it with ./dev bench size"

users=${STRIDE_BENCH_USERS:-200}
pids=()
work=$(mktemp -d -- "$root/.dev/bench.XXXXXX")

clean_up() {
    local pid
    for pid in "${pids[@]}"; do end_process "$pid"; done
    rm -rf -- "$work"
}
trap clean_up EXIT

redis_bytes() { redis-cli -p "$STRIDE_TEST_REDIS_PORT" info memory | tr -d '\r' | sed -n 's/^used_memory_dataset://p'; }
written_bytes() { query -d "$STRIDE_TEST_POSTGRES_URL" -c "select pg_current_wal_lsn() - '0/0'"; }

# Prints table, what, bytes and bytes a workout of a database: sizes DATABASE WORKOUTS
sizes() {
    query -F ' ' -d "$(database_url "$1")" -c "vacuum analyze" -c "
        with parts as (
            select t.relname as table_name, 'rows' as part, pg_table_size(t.oid) as bytes
            from pg_class t where t.relkind = 'r' and t.relname in ('workouts', 'daily_totals', 'users')
            union all
            select t.relname, i.relname, pg_relation_size(i.oid)
            from pg_class t join pg_index x on x.indrelid = t.oid join pg_class i on i.oid = x.indexrelid
            where t.relname in ('workouts', 'daily_totals', 'users')
        ), known as (select * from parts where bytes > 0)
        select rpad(table_name, 14) || rpad(part, 24) || lpad(bytes::text, 12) || lpad(round(bytes / $2.0, 1)::text, 10)
        from (select *, 1 as place from known union all select 'all', '', sum(bytes), 2 from known) q
        order by place, table_name, part"
}

find_servers
head -c 32 /dev/urandom | od -An -v -tx1 | tr -d ' \n' >"$work/secret"
export STRIDE_TOKEN_SECRET_FILE=$work/secret STRIDE_TOKEN_ISSUER=bench STRIDE_TOKEN_AUDIENCE=stride
export STRIDE_REDIS_URL=$STRIDE_TEST_REDIS_URL STRIDE_USER_RATE_PER_MINUTE=60000000 STRIDE_USER_BURST=1000000
"$STRIDE_TEST_BIN/stride" token --sub 'size-%d' --count "$users" >"$work/tokens" || die "stride token failed"
for kind in random ordered; do
    make_database "bench_size_$kind"
    redis-cli -p "$STRIDE_TEST_REDIS_PORT" flushall >/dev/null
    STRIDE_POSTGRES_URL=$(database_url "bench_size_$kind")
    export STRIDE_POSTGRES_URL
    run_service ingest "ingest-$kind" STRIDE_LOOPS=1
    empty=$(redis_bytes)
    begin=$(written_bytes)
    count=$(/usr/bin/python3 "$here/Size/send.py" "$port" "$work/tokens" "$kind") || die "the workouts were not taken: $count"
    end_process "$pid"
    say "$count workouts of $users users, requestIds $kind: bytes, and bytes a workout"
    sizes "bench_size_$kind" "$count"
    say "written to the log, with full pages: $((($(written_bytes) - begin) / count)) bytes a workout"
    say "Redis: $((($(redis_bytes) - empty) / users)) bytes a user"
done
