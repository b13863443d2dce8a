"""The day that cells of time windows name beside their times: `2024-07-31 9:00`."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from roundsman.domain.issue import Issue, IssueType, IssueValues
from roundsman.domain.time_window import Date, TimeOfDay
from roundsman.spreadsheets.column_words import Field
from roundsman.spreadsheets.table import shorten
from roundsman.spreadsheets.unreadable_cell import Why


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowDay:
    """A day, and the cell that names it."""

    column: Field | str
    cell: str
    day: Date


@dataclass(frozen=True, kw_only=True, slots=True)
class WindowSide:
    """A cell with one side of a window, and what was read of it."""

    column: Field | str
    cell: str
    day: Date | None
    time: TimeOfDay | None


def days_of_sides(opens: WindowSide, closes: WindowSide) -> list[WindowDay]:
    """Return the days that the sides of a window name; one past midnight closes on the next."""
    days = []
    for side in (opens, closes):
        day = side.day
        if side is closes and _closes_next_day(opens, closes):
            day = opens.day
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


def _closes_next_day(opens: WindowSide, closes: WindowSide) -> bool:
    if opens.day is None or closes.day is None or opens.time is None or closes.time is None:
        return False
    is_next = opens.day.as_date() + timedelta(days=1) == closes.day.as_date()
    return is_next and closes.time.as_time() <= opens.time.as_time()
