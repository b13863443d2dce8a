"""The days that the product plans: those of the years 1900 to 2199.

Whatever else a calendar has, such as a year 9999 that stands for no date, is refused where it comes
in, with the years that are right. What was stored before is read as it is, and timed as if it were
on the nearest day that can be planned.
"""

import re
from datetime import UTC, date, datetime, time
from typing import Annotated

from msgspec import Meta

from roundsman.domain.model import SENT

FIRST_DAY = date(1900, 1, 1)
LAST_DAY = date(2199, 12, 31)
_FIRST_INSTANT = datetime.combine(FIRST_DAY, time(), UTC)
_LAST_INSTANT = datetime.combine(LAST_DAY, time(23, 59, 59), UTC)

_WRITTEN = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
"""ISO 8601 has other forms, such as 2024-W27-1."""

OUTSIDE = f"must be in the years {FIRST_DAY.year} to {LAST_DAY.year}"
"""What is said of a day that cannot be planned."""

type PlannedYear = Annotated[
    int, Meta(ge=1, le=9999, extra_json_schema={SENT: {"minimum": 1900, "maximum": 2199}})
]
type PlannedInstant = Annotated[
    datetime,
    Meta(
        extra_json_schema={
            SENT: {"x-minimum": "1900-01-01T00:00:00Z", "x-maximum": "2199-12-31T23:59:59Z"}
        }
    ),
]
"""A moment on such a day."""


def is_planned(day: date) -> bool:
    """Say whether a day can be planned."""
    return FIRST_DAY <= day <= LAST_DAY


def nearest_planned_day(day: date) -> date:
    """Return the day itself, or the nearest that can be planned."""
    return min(max(day, FIRST_DAY), LAST_DAY)


def nearest_planned_instant(instant: datetime) -> datetime:
    """Return the moment itself, or the nearest that can be planned."""
    return min(max(instant, _FIRST_INSTANT), _LAST_INSTANT)


def parse_planned_day(text: str) -> date:
    """Return a day such as 2024-07-01; raise ValueError that says what it must be."""
    try:
        day = date.fromisoformat(text if _WRITTEN.fullmatch(text) else "")
    except ValueError as error:
        raise ValueError("must be a day of the calendar, such as 2024-07-01") from error
    if not is_planned(day):
        raise ValueError(OUTSIDE)
    return day
