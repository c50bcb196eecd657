-- One workout in one statement: the least that one transaction for each workout can cost.
\set user random(1, :users)
\set start :today + 60000 * random(0, 599)
\set end :start + 60000
\set steps random(100, 180)
\set distance random(70000, 99900)
with locked as (
    insert into users as u (user_id, revision, device_id, has_several_devices)
    values (md5(:user::text)::uuid, 1, null, false)
    on conflict (user_id) do update set revision = u.revision + 1
    returning user_id, revision
), inserted as (
    insert into workouts (user_id, request_id, start_ms, end_ms, steps, distance_mm, time_zone, zone_was_sent, status,
        source, device_id, day, cut)
    select user_id, gen_random_uuid(), :start, :end, :steps, :distance, 'Europe/Berlin', true, 1, 0, null, :day::date,
        null
    from locked
    on conflict (user_id, request_id) do nothing
    returning user_id, workout_id, steps, distance_mm, day
), added as (
    insert into daily_totals as t (user_id, day, steps, distance_mm, workouts, revision)
    select user_id, day, steps, distance_mm, 1, revision from inserted join locked using (user_id)
    on conflict (user_id, day) do update set
        steps = t.steps + excluded.steps, distance_mm = t.distance_mm + excluded.distance_mm,
        workouts = t.workouts + excluded.workouts, revision = excluded.revision
    returning user_id, steps, distance_mm, workouts, revision
)
select workout_id, a.steps, a.distance_mm, a.workouts, a.revision
from inserted join added a using (user_id);
