-- What batched.sql writes: arrays of 200 workouts, made once, so that the benchmark does not measure their making.
-- Batches 0 … 998 are of one user each, as a batch call is; 999 … 1058 of 200 users, as gathered single calls are.
-- Client c takes the batches with n mod 3 = c, and no user is in the batches of two clients: three transactions never
-- wait for the same user, as the lanes of one loop of ingest never do.
create table batches as
with picks as (
    select n, n + 1 as number, place from generate_series(0, 998) n, generate_series(1, 200) place
    union all
    select n, number, place from generate_series(999, 1058) n, lateral (
        select number, row_number() over () as place
        from (select number from generate_series(1, 1000) number where number % 3 = n % 3
            order by md5(n || ':' || number) limit 200) chosen
    ) picked
), rows as (
    select n, md5(number::text)::uuid as user_id, place, :today + 60000 * (place * 7 % 600) as start_ms,
        100 + place % 80 as steps, 70000 + place * 100 as distance_mm
    from picks
), writes as (
    select n, array_agg(user_id order by user_id) as users, array_agg(start_ms order by user_id) as starts,
        array_agg(start_ms + 60000 order by user_id) as ends, array_agg(steps order by user_id) as steps,
        array_agg(distance_mm::bigint order by user_id) as distances, array_agg('Europe/Berlin'::text) as zones,
        array_agg(true) as sent, array_agg(1::smallint) as statuses, array_agg(0::smallint) as sources,
        array_agg(null::text) as devices, array_agg(:'day'::date) as days, array_agg(null::text) as cuts
    from rows group by n
), sums as (
    select n, user_id, sum(steps)::bigint as steps, sum(distance_mm)::bigint as distance_mm,
        count(*)::integer as workouts
    from rows group by n, user_id
), totals as (
    select n, array_agg(user_id order by user_id) as each_user, array_agg(null::text) as each_device,
        array_agg(false) as each_several, array_agg(:'day'::date) as each_day,
        array_agg(steps order by user_id) as each_steps, array_agg(distance_mm order by user_id) as each_distance,
        array_agg(workouts order by user_id) as each_workouts, array_agg(1::bigint) as each_revision
    from sums group by n
)
select * from writes join totals using (n);
alter table batches add primary key (n);
vacuum analyze batches;
