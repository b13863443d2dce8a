"""When a stop may be served: times of day in the stop's own time zone, and the day they belong to.

Both ends are inclusive and constrain the start of service (decisions §7).
"""

import datetime
from typing import Annotated

from msgspec import Meta

from roundsman.domain.noun import UNSET, BadField, Noun, UnsetType


class TimeOfDay(Noun):
    """A wall clock time; a missing part is 0."""

    hours: Annotated[int, Meta(ge=0, le=23)] = 0
    minutes: Annotated[int, Meta(ge=0, le=59)] = 0
    seconds: Annotated[int, Meta(ge=0, le=59)] = 0

    def as_time(self) -> datetime.time:
        """Return the naive wall clock time."""
        return datetime.time(self.hours, self.minutes, self.seconds)


class TimeWindow(Noun):
    """From `start` to `end`; a missing end is open, an end before its start spans midnight."""

    start: TimeOfDay | UnsetType = UNSET
    end: TimeOfDay | UnsetType = UNSET


class Date(Noun):
    """A calendar day."""

    year: Annotated[int, Meta(ge=1, le=9999)]
    month: Annotated[int, Meta(ge=1, le=12)]
    day: Annotated[int, Meta(ge=1, le=31)]

    def __post_init__(self) -> None:
        """Refuse a day that the calendar does not have."""
        try:
            self.as_date()
        except ValueError as error:
            raise BadField("day", "must be a day that the month has") from error

    def as_date(self) -> datetime.date:
        """Return the day as the standard library's date."""
        return datetime.date(self.year, self.month, self.day)
