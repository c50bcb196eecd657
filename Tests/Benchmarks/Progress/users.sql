-- Users with 30 days of workouts up to :day, profiles in eight zones and, three of four, a plan of ten weeks.
-- Their ids are those of tokens from the issuer `bench` for `bench-0` and so on (RFC 9562 version 8 out of SHA-256 over
-- both texts, each behind its length).
create temporary table bench as
select number, encode(substring(set_byte(set_byte(digest, 6, get_byte(digest, 6) & 15 | 128),
    8, get_byte(digest, 8) & 63 | 128) for 16), 'hex')::uuid as user_id
from (
    select number, sha256(int8send(5) || convert_to('bench', 'UTF8')
        || int8send(length(subject)) || convert_to(subject, 'UTF8')) as digest
    from (select number, 'bench-' || number as subject from generate_series(0, :users - 1) as number) as subjects
) as digests;

insert into users (user_id, revision, has_several_devices) select user_id, 40, false from bench;

insert into daily_totals (user_id, day, steps, distance_mm, workouts, revision)
select user_id, :'day'::date - age, 3000 + (number * 37 + age * 911) % 9000,
    (2000 + (number * 53 + age * 717) % 7000) * 1000 + number % 1000, 1 + (number + age) % 5, 40 - age
from bench, generate_series(0, 29) as age order by user_id;

insert into plans (user_id, plan_id, request_id, content)
select user_id, user_id, user_id, format(
    '[1,"%s","%s","10 000 steps a day",false,"%s",[%s],1764460800000,null]', user_id, user_id,
    :'day'::date - number % 60,
    (select string_agg(format('[%s,%s]', 30000 + week * 2000, 20000000 + week * 1000000), ',' order by week)
        from generate_series(0, 9) as week))
from bench where number % 4 > 0;

insert into settings (user_id, time_zone, week_start, profile_revision, goal_steps, goal_revision, plan_id, plan_revision)
select b.user_id, (array['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Kiritimati', 'Pacific/Pago_Pago',
    'Australia/Adelaide', 'America/Sao_Paulo', 'UTC'])[1 + number % 8], number % 3, 1, 42000, 2, p.plan_id,
    case when p.plan_id is null then 0 else 3 end
from bench b left join plans p on p.user_id = b.user_id;

analyze;
