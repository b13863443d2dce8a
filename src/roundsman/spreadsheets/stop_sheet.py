"""The stops of a CSV or XLSX file: the good rows, the bad ones with their reasons, and remarks.

What a person should repair is said once for each row, with everything wrong in it; what is merely
worth knowing (a column nobody understands, a phone number left out) is said once for the file.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from roundsman.domain.errors import InvalidArgument
from roundsman.domain.imported_stop import StopDraft
from roundsman.kit.loading import load
from roundsman.spreadsheets.bounds import MOST_DATA_ROWS, bounded, check_size
from roundsman.spreadsheets.columns import Columns, Field
from roundsman.spreadsheets.csv_file import read_csv
from roundsman.spreadsheets.header import find_header
from roundsman.spreadsheets.phones import CountryOf, iso_code
from roundsman.spreadsheets.row_reader import RowReader
from roundsman.spreadsheets.table import RejectedRow, Table

_READ_XLSX = "roundsman.spreadsheets.xlsx_file:read_xlsx"
"""Loaded for XLSX alone: its library is a fifth of what a plan of a CSV file would import."""

_ROWS_NAMED = 5
_ZIP_ARCHIVE = b"PK\x03\x04"
_OLD_EXCEL = b"\xd0\xcf\x11\xe0"
_TOO_WIDE = "more cells than the header has; put a cell that holds the delimiter in quotes"

_PHONE_FORM = "+14105550123, nor valid in its row's country"


@dataclass(frozen=True, kw_only=True, slots=True)
class StopSheet:
    """What a file held; rows are numbered as a spreadsheet program numbers them."""

    stops: tuple[tuple[int, StopDraft], ...]
    rejected: tuple[RejectedRow, ...]
    warnings: tuple[str, ...]


def read_stop_sheet(content: bytes, country_of: CountryOf = iso_code) -> StopSheet:
    """Read a whole file; raise InvalidArgument when it is no table with a usable header."""
    is_csv = not content.startswith(_ZIP_ARCHIVE)
    table = find_header(_tables(content))
    columns = table.columns
    stops: list[tuple[int, StopDraft]] = []
    rejected: list[RejectedRow] = []
    left_out: dict[Field, list[int]] = {}
    for row in table.rows:
        if row.is_blank():
            continue
        if len(stops) + len(rejected) == MOST_DATA_ROWS:
            raise InvalidArgument(f"the table has more than {MOST_DATA_ROWS:,} rows of stops")
        if is_csv and columns.are_outgrown_by(row.cells):
            rejected.append(RejectedRow(row=row.number, reason=_TOO_WIDE))
            continue
        reader = RowReader(columns.values(row.cells), country_of, columns.names(row.cells))
        draft = reader.draft()
        if draft is None:
            rejected.append(RejectedRow(row=row.number, reason="; ".join(reader.problems)))
            continue
        stops.append((row.number, draft))
        for field in reader.remarks:
            left_out.setdefault(field, []).append(row.number)
    return StopSheet(
        stops=tuple(stops),
        rejected=tuple(rejected),
        warnings=(*table.remarks, *_about_columns(columns), *_about_contacts(left_out, columns)),
    )


def _tables(content: bytes) -> Sequence[Table]:
    check_size(len(content))
    return [replace(table, rows=bounded(table.rows)) for table in _of_format(content)]


def _of_format(content: bytes) -> Sequence[Table]:
    if content.startswith(_OLD_EXCEL):
        raise InvalidArgument("the file is in the old Excel format; save it as .xlsx or CSV")
    if not content.startswith(_ZIP_ARCHIVE):
        return [Table(name="", rows=read_csv(content))]
    read: Callable[[bytes], list[Table]] = load(_READ_XLSX)
    return read(content)


def _about_columns(columns: Columns) -> Iterator[str]:
    if columns.unknown:
        yield f"columns without a meaning here, ignored: {_listed(columns.unknown)}"
    for headers in columns.shared():
        yield f"columns of one meaning, the first that is filled counts: {_listed(headers)}"
    if Field.WEIGHT in columns.places:
        yield "a weight without a unit is read as grams; name the column kg for kilograms"


def _about_contacts(left_out: dict[Field, list[int]], columns: Columns) -> Iterator[str]:
    names = columns.names()
    for field, rows in left_out.items():
        form = _PHONE_FORM if field is Field.PHONE else "name@example.com"
        named = ", ".join(str(row) for row in rows[:_ROWS_NAMED])
        more = f" and {len(rows) - _ROWS_NAMED} more" if len(rows) > _ROWS_NAMED else ""
        yield f"{names.get(field, field)} not of the form {form}, left out in row {named}{more}"


def _listed(headers: Iterable[str]) -> str:
    return ", ".join(f'"{header}"' for header in headers)
