"""The row that says what the columns mean: found below titles, and on whichever sheet has one."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from roundsman.domain.errors import InvalidArgument
from roundsman.spreadsheets.cells import meant
from roundsman.spreadsheets.column_words import Field
from roundsman.spreadsheets.columns import Columns, understand_columns
from roundsman.spreadsheets.table import Row, Table, shorten

_ROWS_BEFORE_HEADER = 10
_NO_HEADER = (
    "no header with a column that says where stops are; name one city, zip, address, "
    "or latitude and longitude"
)


@dataclass(frozen=True, kw_only=True, slots=True)
class HeadedTable:
    """A table whose header is known; `rows` are those below it."""

    columns: Columns
    rows: Iterator[Row]
    remarks: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True, slots=True)
class _Look:
    """What the top of a table showed; `first` is its first row that is not blank."""

    table: Table
    columns: Columns | None
    first: Row | None


def find_header(
    tables: Sequence[Table],
    chosen: Mapping[Field, str] | None = None,
    ignored: Collection[str] = (),
) -> HeadedTable:
    """Return the first table, or the only other one, with a header; raise InvalidArgument.

    `chosen` says of some fields under which header they are, `ignored` what is not read.
    """
    first = _look_at(tables[0], chosen, ignored)
    if first.columns:
        return HeadedTable(columns=first.columns, rows=first.table.rows)
    looks = [first, *(_look_at(table, chosen, ignored) for table in tables[1:])]
    headed = [look for look in looks if look.columns]
    if len(headed) == 1 and headed[0].columns:
        name = headed[0].table.name
        remark = f'read from the sheet "{name}": no other has a header that says where stops are'
        return HeadedTable(columns=headed[0].columns, rows=headed[0].table.rows, remarks=(remark,))
    if headed:
        raise InvalidArgument(
            f'the first sheet, "{tables[0].name}", has no header that says where stops are, but '
            f"several others have: {_named(headed)}; put the one that is meant first"
        )
    raise InvalidArgument(_why_none(looks))


def _look_at(table: Table, chosen: Mapping[Field, str] | None, ignored: Collection[str]) -> _Look:
    first = None
    for row in islice(table.rows, _ROWS_BEFORE_HEADER):
        columns = understand_columns(tuple(map(meant, row.cells)), chosen, ignored)
        if columns.say_where():
            return _Look(table=table, columns=columns, first=first)
        if first is None and not row.is_blank():
            first = row
    return _Look(table=table, columns=None, first=first)


def _why_none(looks: Sequence[_Look]) -> str:
    first = next((look.first for look in looks if look.first), None)
    if first is None and all(row.is_blank() for look in looks for row in look.table.rows):
        return "the file is empty"
    sheets = f"; sheets looked at: {_named(looks)}" if len(looks) > 1 else ""
    if first is None:
        return f"{_NO_HEADER}, in the first {_ROWS_BEFORE_HEADER} rows, which are blank{sheets}"
    shown = shorten(", ".join(cell for cell in first.cells if cell))
    return f'{_NO_HEADER}; row {first.number}, the first, is "{shown}"{sheets}'


def _named(looks: Sequence[_Look]) -> str:
    return ", ".join(f'"{look.table.name}"' for look in looks)
