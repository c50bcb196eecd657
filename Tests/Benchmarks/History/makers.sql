-- Who makes the history: users with tokens of the issuer `bench` for `:prefix0` and so on. The first one sends :first_a_day
-- workouts a day, the others ten. All have a plan of 104 weeks, whose week 100 it is on :'day'.
-- The ids are those of RFC 9562, version 8, out of SHA-256 over both texts, each behind its length.
create table makers as
select number, case when number = 0 then :first_a_day else 10 end as a_day,
    encode(substring(set_byte(set_byte(digest, 6, get_byte(digest, 6) & 15 | 128),
    8, get_byte(digest, 8) & 63 | 128) for 16), 'hex')::uuid as user_id
from (
    select number, sha256(int8send(5) || convert_to('bench', 'UTF8')
        || int8send(length(subject)) || convert_to(subject, 'UTF8')) as digest
    from (select number, :'prefix' || number as subject from generate_series(0, :users - 1) as number) as subjects
) as digests;

insert into users (user_id, revision, has_several_devices) select user_id, :days, false from makers;

insert into plans (user_id, plan_id, request_id, content)
select user_id, user_id, user_id, format('[1,"%s","%s","A long one",false,"%s",[%s],1764460800000,null]', user_id,
    user_id, :'day'::date - 703,
    (select string_agg(format('[%s,%s]', 30000 + week * 200, 20000000 + week * 100000), ',' order by week)
        from generate_series(0, 103) as week))
from makers;

insert into settings (user_id, time_zone, week_start, profile_revision, goal_steps, goal_revision, plan_id, plan_revision)
select user_id, 'UTC', 0, 1, 42000, 2, user_id, 3 from makers;
