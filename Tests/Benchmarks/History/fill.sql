-- A month of workouts of all users of the table `makers`, with the totals of their days: days :first … :first + :count - 1.
-- Rows come in the order of time, as they would have: those of one user lie far apart.
with rows as (
    select m.user_id, (:'begin'::date + d) as day, d, n, (extract(epoch from :'begin'::date + d) * 1000)::bigint
            + (n * 86400000::bigint / m.a_day) + m.number as start_ms,
        (m.number * 37 + d * 911 + n * 13) % 1500 as steps,
        ((m.number * 53 + d * 717 + n * 29) % 1100) * 1000::bigint + n as distance_mm
    from generate_series(:first, :first + :count - 1) as d, makers as m, generate_series(0, m.a_day - 1) as n
), stored as (
    insert into workouts (user_id, request_id, start_ms, end_ms, steps, distance_mm, time_zone, zone_was_sent, status,
        source, device_id, day, cut, revision)
    select user_id, gen_random_uuid(), start_ms, start_ms + 600000, steps, distance_mm, 'UTC', true, 1, 0, null, day,
        null, d + 1
    from rows order by day, n, user_id
    returning user_id, day, steps, distance_mm, revision
)
insert into daily_totals (user_id, day, steps, distance_mm, workouts, revision)
select user_id, day, sum(steps), sum(distance_mm), count(*), max(revision) from stored group by user_id, day;
