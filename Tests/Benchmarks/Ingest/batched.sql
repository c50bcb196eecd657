-- The statements of WorkoutStatements, DailyTotalsStatements and CacheMarkStatements, in two trips as ingest makes them;
-- where ingest sends arrays, they come from a table that is always in memory.
\set n :first + 3 * random(0, :count - 1) + :client_id
\startpipeline
begin;
insert into users as u (user_id, revision, device_id, has_several_devices)
select b.user_id, 1, b.device_id, b.has_several
from batches, unnest(each_user, each_device, each_several) as b (user_id, device_id, has_several)
where n = :n
order by b.user_id
on conflict (user_id) do update set
    revision = u.revision + 1,
    device_id = coalesce(u.device_id, excluded.device_id),
    has_several_devices = u.has_several_devices or excluded.has_several_devices
        or coalesce(u.device_id <> excluded.device_id, false)
returning user_id, revision, has_several_devices, erased_ms, is_erasing;
insert into workouts (user_id, request_id, start_ms, end_ms, steps, distance_mm, time_zone, zone_was_sent, status,
    source, device_id, day, cut, revision)
select w.*, (select u.revision from users u where u.user_id = w.user_id) from batches, unnest(
    users, (select array_agg(id order by id) from (select gen_random_uuid() as id from generate_series(1, 200)) ids),
    starts, ends, steps, distances, zones, sent, statuses, sources, devices, days, cuts)
    as w (user_id, request_id, start_ms, end_ms, steps, distance_mm, time_zone, zone_was_sent, status, source,
        device_id, day, cut)
where n = :n
on conflict (user_id, request_id) do nothing
returning user_id, request_id, workout_id;
\endpipeline
\startpipeline
insert into daily_totals as t (user_id, day, steps, distance_mm, workouts, revision)
select d.* from batches,
    unnest(each_user, each_day, each_steps, each_distance, each_workouts, each_revision) as d
where n = :n
on conflict (user_id, day) do update set
    steps = t.steps + excluded.steps, distance_mm = t.distance_mm + excluded.distance_mm,
    workouts = t.workouts + excluded.workouts, revision = excluded.revision
returning user_id, day, steps, distance_mm, workouts, revision;
insert into cache_marks (user_id, mark_id, users)
select each_user[1], gen_random_uuid(), each_user from batches where n = :n;
commit;
\endpipeline
