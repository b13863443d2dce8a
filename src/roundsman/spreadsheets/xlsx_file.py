"""Rows of text out of an XLSX file: sheet by sheet, formulas by their last result."""

import datetime
import io
import warnings
from collections.abc import Callable, Iterable, Iterator

import openpyxl

from roundsman.domain.errors import InvalidArgument
from roundsman.spreadsheets.table import Row, Table
from roundsman.spreadsheets.workbook_extent import measure_workbook

_DAMAGED = "the workbook is damaged or no XLSX; open it in a spreadsheet program and save it anew"


def read_xlsx(content: bytes) -> list[Table]:
    """Return every sheet; its rows, blank ones included, are read lazily."""
    return _undamaged(lambda: _tables(content))


def _tables(content: bytes) -> list[Table]:
    extent = measure_workbook(content)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about decoration that is not read anyway
        book = openpyxl.load_workbook(io.BytesIO(content), read_only=True, data_only=True)
    if not book.worksheets:
        raise InvalidArgument("the file has no worksheet")
    tables = []
    for sheet in book.worksheets:
        sheet.reset_dimensions()
        rows = sheet.iter_rows(
            max_row=extent.last_row, max_col=extent.last_column, values_only=True
        )
        filled = _numbered(rows) if extent.last_row else iter(())
        tables.append(Table(name=sheet.title, rows=filled))
    return tables


def _numbered(rows: Iterator[Iterable[object]]) -> Iterator[Row]:
    number = 0
    while (values := _undamaged(lambda: next(rows, None))) is not None:
        number += 1
        yield Row(number=number, cells=tuple(_text(value) for value in values))


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
