"""PostgreSQL and Redis: the same tables as those of Stride, and a hash of each user's recent days."""

from datetime import date, timedelta
from typing import NamedTuple
from uuid import UUID

from asyncpg import Connection, Pool
from redis.asyncio import Redis

from workout import Workout

INSERT = """
    insert into workouts (user_id, request_id, start_ms, end_ms, steps, distance_mm, time_zone, zone_was_sent, status,
        source, device_id, day)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    on conflict (user_id, request_id) do nothing
    returning workout_id"""
STORED = """
    select workout_id, start_ms, end_ms, steps, distance_mm, status, device_id from workouts
    where user_id = $1 and request_id = $2"""
ADD = """
    insert into daily_totals as t (user_id, day, steps, distance_mm, workouts, revision) values ($1, $2, $3, $4, 1, 1)
    on conflict (user_id, day) do update set
        steps = t.steps + excluded.steps, distance_mm = t.distance_mm + excluded.distance_mm,
        workouts = t.workouts + 1, revision = t.revision + 1
    returning steps, distance_mm"""
DAYS = "select day, steps, distance_mm from daily_totals where user_id = $1 and day >= $2"
SETTINGS = """
    select s.time_zone, s.week_start, s.goal_steps, s.goal_distance_mm, p.content from settings s
    left join plans p on p.user_id = s.user_id and p.plan_id = s.plan_id where s.user_id = $1"""
LIFE = timedelta(days=8)
SETTING_FIELDS = ("complete", "zone", "goal", "plan")


class Home(NamedTuple):
    """What a summary is made from: totals by day, zone and start of the week, goal, plan as it is stored."""

    days: dict[str, str]
    zone: str
    goal: str
    plan: str
    source: str


class Store:
    """The work of one process."""

    def __init__(self, pool: Pool, redis: Redis) -> None:
        self.pool = pool
        self.redis = redis

    async def add(self, user: UUID, workout: Workout) -> tuple[int | None, bool]:
        """Stores a workout once and brings days and cache in line; answers its id and whether it was there before.

        No id: the requestId stands for something else.
        """
        async with self.pool.acquire() as connection, connection.transaction():
            parts = list(workout.parts())
            number = await connection.fetchval(
                INSERT, user, workout.request_id, workout.start_time, workout.end_time, workout.steps,
                workout.millimetres, workout.time_zone or "UTC", workout.time_zone is not None,
                int(workout.status == "COMPLETE"), int(workout.source == "manual"), workout.device_id, parts[0][0])
            if number is None:
                return await self.repeated(connection, user, workout)
            days = {}
            for day, steps, millimetres in parts:
                row = await connection.fetchrow(ADD, user, day, steps, millimetres)
                days[day.isoformat()] = f"{row[0]}:{row[1]}"
        async with self.redis.pipeline(transaction=False) as pipeline:
            await pipeline.hset(f"home:{user}", mapping=days).expire(f"home:{user}", LIFE).execute()
        return number, False

    async def repeated(self, connection: Connection, user: UUID, workout: Workout) -> tuple[int | None, bool]:
        """The id of a workout that was there before, if it has the same content."""
        row = await connection.fetchrow(STORED, user, workout.request_id)
        sent = (workout.start_time, workout.end_time, workout.steps, workout.millimetres,
            int(workout.status == "COMPLETE"), workout.device_id)
        return (row[0] if tuple(row)[1:] == sent else None), True

    async def home(self, user: UUID, today: date) -> Home:
        """Reads a home, from the cache if all of it is there."""
        names = [(today + timedelta(days=age)).isoformat() for age in range(-7, 2)]
        complete, zone, goal, plan, *values = await self.redis.hmget(f"home:{user}", *SETTING_FIELDS, *names)
        if complete and complete <= names[0]:
            return Home({name: value for name, value in zip(names, values) if value}, zone, goal, plan, "cache")
        return await self.fill(user, today - timedelta(days=41))

    async def fill(self, user: UUID, first: date) -> Home:
        """Reads a home from PostgreSQL and puts it into the cache."""
        async with self.pool.acquire() as connection, connection.transaction(isolation="repeatable_read"):
            rows = await connection.fetch(DAYS, user, first)
            settings = await connection.fetchrow(SETTINGS, user) or (None, None, None, None, None)
        days = {row[0].isoformat(): f"{row[1]}:{row[2]}" for row in rows}
        home = Home(days, f"{settings[1] or 0}:{settings[0] or 'UTC'}",
            "" if settings[2] is None and settings[3] is None else f"{settings[2] or ''}:{settings[3] or ''}",
            settings[4] or "", "database")
        fields = {"complete": first.isoformat(), "zone": home.zone, "goal": home.goal, "plan": home.plan}
        async with self.redis.pipeline(transaction=False) as pipeline:
            await pipeline.hset(f"home:{user}", mapping=fields | days).expire(f"home:{user}", LIFE).execute()
        return home
