#!/usr/bin/env bash
# How many bytes a workout takes in PostgreSQL, a user in Redis, and what that makes of a year: `./dev bench size`.
#
# A month of STRIDE_BENCH_USERS (200) users with thirty workouts a day each, sent to a real ingest; once with random
# requestIds, once with time-ordered ones. Sizes are those of the files, after VACUUM.
# shellcheck disable=SC2154 # what Support/ sets
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=Tests/Benchmarks/Support/setup.sh
source "$here/Support/setup.sh" size

users=${STRIDE_BENCH_USERS:-$(brief 100 200)}

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

lift_budgets
make_tokens "$work/tokens" "$users"
for kind in random ordered; do
    redis-cli -p "$STRIDE_TEST_REDIS_PORT" flushall >/dev/null
    use_database "bench_size_$kind"
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
