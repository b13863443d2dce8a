"""Remarks on rows that are planned all the same, each said once for all rows it concerns.

A hundred rows with the same mistake are one line on a screen, and a hundred entries for a program.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from roundsman.domain.issue import Issue, IssueType
from roundsman.spreadsheets.table import shorten

_ROWS_NAMED = 5
_CELLS_SHOWN = 3
_SHOWN_LENGTH = 30


class Slip(StrEnum):
    """What is odd about a cell; the value is said of several rows together."""

    UNREADABLE = "cannot be read, left out"
    PHONE = "not of the form +14105550123, nor valid in its row's country, left out"
    EMAIL = "not of the form name@example.com, left out"
    AROUND = "a single time, read as half an hour before it to half an hour after it"
    AFTERNOON = "read as hours of the afternoon"
    MIDNIGHT = "ends before it starts, so it spans midnight"
    ANOTHER_DAY = "names another day than the one that counts for its row"
    NO_LENGTH = "opens and closes at the same time"


READ_AS = {
    Slip.AROUND: "a single time, read as {}",
    Slip.AFTERNOON: "read as {}",
    Slip.MIDNIGHT: "read as {}, which spans midnight; its end is before its start",
    Slip.NO_LENGTH: "read as {}, which opens and closes at the same time",
}
ISSUES = {
    Slip.AROUND: IssueType.SINGLE_TIME,
    Slip.AFTERNOON: IssueType.READ_AS_AFTERNOON,
    Slip.MIDNIGHT: IssueType.SPANS_MIDNIGHT,
    Slip.NO_LENGTH: IssueType.NO_LENGTH,
}
KEPT = frozenset({*READ_AS, Slip.ANOTHER_DAY})
"""Slips of cells that are read all the same."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Remark:
    """A remark on a cell, on rows, or on the whole file; lower case, no full stop."""

    message: str
    rows: tuple[int, ...] = ()
    column: str = ""
    slip: Slip | None = None
    cell: str = ""
    issue: Issue | None = None
    """Of every remark on a cell of a file."""

    is_left_out: bool = False


def group_remarks(remarks: Iterable[Remark]) -> Iterator[str]:
    """Yield a line for each remark, and one line for equal remarks on one column."""
    alike: dict[tuple[str, Slip], list[Remark]] = {}
    for remark in remarks:
        if remark.slip is None:
            yield remark.message
        else:
            alike.setdefault((remark.column, remark.slip), []).append(remark)
    for (column, slip), same in alike.items():
        if len(same) == 1 and same[0].cell:
            yield f"row {same[0].rows[0]}, {column}: {same[0].message}"
            continue
        rows = [row for remark in same for row in remark.rows]
        cells = list(dict.fromkeys(f'"{_shown(remark.cell)}"' for remark in same if remark.cell))
        shown = f": {', '.join(cells[:_CELLS_SHOWN])}" if cells else ""
        more = ", \N{HORIZONTAL ELLIPSIS}" if len(cells) > _CELLS_SHOWN else ""
        yield f"{column} {slip}, in {say_rows(rows)}{shown}{more}"


def say_rows(rows: Sequence[int]) -> str:
    """Return rows for a message: the first few of many."""
    if len(rows) == 1:
        return f"row {rows[0]}"
    named = [str(row) for row in rows[:_ROWS_NAMED]]
    more = len(rows) - _ROWS_NAMED
    if more > 0:
        return f"rows {', '.join(named)} and {more} more"
    return f"rows {', '.join(named[:-1])} and {named[-1]}"


def _shown(cell: str) -> str:
    return shorten(cell, _SHOWN_LENGTH)
