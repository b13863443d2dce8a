"""Rows of text out of an XLSX file: sheet by sheet, formulas by their last result.

The parts of the archive are first unpacked piece by piece and scanned for tags, in constant memory,
so that a workbook that would expand to a huge size is refused.
"""

import datetime
import io
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import IO
from xml.parsers import expat
from zipfile import ZipFile

import openpyxl

from roundsman.domain.errors import InvalidArgument
from roundsman.spreadsheets.bounds import MOST_BYTES, check_extent, say_bytes
from roundsman.spreadsheets.cells import NO_RESULT
from roundsman.spreadsheets.table import Row, Table

_MOST_PARTS = 10_000
_PIECE_BYTES = 64 * 1024
_COLUMN = re.compile(r"([A-Z]{1,3})\d{1,10}", re.IGNORECASE | re.ASCII)
_LETTERS = 26


@dataclass(slots=True)
class Extent:
    """The last row and column of all sheets that hold a value."""

    last_row: int = 0
    last_column: int = 0
    without_result: dict[str, set[tuple[int, int]]] = field(default_factory=dict)
    """By the part of a sheet: row and column of formulas that have no stored result, as libraries
    that write files compute none."""


def measure_workbook(content: bytes) -> Extent:
    """Return how far the sheets reach; raise InvalidArgument when that is farther than is read."""
    extent = Extent()
    with ZipFile(io.BytesIO(content)) as archive:
        parts = archive.infolist()
        # A part yields no more than the archive's own list says of it, so that may be trusted.
        unpacked = sum(part.file_size for part in parts)
        if unpacked > MOST_BYTES or len(parts) > _MOST_PARTS:
            raise InvalidArgument(
                f"the workbook unpacks to {say_bytes(unpacked)} in {len(parts):,} parts, more than "
                f"{say_bytes(MOST_BYTES)}; save the stops of one day in a file of their own"
            )
        for part in parts:
            with archive.open(part) as stream:
                _Sheet(extent, part.filename).read(stream)
    return extent


class _Sheet:
    """Follows the tags of one part; `row` and `column` are where it is."""

    def __init__(self, extent: Extent, part: str) -> None:
        self._extent = extent
        self._part = part
        self._is_sheet: bool | None = None
        self._row = 0
        self._column = 0
        self._type: str | None = None
        """Of the cell that is open; rules and charts have formulas outside of cells."""

        self._is_open_formula = False
        self._parser = expat.ParserCreate(namespace_separator=" ")
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end

    def read(self, stream: IO[bytes]) -> None:
        pieces = iter(lambda: stream.read(_PIECE_BYTES), b"")
        try:
            for piece in pieces:
                self._parser.Parse(piece, False)  # noqa: FBT003 -- expat takes it by position alone
                if self._is_sheet is False:
                    return
        except expat.ExpatError:
            if self._is_sheet:
                raise

    def _start(self, tag: str, attributes: dict[str, str]) -> None:
        name = tag.rpartition(" ")[2]
        if self._is_sheet is None:
            self._is_sheet = name == "worksheet"
        elif name == "row":
            self._row = int(attributes.get("r", self._row + 1))
            self._column = 0
        elif name == "c":
            self._type = attributes.get("t", "")
            self._column = _column(attributes.get("r", "")) or self._column + 1
        elif name in {"v", "is", "f"} and self._type is not None:
            check_extent(self._row, self._column)
            self._extent.last_row = max(self._extent.last_row, self._row)
            self._extent.last_column = max(self._extent.last_column, self._column)
            if name == "f":
                # An empty text is a result, an empty number is none.
                self._is_open_formula = self._type != "str"
            elif name == "v" and self._is_open_formula:
                self._parser.CharacterDataHandler = self._find_result

    def _find_result(self, text: str) -> None:
        if text.strip():
            self._is_open_formula = False

    def _end(self, tag: str) -> None:
        if tag.rpartition(" ")[2] != "c":
            return
        if self._is_open_formula:
            cells = self._extent.without_result.setdefault(self._part, set())
            cells.add((self._row, self._column))
        self._type = None
        self._is_open_formula = False
        self._parser.CharacterDataHandler = None


def _column(reference: str) -> int:
    """Return the column of a cell such as `AB12`; 0 where the cell does not say."""
    match = _COLUMN.fullmatch(reference)
    column = 0
    for letter in match[1].upper() if match else "":
        column = column * _LETTERS + ord(letter) - ord("A") + 1
    return column


_DAMAGED = "the workbook is damaged or no XLSX; open it in a spreadsheet program and save it anew"


def read_xlsx(content: bytes) -> list[Table]:
    """Return every sheet; its rows, blank ones included, are read lazily."""
    return _undamaged(lambda: _tables(content))


def _tables(content: bytes) -> list[Table]:
    extent = measure_workbook(content)
    book = _silently(
        lambda: openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    )
    if not book.worksheets:
        raise InvalidArgument("the file has no worksheet")
    tables = []
    for sheet in book.worksheets:
        sheet.reset_dimensions()
        rows: _Rows = sheet.iter_rows(
            max_row=extent.last_row, max_col=extent.last_column, values_only=True
        )
        part: str = sheet._worksheet_path  # type: ignore[attr-defined]  # noqa: SLF001 -- openpyxl says it nowhere else
        if lacking := extent.without_result.get(part):
            rows = _mark_lacking(rows, lacking)
        filled = _numbered(rows) if extent.last_row else iter(())
        tables.append(Table(name=sheet.title, rows=filled))
    return tables


type _Rows = Iterator[Iterable[object]]


def _mark_lacking(rows: _Rows, lacking: set[tuple[int, int]]) -> _Rows:
    """Yield rows in which a formula without a result is named as an error."""
    for number, values in enumerate(rows, 1):
        yield tuple(
            NO_RESULT if (number, column) in lacking else value
            for column, value in enumerate(values, 1)
        )


def _numbered(rows: _Rows) -> Iterator[Row]:
    number = 0
    while (values := _undamaged(lambda: _silently(lambda: next(rows, None)))) is not None:
        number += 1
        yield Row(number=number, cells=tuple(_text(value) for value in values))


def _silently[Result](read: Callable[[], Result]) -> Result:
    """Read without the library's warnings, which are of decoration that is not read anyway."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return read()


def _undamaged[Result](read: Callable[[], Result]) -> Result:
    """Read, and report a damaged file: the library may raise any error for one."""
    try:
        return read()
    except InvalidArgument:
        raise
    except Exception as error:
        raise InvalidArgument(_DAMAGED) from error


def _text(value: object) -> str:
    """Write a cell as a person would have typed it."""
    match value:
        case None:
            return ""
        case float() if value.is_integer():
            return str(int(value))
        case datetime.datetime():
            return _format_instant(value)
        case datetime.time():
            return value.isoformat("seconds").removesuffix(":00")
        case datetime.timedelta():
            return str(value)
        case _:
            return str(value).strip()


def _format_instant(value: datetime.datetime) -> str:
    """Write a date stored as its midnight, or a time stored on one of the first days."""
    if value.time() == datetime.time():
        return value.date().isoformat()
    if value.year <= 1900:
        return _text(value.time())
    return value.isoformat(" ", "minutes")
