"""Rows of text out of a CSV file, whatever program and country it comes from.

Nothing in such a file says how it was written. The encoding is UTF-8 where that fits and the
Windows one otherwise; the delimiter is the one under which the header makes the most sense, which
no count of commas can tell as surely.
"""

import csv
import io
from collections.abc import Iterator
from itertools import islice

from roundsman.domain.errors import InvalidArgument
from roundsman.spreadsheets.columns import understand_columns
from roundsman.spreadsheets.table import Row

_DELIMITERS = ",;\t|"
_ROWS_LOOKED_AT = 10


def read_csv(content: bytes) -> Iterator[Row]:
    """Yield every row, blank ones included."""
    text = _decode(content)
    hint = text[:5].casefold()
    if hint.startswith("sep=") and len(hint) == 5:
        yield Row(number=1, cells=())
        yield from _rows(text.partition("\n")[2], hint[4], first=2)
        return
    yield from _rows(text, _delimiter(text), first=1)


def _decode(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    if b"\x00" in content:
        raise InvalidArgument("the file is neither CSV nor XLSX")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _delimiter(text: str) -> str:
    """Return the delimiter under which some row, the header, has the most columns with a meaning.

    Where that is no help, as with a single column, it is one that splits no row wider than that.
    """

    def sense(delimiter: str) -> tuple[int, int]:
        rows = [row.cells for row in islice(_rows(text, delimiter, first=1), _ROWS_LOOKED_AT)]
        meanings = [len(understand_columns(cells).places) for cells in rows]
        header = meanings.index(max(meanings)) if meanings else 0
        wider = sum(len(cells) > len(rows[header]) for cells in rows[header:])
        return max(meanings, default=0), -wider

    return max(_DELIMITERS, key=sense)


def _rows(text: str, delimiter: str, first: int) -> Iterator[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        for number, cells in enumerate(reader, start=first):
            yield Row(number=number, cells=tuple(cell.strip() for cell in cells))
    except csv.Error as error:
        raise InvalidArgument(f"the file cannot be read as CSV: {error}") from error
