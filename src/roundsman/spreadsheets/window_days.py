"""The day that cells of time windows name beside their times: `2024-07-31 9:00`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from roundsman.domain.issue import Issue, IssueType, IssueValues
from roundsman.domain.time_window import Date, TimeOfDay
from roundsman.spreadsheets.column_words import Field
from roundsman.spreadsheets.dates import split_day
from roundsman.spreadsheets.table import shorten
from roundsman.spreadsheets.unreadable_cell import Why

_DAY_0 = re.compile(
    r"(?:1899-12-3[01]|3[01]\.12\.1899|12/3[01]/1899|3[01]/12/1899)[ ,Tt]+", re.ASCII
)
_DAYS_1 = frozenset({(1900, 1, 1), (1970, 1, 1)})
"""Days that programs write before a time that has none: those from which they count."""


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowDay:
    """A day, and the cell that names it."""

    column: Field | str
    cell: str
    day: Date


@dataclass(frozen=True, slots=True)
class WindowSide:
    """A cell with one side of a window, and what was read of it."""

    column: Field | str
    cell: str
    day: Date | None
    time: TimeOfDay | None


def split_window_day(cell: str, country: str) -> tuple[Date | None, str]:
    """Return the day that a cell begins with, if any, and what stands behind it."""
    if match := _DAY_0.match(cell):
        return None, cell[match.end() :]
    day, rest = split_day(cell, country)
    is_none = day is not None and (day.year, day.month, day.day) in _DAYS_1
    return None if is_none else day, rest


def days_of_sides(opens: WindowSide, closes: WindowSide, row: Date | None) -> list[WindowDay]:
    """Return the days that the sides of a window name, beside that of the row."""
    days = []
    for side in (opens, closes):
        day = side.day
        if side is closes and day is not None:
            day = _day_of_opening(opens, closes, day, row)
        if day is not None and side.time is not None:
            days.append(WindowDay(column=side.column, cell=side.cell, day=day))
    return days


def settle_day(
    day: Date | None, said: Sequence[WindowDay]
) -> tuple[Date | None, list[tuple[WindowDay, Why]]]:
    """Return the day of a row, its own or the first of a window, and which cells name another."""
    counts = day or next((one.day for one in said), None)
    if counts is None:
        return None, []
    return counts, [(one, _describe(one, counts)) for one in said if one.day != counts]


def _describe(said: WindowDay, day: Date) -> Why:
    counts = day.as_date().isoformat()
    values = IssueValues(value=shorten(said.cell), read_as=counts)
    message = f'"{shorten(said.cell)}" names another day than {counts}, which counts'
    return message, Issue(type=IssueType.ANOTHER_DAY, values=values)


def _day_of_opening(opens: WindowSide, closes: WindowSide, day: Date, row: Date | None) -> Date:
    """Return the day before where a window closes before the hour at which it opened."""
    if opens.time is None or closes.time is None or closes.time.as_time() > opens.time.as_time():
        return day
    before = day.as_date() - timedelta(days=1)
    opened = opens.day or row
    if opened is not None and opened.as_date() != before:
        return day
    return Date(year=before.year, month=before.month, day=before.day)
