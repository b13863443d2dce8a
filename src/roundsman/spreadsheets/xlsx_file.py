"""Rows of text out of an XLSX file: sheet by sheet, formulas by their last result."""

import datetime
import io
import warnings
from collections.abc import Iterable, Iterator
from zipfile import BadZipFile

import openpyxl
from openpyxl.utils.exceptions import InvalidFileException

from roundsman.domain.errors import InvalidArgument
from roundsman.spreadsheets.table import Row, Table


def read_xlsx(content: bytes) -> list[Table]:
    """Return every sheet; its rows, blank ones included, are read when asked for."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # about decoration that is not read anyway
            book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    except (BadZipFile, InvalidFileException, KeyError, ValueError, OSError) as error:
        raise InvalidArgument(
            "the file is no spreadsheet: a ZIP archive that cannot be read as XLSX"
        ) from error
    if not book.worksheets:
        raise InvalidArgument("the file has no worksheet")
    tables = []
    for sheet in book.worksheets:
        sheet.reset_dimensions()
        rows = _numbered(sheet.iter_rows(values_only=True))
        tables.append(Table(name=sheet.title, rows=rows))
    return tables


def _numbered(rows: Iterable[Iterable[object]]) -> Iterator[Row]:
    for number, values in enumerate(rows, start=1):
        yield Row(number=number, cells=tuple(_text(value) for value in values))


def _text(value: object) -> str:
    """Write a cell as a person would have typed it."""
    match value:
        case None:
            return ""
        case float() if value.is_integer():
            return str(int(value))
        case datetime.datetime():
            return _moment(value)
        case datetime.time():
            return value.isoformat("seconds").removesuffix(":00")
        case datetime.timedelta():
            return str(value)
        case _:
            return str(value).strip()


def _moment(value: datetime.datetime) -> str:
    """A date is stored as its midnight, a time of day as one of the calendar's first days."""
    if value.time() == datetime.time():
        return value.date().isoformat()
    if value.year <= 1900:
        return _text(value.time())
    return value.isoformat(" ", "minutes")
