"""Reads the stops of a CSV or XLSX file: valid rows, rejected rows with reasons, and remarks.

Each rejected row has one entry with all its mistakes. What costs only a cell, or concerns the whole
file, is a remark.

Shops export orders with a line for each item. A later line of an order repeats its name without an
address or, where the table lists items, repeats both: it adds its item to the order's stop.
"""

from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from msgspec.structs import replace

from roundsman.domain.errors import InvalidArgument
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.issue import Issue, IssueType, IssueValues
from roundsman.domain.item import Item
from roundsman.kit.phones import CountryOf, iso_code
from roundsman.spreadsheets.bounds import MOST_DATA_ROWS
from roundsman.spreadsheets.cells import meant
from roundsman.spreadsheets.column_words import Field
from roundsman.spreadsheets.columns import (
    PLACE,
    ColumnMeaning,
    Columns,
    FurtherCells,
    fold_header,
)
from roundsman.spreadsheets.header import find_header
from roundsman.spreadsheets.remarks import Remark
from roundsman.spreadsheets.row_reader import RowReader, RowReading
from roundsman.spreadsheets.table import RejectedRow, Row, RowProblem
from roundsman.spreadsheets.tables import is_workbook, read_tables

_MOST_ITEMS = 499
_WINDOWS = (Field.TIME_WINDOWS, Field.WINDOW_START, Field.WINDOW_END)
_SAME_STOP = (
    *sorted(PLACE),
    Field.LATITUDE,
    Field.LONGITUDE,
    Field.COORDINATES,
    *_WINDOWS,
    Field.DELIVERY_DATE,
)


@dataclass(slots=True)
class OrderLines:
    """The stops read so far, and which line of the table each order stands on first."""

    lists_goods: bool
    stops: list[tuple[int, StopDraft]] = field(default_factory=list)
    _first_rows: dict[str, int] = field(default_factory=dict)
    _positions: dict[int, int] = field(default_factory=dict)
    _whole: dict[Hashable, int] = field(default_factory=dict)

    def first_row(
        self, values: Mapping[Field, str], further: FurtherCells, *, says_where: bool
    ) -> int | None:
        """Return the row of the order that a row is a further line of, or None."""
        name = values.get(Field.NAME, "")
        if not name:
            return None
        if not says_where:
            return self._first_rows.get(name)
        return self._whole.get(_identity(values, further)) if self.lists_goods else None

    def note(self, row: int, values: Mapping[Field, str], further: FurtherCells) -> None:
        """Record the first line of an order, whether or not it is valid."""
        name = values.get(Field.NAME, "")
        if name:
            self._first_rows.setdefault(name, row)
            self._whole.setdefault(_identity(values, further), row)

    def add(self, row: int, draft: StopDraft) -> None:
        """Add a stop."""
        self._positions[row] = len(self.stops)
        self.stops.append((row, draft))

    def extend(self, first_row: int, items: tuple[Item, ...]) -> list[RowProblem]:
        """Add items to a stop; return why when that fails."""
        position = self._positions.get(first_row)
        if position is None:
            why = f"belongs to the order of row {first_row}, which is left out"
            issue = Issue(type=IssueType.ORDER_LEFT_OUT, values=IssueValues(row=first_row))
            return [RowProblem(reason=why, issue=issue, order_row=first_row)]
        row, draft = self.stops[position]
        if len(draft.items) + len(items) > _MOST_ITEMS:
            why = f"the order of row {first_row} has more than {_MOST_ITEMS} lines"
            values = IssueValues(row=first_row, most=_MOST_ITEMS)
            issue = Issue(type=IssueType.TOO_MANY_ORDER_LINES, values=values)
            return [RowProblem(reason=why, issue=issue)]
        self.stops[position] = (row, replace(draft, items=draft.items + items))
        return []


def _identity(values: Mapping[Field, str], further: FurtherCells) -> Hashable:
    parts = (values.get(part, "") for part in _SAME_STOP)
    windows = (further.get(field, ()) for field in _WINDOWS)
    return values[Field.NAME], *windows, *parts


_TOO_WIDE = RowProblem(
    reason="more cells than the header has; put a cell that holds the delimiter in quotes",
    issue=Issue(type=IssueType.TOO_MANY_CELLS),
)


@dataclass(frozen=True, kw_only=True, slots=True)
class StopSheet:
    """What a file held; rows are numbered as a spreadsheet program numbers them.

    `country` is where rows that name no country are: the one that was given, else most rows'.
    """

    stops: tuple[tuple[int, StopDraft], ...]
    rejected: tuple[RejectedRow, ...]
    remarks: tuple[Remark, ...]
    columns: tuple[ColumnMeaning, ...]
    country: str
    others: Mapping[int, Mapping[str, str]] = field(default_factory=dict)
    """By row: the cells of columns that mean nothing here, by their folded headers."""

    cells: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    """By row: the text of its cells in the order of `columns`. In a CSV file they say the same."""


def read_stop_sheet(  # noqa: PLR0913 -- the keywords say how columns are read
    content: bytes,
    country_of: CountryOf = iso_code,
    *,
    country: str = "",
    strict: bool = False,
    chosen: Mapping[Field, str] | None = None,
    ignored: Collection[str] = (),
    loads: Collection[str] = (),
) -> StopSheet:
    """Read a whole file; raise InvalidArgument when it is no table with a header and rows.

    `chosen` says of some fields under which header they are, whatever the header means by itself;
    what is under `ignored` headers is not read. A column that means nothing else and is called as
    one of `loads` is what stops take of it.

    A cell that cannot be read and need not be there is left out, or, where `strict`, its row.
    """
    table = find_header(read_tables(content), chosen, ignored)
    columns = table.columns
    written = list(_filled(table.rows))
    if not written:
        raise InvalidArgument("the file has a header but no rows below it")
    rows = [Row(number=row.number, cells=tuple(map(meant, row.cells))) for row in written]
    country = country or _most_named(rows, columns, country_of)
    own = {fold_header(name): name for name in loads}
    for header in ignored:
        own.pop(fold_header(header), None)
    reading = RowReading(country_of=country_of, country=country, strict=strict, loads=own)
    is_csv = not is_workbook(content)
    lines = OrderLines(columns.list_goods())
    rejected: list[RejectedRow] = []
    remarks: list[Remark] = []
    others: dict[int, Mapping[str, str]] = {}
    for row in rows:
        if is_csv and columns.are_outgrown_by(row.cells):
            rejected.append(RejectedRow(row=row.number, problems=(_TOO_WIDE,)))
            continue
        values = columns.values(row.cells)
        names, beside = columns.names(row.cells), columns.others(row.cells)
        further = columns.further(row.cells)
        reader = RowReader(row.number, values, names, reading, beside, further)
        problems = _take(reader, lines, row.number, values, further)
        if problems:
            rejected.append(RejectedRow(row=row.number, problems=tuple(problems)))
        else:
            remarks += reader.remarks
            others[row.number] = beside
    return StopSheet(
        stops=tuple(lines.stops),
        rejected=tuple(rejected),
        remarks=(*_of_file(table.remarks, columns), *remarks),
        columns=tuple(
            ColumnMeaning(header=one.header, field=Field.LOADS)
            if one.field is None and fold_header(one.header) in own
            else one
            for one in columns.meanings()
        ),
        country=country,
        others=others,
        cells={row.number: columns.under_headers(row.cells) for row in written},
    )


def _take(
    reader: RowReader,
    lines: OrderLines,
    row: int,
    values: dict[Field, str],
    further: FurtherCells,
) -> list[RowProblem]:
    """Add a row to the stops; return what is wrong with it when it is rejected."""
    first_row = lines.first_row(values, further, says_where=reader.says_where())
    if first_row is not None:
        items = reader.items()
        return reader.problems or lines.extend(first_row, items)
    lines.note(row, values, further)
    draft = reader.draft()
    if draft is not None:
        lines.add(row, draft)
    return reader.problems


def _filled(rows: Iterable[Row]) -> Iterator[Row]:
    """Yield the rows that are not blank, up to the limit."""
    count = 0
    for row in rows:
        if row.is_blank():
            continue
        count += 1
        if count > MOST_DATA_ROWS:
            raise InvalidArgument(f"the table has more than {MOST_DATA_ROWS:,} rows of stops")
        yield row


def _most_named(rows: Iterable[Row], columns: Columns, country_of: CountryOf) -> str:
    """Return the country that most rows name; empty when none does."""
    written = Counter(columns.values(row.cells).get(Field.COUNTRY, "") for row in rows)
    named: Counter[str] = Counter()
    for text, count in written.items():
        named[(country_of(text) if text else None) or ""] += count
    del named[""]
    return max(sorted(named), key=named.__getitem__, default="")


def _of_file(remarks: Iterable[str], columns: Columns) -> Iterator[Remark]:
    """Yield what is worth knowing of the file; ignored columns stand among the columns."""
    for remark in remarks:
        yield Remark(message=remark)
    if Field.WEIGHT in columns.indexes:
        message = "a weight without a unit is read as grams; name the column kg for kilograms"
        yield Remark(message=message)
