-- One workout as most services would write it: one transaction, one trip for each statement. It keeps no order of a
-- user's changes and marks nothing for the cache, so it does less than ingest.
\set user random(1, :users)
\set start :today + 60000 * random(0, 599)
\set end :start + 60000
\set steps random(100, 180)
\set distance random(70000, 99900)
begin;
insert into workouts (user_id, request_id, start_ms, end_ms, steps, distance_mm, time_zone, zone_was_sent, status,
    source, device_id, day, cut)
values (md5(:user::text)::uuid, gen_random_uuid(), :start, :end, :steps, :distance, 'Europe/Berlin', true, 1, 0, null,
    :day::date, null)
on conflict (user_id, request_id) do nothing
returning workout_id;
insert into daily_totals as t (user_id, day, steps, distance_mm, workouts, revision)
values (md5(:user::text)::uuid, :day::date, :steps, :distance, 1, 1)
on conflict (user_id, day) do update set
    steps = t.steps + excluded.steps, distance_mm = t.distance_mm + excluded.distance_mm,
    workouts = t.workouts + excluded.workouts, revision = t.revision + 1
returning steps, distance_mm, workouts, revision;
commit;
