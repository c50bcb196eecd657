-- One workout in one statement, which is a transaction by itself: the least that a commit for each workout can cost.
\set user random(1, :users)
\set start :today + 60000 * random(0, 599)
\set end :start + 60000
\set steps random(100, 180)
\set distance random(70000, 99900)
with inserted as (
    insert into workouts (user_id, request_id, start_ms, end_ms, steps, distance_mm, time_zone, zone_was_sent, status,
        source, device_id, day, cut)
    values (md5(:user::text)::uuid, gen_random_uuid(), :start, :end, :steps, :distance, 'Europe/Berlin', true, 1, 0,
        null, :day::date, null)
    on conflict (user_id, request_id) do nothing
    returning user_id, workout_id, steps, distance_mm, day
), added as (
    insert into daily_totals as t (user_id, day, steps, distance_mm, workouts, revision)
    select user_id, day, steps, distance_mm, 1, 1 from inserted
    on conflict (user_id, day) do update set
        steps = t.steps + excluded.steps, distance_mm = t.distance_mm + excluded.distance_mm,
        workouts = t.workouts + excluded.workouts, revision = t.revision + 1
    returning user_id, steps, distance_mm, workouts, revision
)
select workout_id, a.steps, a.distance_mm, a.workouts, a.revision
from inserted join added a using (user_id);
