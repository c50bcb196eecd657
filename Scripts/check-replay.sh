#!/usr/bin/env bash
# Replays a real recording against a running `./dev up` and checks every person's days against its truth table:
# once, again, with ingest killed on the way, and with the replay itself killed on the way.
#
# usage: Scripts/check-replay.sh FOLDER [ZONE]
# FOLDER has steps/hourly_steps_34_people.csv (Id,ActivityHour,Time,StepTotal) and steps/daily_truth.csv
# (Id,date,steps,hours_present). Each part runs with people of its own: their numbers get a prefix, so nothing that is
# stored has to be removed, and the check may be repeated. What is sent twice waits for the budget of its user, so the
# whole takes about six minutes. Ends with 1 when something is not as it should be.
set -euo pipefail
exec </dev/null

root=$(dirname -- "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")")
folder=${1:?usage: Scripts/check-replay.sh FOLDER [ZONE]}
zone=${2:-America/New_York}
hours=$folder/steps/hourly_steps_34_people.csv
truth=$folder/steps/daily_truth.csv
stride=$root/.build/release/stride
[[ -r $hours && -r $truth ]] || { echo "check: no recording in $folder/steps" >&2; exit 2; }
[[ -r $root/.dev/env ]] || { echo "check: nothing runs; start it with ./dev up" >&2; exit 2; }
set -a
# shellcheck source=/dev/null
source "$root/.dev/env"
set +a
work=$(mktemp -d)
failures=0
replay_pid=
trap '[[ -z $replay_pid ]] || kill -9 "$replay_pid" 2>/dev/null || true; rm -rf -- "$work"' EXIT
run=$(date +%s)

say() { printf '%s\n' "$*"; }
fail() { printf 'WRONG: %s\n' "$*"; failures=$((failures + 1)); }
expect() { if [[ $2 == "$3" ]]; then say "  $1: $2"; else fail "$1 is $2, not $3"; fi; }

sql() {
    PGPASSWORD=$(<"$root/.dev/postgres-password") PGOPTIONS='-c client_min_messages=warning' \
        psql -XqAt -v ON_ERROR_STOP=1 -h 127.0.0.1 -p "$STRIDE_POSTGRES_PORT" -U stride -d stride "$@"
}

# Makes the people of a part: people PREFIX. The user of a person is what the services derive from issuer and subject.
people() {
    prefix=$run$1
    awk -F, -v OFS=, -v p="$prefix" 'NR > 1 { $1 = p $1 } 1' "$hours" >"$work/hours.csv"
    awk -F, -v OFS=, -v p="$prefix" 'NR > 1 { $1 = p $1 } 1' "$truth" >"$work/truth.csv"
    tr -d '\r' <"$work/hours.csv" | awk -F, -v OFS=, 'NR > 1 && $4 > 0 { n[$1]++; s[$1] += $4 }
        END { for (id in n) print id, n[id], s[id] }' >"$work/people.csv"
    tr -d '\r' <"$work/truth.csv" | tail -n +2 | cut -d, -f 1-3 >"$work/days.csv"
    wanted=$(awk -F, '{ n += $2 } END { print n }' "$work/people.csv")
}

tables() {
    cat <<SQL
create function pg_temp.user_of(id text) returns uuid language sql as \$\$
    select encode(set_byte(set_byte(d, 6, get_byte(d, 6) & 15 | 128), 8, get_byte(d, 8) & 63 | 128), 'hex')::uuid
    from (select substr(sha256(int8send(octet_length('$STRIDE_TOKEN_ISSUER')) || convert_to('$STRIDE_TOKEN_ISSUER', 'UTF8')
        || int8send(octet_length('replay-' || id)) || convert_to('replay-' || id, 'UTF8')), 1, 16) d) x
\$\$;
create temp table people (id text, hours int, steps bigint);
create temp table days (id text, day date, steps bigint);
\copy people from '$work/people.csv' csv
\copy days from '$work/days.csv' csv
alter table people add user_id uuid;
update people set user_id = pg_temp.user_of(id);
SQL
}

# How many workouts of this part's people are stored.
stored() {
    { tables; echo 'select count(*) from workouts join people using (user_id) where not is_deleted;'; } | sql -f -
}

# Everything that is stored of this part's people, as one number.
fingerprint() {
    {
        tables
        cat <<'SQL'
select md5(coalesce((select string_agg(w::text, ';' order by user_id, request_id)
                     from workouts w join people using (user_id)), '')
        || coalesce((select string_agg(t::text, ';' order by user_id, day)
                     from daily_totals t join people using (user_id)), ''));
SQL
    } | sql -f -
}

# Compares rows and totals with the recording and lets `stride verify` look at everything.
check() {
    local answer
    answer=$(
        {
            tables
            cat <<'SQL'
with found as (
    select p.user_id, count(w.request_id) as hours, coalesce(sum(w.steps), 0) as steps
    from people p left join workouts w on w.user_id = p.user_id and not w.is_deleted group by p.user_id)
select (select count(*) from people),
       (select sum(hours) from found),
       (select count(*) from people join found using (user_id)
        where (people.hours, people.steps) is distinct from (found.hours, found.steps)),
       (select count(*) from days),
       (select count(*)
        from (select p.user_id, d.day, d.steps from days d join people p using (id) where d.steps > 0) d
        full join (select t.user_id, t.day, t.steps from daily_totals t join people using (user_id)) t
        using (user_id, day) where coalesce(d.steps, 0) <> coalesce(t.steps, 0)),
       (select count(*) from days where steps > 0 and not exists (select 1 from people where people.id = days.id));
SQL
        } | sql -F ' ' -f -
    )
    read -r persons rows wrong_persons days wrong_days lost <<<"$answer"
    expect "hours stored of $persons people" "$rows" "$wanted"
    expect "people whose hours or steps differ" "$wrong_persons" 0
    expect "of $days days, those whose total differs from the truth" "$wrong_days" 0
    expect "days of people without a row" "$lost" 0
    answer=$("$stride" verify | tail -n 3) || fail "stride verify found differences"
    say "  stride verify: $(tail -n 1 <<<"$answer")"
}

# Runs the replay and keeps what it printed.
replay() {
    local status=0 from=$SECONDS
    "$stride" replay "$work/hours.csv" --kind hourly-steps --time-zone "$zone" >"$work/replay" 2>"$work/errors" ||
        status=$?
    [[ $status == 0 ]] || fail "replay ended with $status: $(head -n 3 "$work/errors")"
    say "  replay: $(tr -s ' ' <"$work/replay" | paste -sd';' | sed 's/;/, /g') ($((SECONDS - from)) s)"
}

number() { awk -v name="$1" '$1 == name { print $2 }' "$work/replay"; }

# Waits until a share of the rows is there: await_share PERCENT; fails when the replay ended before.
await_share() {
    until (($(stored) * 100 >= wanted * $1)); do
        kill -0 "$replay_pid" 2>/dev/null || return 1
        sleep 0.02
    done
}

# Starts the replay in the background; many small batches, so that there is something to interrupt.
replay_in_background() {
    "$stride" replay "$work/hours.csv" --kind hourly-steps --time-zone "$zone" --batch 3 >"$work/replay" \
        2>"$work/errors" &
    replay_pid=$!
}

say "== one run"
people 1
replay
expect "created" "$(number created)" "$wanted"
check
before=$(fingerprint)

say "== the same once more"
replay
expect "created" "$(number created)" 0
expect "duplicates" "$(number duplicates)" "$wanted"
expect "fingerprint of everything stored" "$(fingerprint)" "$before"
check

say "== ingest killed on the way"
people 2
replay_in_background
kills=0
for share in 15 50; do
    await_share "$share" || break
    pid=$(grep -oP '^STRIDE_INGEST_PID=\K.*' "$root/.dev/env")
    kill -9 "$pid"
    kills=$((kills + 1))
    say "  killed ingest ($pid) with $(stored) of $wanted hours stored"
    # Its own look at the cache may come before the replay has sent again what was on its way: then once more.
    "$root/dev" up >"$work/up" 2>&1 || "$root/dev" up >"$work/up" 2>&1 || fail "./dev up: $(tail -n 1 "$work/up")"
done
expect "kills of ingest" "$kills" 2
status=0
wait "$replay_pid" || status=$?
replay_pid=
expect "exit of the replay" "$status" 0
say "  replay: $(tr -s ' ' <"$work/replay" | paste -sd';' | sed 's/;/, /g')"
expect "created and duplicates" "$(($(number created) + $(number duplicates)))" "$wanted"
check

say "== the replay killed on the way and repeated"
people 3
replay_in_background
await_share 45 || fail "the replay ended before it could be killed"
kill -9 "$replay_pid"
wait "$replay_pid" 2>/dev/null || true
replay_pid=
say "  killed the replay with $(stored) of $wanted hours stored"
replay
expect "created and duplicates" "$(($(number created) + $(number duplicates)))" "$wanted"
check

((failures == 0)) || { say "$failures things are wrong"; exit 1; }
say "all is as it should be"
