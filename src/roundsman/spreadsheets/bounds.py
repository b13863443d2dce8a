"""Limits to what is read of a file: enough for any day's stops, too little to block a machine.

Nothing that a file says about its size can be trusted: a few kilobytes may unpack to gigabytes, or
number their only row two thousand million.
"""

from collections.abc import Iterator

from roundsman.domain.errors import InvalidArgument
from roundsman.spreadsheets.table import Row

MOST_BYTES = 32 * 1024 * 1024
"""Of a file, and of what a workbook unpacks to: a hundred times what 5,000 rows need."""

MOST_DATA_ROWS = 5_000
"""The most rows below the header that are not blank (decisions §22)."""

LAST_ROW = 100_000
"""Blank rows cost time too, and spreadsheet programs leave many below a table."""

MOST_COLUMNS = 1_000


def check_size(length: int) -> None:
    """Refuse a file of more bytes than the limit."""
    if length > MOST_BYTES:
        raise InvalidArgument(f"the file is larger than {say_bytes(MOST_BYTES)}")


def bounded(rows: Iterator[Row]) -> Iterator[Row]:
    """Yield the rows; refuse the table at the first that lies beyond the bounds."""
    for row in rows:
        check_extent(row.number, len(row.cells))
        yield row


def check_extent(row: int, columns: int) -> None:
    """Refuse a table that extends beyond the limits."""
    if row > LAST_ROW:
        raise InvalidArgument(f"the table reaches to row {row:,}; {LAST_ROW:,} rows are read")
    if columns > MOST_COLUMNS:
        raise InvalidArgument(f"row {row:,} has more than {MOST_COLUMNS:,} columns")


def say_bytes(count: int) -> str:
    """Return a number of bytes for a message."""
    return f"{count / 1024 / 1024:,.0f} MiB"
