"""Rows of text out of a CSV file, whatever program and country it comes from.

Nothing in such a file says how it was written. The encoding is UTF-8 where that fits and the
Windows one otherwise; the delimiter is the one under which the header makes the most sense, which
no count of commas can tell as surely. A quotation mark astray would swallow the rows below it, so
a cell that runs over lines has to be quoted as the format asks for, or the file is refused.
"""

import csv
import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import islice

from roundsman.domain.errors import InvalidArgument
from roundsman.spreadsheets.columns import understand_columns
from roundsman.spreadsheets.table import Row, shorten

_DELIMITERS = ",;\t|"
_ROWS_LOOKED_AT = 10
_LINES_SWALLOWED = 3
"""So many lines in one cell, each with as many cells as a row has, are rows and no text."""
_CELLS_OF_ROWS = 3
"""Of fewer, every line of a text with a comma in it would look like a row."""
_BLANK_BEHIND_MARK = re.compile(r'"[ ]+(?=[,;|\t\r\n]|$)')
_LONGEST_LINE = 1_000_000
_SHOWN_LENGTH = 40
_PDF = b"%PDF"
_NO_SPREADSHEET = "the file is no spreadsheet, neither CSV nor XLSX; save it as one of them"


type CountMeanings = Callable[[Sequence[str]], int]
"""Returns how many cells of a row would have a meaning as headers."""


def count_stop_columns(cells: Sequence[str]) -> int:
    """Return how many fields of a stop a row would head."""
    return len(understand_columns(cells).indexes)


def read_csv(content: bytes, count_meanings: CountMeanings = count_stop_columns) -> Iterator[Row]:
    """Yield every row, blank ones included."""
    text = _decode(content)
    hint = text[:5].casefold()
    if hint.startswith("sep=") and len(hint) == 5:
        yield Row(number=1, cells=())
        yield from _rows(text.partition("\n")[2], hint[4], first=2)
        return
    yield from _rows(text, _delimiter(text, count_meanings), first=1)


def _decode(content: bytes) -> str:
    if content.startswith((b"\xff\xfe", b"\xfe\xff")):
        return content.decode("utf-16", errors="replace")
    if b"\x00" in content or content.startswith(_PDF):
        raise InvalidArgument(_NO_SPREADSHEET)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")


def _delimiter(text: str, count_meanings: CountMeanings) -> str:
    """Return the delimiter under which some row, the header, has the most columns with a meaning.

    Where that is no help, as with a single column, it is one that splits no row wider than that.
    """

    def sense(delimiter: str) -> tuple[int, int]:
        rows = _first_rows(text, delimiter)
        meanings = [count_meanings(cells) for cells in rows]
        header = meanings.index(max(meanings)) if meanings else 0
        wider = sum(len(cells) > len(rows[header]) for cells in rows[header:])
        return max(meanings, default=0), -wider

    return max(_DELIMITERS, key=sense)


def _first_rows(text: str, delimiter: str) -> list[list[str]]:
    """Return what stands first, as far as it can be read: the delimiter may be a wrong one."""
    rows: list[list[str]] = []
    with suppress(csv.Error):
        rows.extend(islice(csv.reader(_lines(text), delimiter=delimiter), _ROWS_LOOKED_AT))
    return rows


def _rows(text: str, delimiter: str, first: int) -> Iterator[Row]:
    lines: list[str] = []
    reader = csv.reader(_noted(_lines(text), lines), delimiter=delimiter)
    number, widest = first, 0
    try:
        for cells in reader:
            if _is_quoted_wrongly(lines, delimiter, widest):
                raise InvalidArgument(_describe_open_quote(number, cells))
            yield Row(number=number, cells=tuple(cell.strip() for cell in cells))
            number, widest = number + 1, max(widest, len(cells))
            lines.clear()
    except csv.Error as error:
        if len(lines) > 1:  # a cell too long to be one, which is what such a mark makes
            raise InvalidArgument(
                _describe_open_quote(number, [lines[0].rpartition('"')[2]])
            ) from error
        raise InvalidArgument(f"the file cannot be read as CSV: {error}") from error


def _lines(text: str) -> Iterator[str]:
    for line in io.StringIO(text, newline=""):
        if len(line) > _LONGEST_LINE:
            raise InvalidArgument(f"the file has a line of more than {_LONGEST_LINE:,} characters")
        yield line


def _noted(lines: Iterable[str], noted: list[str]) -> Iterator[str]:
    """Yield the lines, and collect those that make up the current row."""
    for line in lines:
        noted.append(line)
        yield line


def _is_quoted_wrongly(lines: Sequence[str], delimiter: str, widest: int) -> bool:
    """Return whether a quotation mark in a row, made of these lines, is misplaced."""
    if not any('"' in line for line in lines):
        return False
    followed = list(csv.reader([*lines, ""], delimiter=delimiter))
    if len(followed) == 1:  # the mark is open still, so that the next row would be swallowed too
        return True
    return len(lines) > 1 and (
        not _is_strictly_quoted(lines, delimiter) or _are_rows(lines[1:-1], delimiter, widest)
    )


def _is_strictly_quoted(lines: Sequence[str], delimiter: str) -> bool:
    """Return whether every quoted cell ends with its quotation mark."""
    try:
        plain = [_BLANK_BEHIND_MARK.sub('"', line) for line in lines]
        list(csv.reader(plain, delimiter=delimiter, strict=True))
    except csv.Error:
        return False
    return True


def _are_rows(lines: Sequence[str], delimiter: str, width: int) -> bool:
    return (
        width >= _CELLS_OF_ROWS
        and len(lines) >= _LINES_SWALLOWED
        and all(line.count(delimiter) == width - 1 for line in lines)
    )


def _describe_open_quote(number: int, cells: Sequence[str]) -> str:
    opening = next((cell for cell in cells if "\n" in cell or "\r" in cell), cells[-1])
    shown = shorten(opening.strip().partition("\n")[0], _SHOWN_LENGTH)
    return (
        f"row {number} opens a quotation mark that is not closed there, near {shown}; "
        "remove it, close it, or write two for one that is meant"
    )
