"""The tables of a file, whatever its format: a CSV file has one, a workbook one a sheet."""

import unicodedata
from collections.abc import Callable, Sequence
from dataclasses import replace

from roundsman.domain.errors import InvalidArgument
from roundsman.kit.loading import load
from roundsman.spreadsheets.bounds import bounded, check_size
from roundsman.spreadsheets.csv_file import CountMeanings, count_stop_columns, read_csv
from roundsman.spreadsheets.table import Row, Table

_READ_XLSX = "roundsman.spreadsheets.xlsx_file:read_xlsx"
"""Imported for XLSX only: this library takes a fifth of what a plan of a CSV file imports."""

_ZIP_ARCHIVE = b"PK\x03\x04"
_OLD_EXCEL = b"\xd0\xcf\x11\xe0"


def is_workbook(content: bytes) -> bool:
    """Say whether a file is XLSX."""
    return content.startswith(_ZIP_ARCHIVE)


def read_tables(
    content: bytes, count_meanings: CountMeanings = count_stop_columns
) -> Sequence[Table]:
    """Return the tables of a file within bounds; raise InvalidArgument where it is none.

    The delimiter of a CSV file is the one under which its header has the most meanings. A letter
    and its accent are one character: some programs of macOS write two, which no word is compared
    with.
    """
    check_size(len(content))
    tables = _of_format(content, count_meanings)
    return [replace(table, rows=map(_compose, bounded(table.rows))) for table in tables]


def _compose(row: Row) -> Row:
    return replace(row, cells=tuple(unicodedata.normalize("NFC", cell) for cell in row.cells))


def _of_format(content: bytes, count_meanings: CountMeanings) -> Sequence[Table]:
    if content.startswith(_OLD_EXCEL):
        raise InvalidArgument("the file is in the old Excel format; save it as .xlsx or CSV")
    if not is_workbook(content):
        return [Table(name="", rows=read_csv(content, count_meanings))]
    read: Callable[[bytes], list[Table]] = load(_READ_XLSX)
    return read(content)
