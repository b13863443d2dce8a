"""A spreadsheet without its file format: rows of text."""

from collections.abc import Iterator
from dataclasses import dataclass

from roundsman.domain.issue import Issue

_SHOWN_LENGTH = 80


@dataclass(frozen=True, kw_only=True, slots=True)
class Row:
    """A row under the number a spreadsheet program shows beside it; cells without outer blanks."""

    number: int
    cells: tuple[str, ...]

    def is_blank(self) -> bool:
        """Return whether every cell is empty."""
        return not any(self.cells)


@dataclass(frozen=True, kw_only=True, slots=True)
class Table:
    """A sheet of a workbook, or a whole CSV file, which has no name."""

    name: str
    rows: Iterator[Row]


@dataclass(frozen=True, kw_only=True, slots=True)
class RowProblem:
    """Why a row is rejected, and the column of the cell that is wrong; empty for the whole row.

    Lower case, no full stop.
    """

    reason: str
    issue: Issue
    column: str = ""
    order_row: int = 0
    """Of a further line of an order that is left out: the row on which the order stands first."""

    def in_one_line(self) -> str:
        """Return the reason behind the name of its column."""
        return f"{self.column}: {self.reason}" if self.column else self.reason


@dataclass(frozen=True, kw_only=True, slots=True)
class RejectedRow:
    """A row that is no stop, and everything that is wrong with it."""

    row: int
    problems: tuple[RowProblem, ...]

    @property
    def reason(self) -> str:
        """Return all reasons in one line."""
        return "; ".join(problem.in_one_line() for problem in self.problems)


def shorten(text: str, length: int = _SHOWN_LENGTH) -> str:
    """Return text on one line, cut to the length of a message."""
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[:length]}\N{HORIZONTAL ELLIPSIS}"
