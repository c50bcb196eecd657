"""What the first screen shows, out of a user's home."""

from datetime import date, datetime, timedelta

import orjson

from store import Home
from workout import ZONES

WEEK_BEGINS = (0, 6, 5)  # Monday, Sunday, Saturday, as `date.weekday` counts them


def totals(home: Home, day: date) -> tuple[int, int]:
    """Steps and millimetres of a day."""
    value = home.days.get(day.isoformat())
    if not value:
        return 0, 0
    steps, millimetres = value.split(":")
    return int(steps), int(millimetres)


def goal_of(steps: int | None, millimetres: int | None) -> dict[str, int | float | None]:
    """A weekly goal on the wire."""
    return {"steps": steps, "distance": None if millimetres is None else millimetres / 1000}


def summary(home: Home, zone: str | None) -> dict[str, object]:
    """The members of the answer, but for `asOf`."""
    week_begins, _, profile_zone = home.zone.partition(":")
    zone = zone or profile_zone
    today = datetime.now(ZONES[zone]).date()
    plan = orjson.loads(home.plan) if home.plan else None
    state, week, weeks, goal, source = "none", 0, [], None, "none"
    begin = today - timedelta(days=(today.weekday() - WEEK_BEGINS[int(week_begins)]) % 7)
    if plan:
        weeks, start = plan[6], date.fromisoformat(plan[5])
        passed = (today - start).days
        state = "upcoming" if passed < 0 else "active" if passed < len(weeks) * 7 else "finished"
        week = 0 if passed < 0 else min(passed // 7, len(weeks) - 1)
    if state == "active":
        goal, source, begin = goal_of(*weeks[week]), "plan", date.fromisoformat(plan[5]) + timedelta(days=week * 7)
    elif home.goal:
        steps, _, millimetres = home.goal.partition(":")
        goal = goal_of(int(steps) if steps else None, int(millimetres) if millimetres else None)
        source = "weekly"
    days = [today - timedelta(days=age) for age in range(7)]
    seven = [totals(home, day) for day in days]
    this_week = [total for day, total in zip(days, seven) if day >= begin]
    return {
        "planName": plan[3] if plan else None, "planState": state, "currentWeek": week, "totalWeeksInPlan": len(weeks),
        "currentDayGoal": -(-goal["steps"] // 7) if goal and goal["steps"] else 0,
        "currentWeekSteps": [steps for steps, _ in seven], "today": today.isoformat(),
        "days": [day.isoformat() for day in days],
        "currentWeekDistances": [millimetres / 1000 for _, millimetres in seven],
        "currentDaySteps": seven[0][0], "currentDayDistance": seven[0][1] / 1000,
        "weekSteps": sum(steps for steps, _ in this_week),
        "weekDistance": sum(millimetres for _, millimetres in this_week) / 1000,
        "weeklyGoal": goal, "goalSource": source, "time_zone": zone,
    }
