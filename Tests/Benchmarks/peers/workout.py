"""A workout on the wire, the rules that it must satisfy, and how it is cut at local midnights."""

import time
from collections.abc import Iterator
from datetime import date, datetime, timedelta
from typing import Annotated, Literal
from uuid import UUID
from zoneinfo import ZoneInfo, available_timezones

from pydantic import BaseModel, ConfigDict, Field, model_validator

ZONES = {name: ZoneInfo(name) for name in available_timezones()}
FIRST_MS, DAY_MS = 946_684_800_000, 86_400_000


class Workout(BaseModel):
    """What POST /v1/workouts takes."""

    model_config = ConfigDict(frozen=True)

    request_id: Annotated[UUID, Field(alias="requestId")]
    start_time: Annotated[int, Field(strict=True, ge=FIRST_MS)]
    end_time: Annotated[int, Field(strict=True)]
    steps: Annotated[int, Field(strict=True, ge=0, le=500_000)]
    distance: Annotated[float, Field(strict=True, ge=0, le=500_000, allow_inf_nan=False)]
    time_zone: str | None = None
    status: Literal["COMPLETE", "IN_PROGRESS"] = "COMPLETE"
    source: Literal["auto", "manual"] = "auto"
    device_id: Annotated[str, Field(pattern=r"^[ -~]{1,64}$")] | None = None

    @model_validator(mode="after")
    def check(self) -> "Workout":
        """Looks at what belongs together."""
        if not self.start_time < self.end_time <= self.start_time + 2 * DAY_MS:
            raise ValueError("a workout ends after it starts, and within 48 hours")
        if self.end_time > time.time() * 1000 + DAY_MS:
            raise ValueError("a workout may not end more than a day ahead")
        if self.time_zone is not None and self.time_zone not in ZONES:
            raise ValueError("unknown time zone")
        return self

    @property
    def millimetres(self) -> int:
        """The distance as it is kept."""
        return round(self.distance * 1000)

    def parts(self) -> Iterator[tuple[date, int, int]]:
        """Steps and millimetres of each local day, in proportion to time; they add up to the whole."""
        zone = ZONES[self.time_zone or "UTC"]
        first = datetime.fromtimestamp(self.start_time / 1000, zone).date()
        last = datetime.fromtimestamp((self.end_time - 1) / 1000, zone).date()
        if first == last:
            yield first, self.steps, self.millimetres
            return
        span, steps_before, millimetres_before = self.end_time - self.start_time, 0, 0
        for number in range((last - first).days + 1):
            day = first + timedelta(days=number)
            midnight = datetime.combine(day + timedelta(days=1), datetime.min.time(), zone).timestamp() * 1000
            passed = min(midnight, self.end_time) - self.start_time
            steps, millimetres = round(self.steps * passed / span), round(self.millimetres * passed / span)
            yield day, steps - steps_before, millimetres - millimetres_before
            steps_before, millimetres_before = steps, millimetres
