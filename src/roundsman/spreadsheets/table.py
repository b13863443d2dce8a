"""A spreadsheet without its file format: rows of text."""

from collections.abc import Iterator
from dataclasses import dataclass

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
class RejectedRow:
    """A row that is no stop, and every reason why: lower case, no full stop."""

    row: int
    reason: str


def shorten(text: str, length: int = _SHOWN_LENGTH) -> str:
    """Return text on one line, cut to the length of a message."""
    line = " ".join(text.split())
    return line if len(line) <= length else f"{line[:length]}\N{HORIZONTAL ELLIPSIS}"
