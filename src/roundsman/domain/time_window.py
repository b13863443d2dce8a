"""When a stop may be served: times of day in the stop's own time zone, and the day they belong to.

Both ends are inclusive and constrain the start of service (decisions §7).
"""

import datetime
from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from roundsman.domain.model import UNSET, Model, Rule, UnsetType, obey_rules
from roundsman.domain.planned_days import PlannedYear, nearest_planned_day


class TimeOfDay(Model):
    """A wall clock time; a missing part is 0."""

    hours: Annotated[int, Meta(ge=0, le=23)] = 0
    """On a clock of 24 hours."""

    minutes: Annotated[int, Meta(ge=0, le=59)] = 0
    """Past the hour."""

    seconds: Annotated[int, Meta(ge=0, le=59)] = 0
    """Past the minute."""

    def as_time(self) -> datetime.time:
        """Return the naive wall clock time."""
        return datetime.time(self.hours, self.minutes, self.seconds)


class TimeWindow(Model):
    """From `start` to `end`; a missing end is open, an end before its start spans midnight."""

    start: TimeOfDay | UnsetType = UNSET
    """The earliest time at which service may begin."""

    end: TimeOfDay | UnsetType = UNSET
    """The latest time at which service may begin, itself included."""


_LEAP_YEAR = 2024


def _judge_day(date: Any) -> Iterator[str]:
    """Find a day that its month never has."""
    if not _exists(_LEAP_YEAR, date.month, date.day):
        yield _NO_SUCH_DAY


def _judge_leap_day(date: Any) -> Iterator[str]:
    """Find a day that its month has, but not in that year."""
    if _exists(_LEAP_YEAR, date.month, date.day) and not _exists(date.year, date.month, date.day):
        yield _NO_SUCH_DAY


_NO_SUCH_DAY = "must be a day that the month has"


def _exists(year: int, month: int, day: int) -> bool:
    try:
        datetime.date(year, month, day)
    except ValueError:
        return False
    return True


class Date(Model):
    """A calendar day."""

    rules: ClassVar = (
        Rule(_judge_day, ("day", "month")),
        Rule(_judge_leap_day, ("day", "month", "year")),
    )

    year: PlannedYear
    """With four digits."""

    month: Annotated[int, Meta(ge=1, le=12)]
    """1 is January."""

    day: Annotated[int, Meta(ge=1, le=31)]
    """Of the month."""

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)

    def as_date(self) -> datetime.date:
        """Return the day as the standard library's date."""
        return datetime.date(self.year, self.month, self.day)

    def as_planned(self) -> datetime.date:
        """Return the day that is planned for it: the nearest, where this one cannot be."""
        return nearest_planned_day(self.as_date())
