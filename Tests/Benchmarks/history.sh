#!/usr/bin/env bash
# Whether reading slows down with ten years of a user behind it, and with everybody's rows in the table: `./dev bench history`, or
# `./dev bench --long`.
#
# One database holds STRIDE_BENCH_ROWS (50000000) workouts: 200 000 of one user, 55 a day for ten years, and the rest of users with
# ten a day. The other, the empty one, holds a single user with as many days as an answer shows. Both are asked by turns, over one
# connection each, for answers of the same size; so a ratio is that of two calls that follow each other. STRIDE_BENCH_ROUNDS (5)
# rounds of STRIDE_BENCH_CALLS (1000) calls of each kind. It takes 600 bytes of disk for each row, and about twenty minutes.
# The aim: p99 at most 1.5 times that of the empty table.
# shellcheck disable=SC2154 # what Support/ sets
set -euo pipefail
here=$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")
# shellcheck source=Tests/Benchmarks/Support/setup.sh
source "$here/Support/setup.sh" history

rows=${STRIDE_BENCH_ROWS:-50000000}
rounds=${STRIDE_BENCH_ROUNDS:-5}
calls=${STRIDE_BENCH_CALLS:-1000}
days=3650
users=$(((rows - 55 * days) / (10 * days) + 1))
((users > 1)) || die "STRIDE_BENCH_ROWS must be at least $((65 * days))"
export PGOPTIONS="-c jit=off -c work_mem=256MB -c maintenance_work_mem=1GB -c synchronous_commit=off"

# Rows first, indexes then: the other way round takes hours. fill DATABASE PREFIX USERS FIRST_A_DAY DAYS
fill() {
    local first count indexes target
    target=$(database_url "$1")
    make_database "$1"
    query -d "$target" -v "day=$day" -v "prefix=$2" -v "users=$3" -v "first_a_day=$4" -v "days=$5" \
        -f "$here/History/makers.sql" >/dev/null
    indexes=$(query -d "$target" -c "
        select pg_get_indexdef(indexrelid) || ';' from pg_index
        where indrelid = 'workouts'::regclass and not indisprimary")
    query -d "$target" -c "
        do \$\$ declare name text; begin
            for name in select indexrelid::regclass::text from pg_index
                where indrelid = 'workouts'::regclass and not indisprimary
            loop execute 'drop index ' || name; end loop;
        end \$\$" -c "alter table workouts drop constraint workouts_pkey" >/dev/null
    for ((first = 0; first < $5; first += count)); do
        count=$(($5 - first < 30 ? $5 - first : 30))
        query -d "$target" -v "begin=$(date -u -d "$day -$(($5 - 1)) days" +%F)" -v "first=$first" -v "count=$count" \
            -f "$here/History/fill.sql" >/dev/null
    done
    query -d "$target" -c "alter table workouts add primary key (user_id, request_id)" >/dev/null
    query -d "$target" -c "$indexes" >/dev/null
    query -d "$target" -c "vacuum analyze" >/dev/null
    [[ $(query -d "$target" -c "select sum(steps) from workouts where user_id = (select user_id from makers where number = 0)") == \
        "$(query -d "$target" -c "select sum(steps) from daily_totals where user_id = (select user_id from makers where number = 0)")" ]] ||
        die "the totals are not the sums"
}

# progress on a database: serve DATABASE; sets `port`.
serve() {
    STRIDE_POSTGRES_URL=$(database_url "$1")
    export STRIDE_POSTGRES_URL
    run_service progress "$1" STRIDE_LOOPS=1
}

free=$(df --output=avail -B1 -- "$(query -d "$STRIDE_TEST_POSTGRES_URL" -c 'show data_directory')" | tail -n 1)
((free > rows * 600 + 5000000000)) || die "$rows rows need $((rows * 600 / 1000000000 + 5)) GB of disk"
fill bench_empty small- 1 1 728
fill bench_history large- "$users" 55 "$days"
say "filled in $SECONDS s: $(query -d "$(database_url bench_history)" -c "
    select (select count(*) from workouts) || ' workouts, ' || pg_size_pretty(pg_total_relation_size('workouts')) || ', '
    || (select count(*) from workouts where user_id = (select user_id from makers where number = 0)) || ' of one user'")"
unset PGOPTIONS
"$STRIDE_TEST_BIN/stride" token --sub 'small-%d' --count 1 >"$work/small" || die "stride token failed"
"$STRIDE_TEST_BIN/stride" token --sub 'large-%d' --count "$users" >"$work/large" || die "stride token failed"
serve bench_empty
small=$port
serve bench_history
print_machine
/usr/bin/python3 "$here/History/ask.py" "$small" "$work/small" "$port" "$work/large" "$STRIDE_TEST_REDIS_PORT" "$rounds" "$calls" ||
    die "not all answers were as expected"
