"""Files of stops over HTTP: read as the command line reads them, then imported like any others.

A dry run says what would be imported and stores nothing. Without `partial` one bad row keeps all
the others out.
"""

from collections.abc import Hashable, Iterator, Mapping, Sequence

from msgspec.structs import asdict, replace

from roundsman.domain.address import Address, Contact, Location
from roundsman.domain.errors import FieldViolation, InvalidArgument, Unavailable
from roundsman.domain.geocoding import MinimumMatch
from roundsman.domain.imported_stop import ImportedStop, StopDraft
from roundsman.domain.issue import Issue, IssueType, IssueValues
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.planned_days import parse_planned_day
from roundsman.domain.queries import ImportStops
from roundsman.domain.sheet_import import ImportedSheet, RefusedRow, SheetColumn
from roundsman.domain.stop_doubts import StopWarning, find_doubts
from roundsman.domain.time_window import Date
from roundsman.geocoding.countries import country_code
from roundsman.geocoding.default_country import within_country
from roundsman.geocoding.one_line import in_parts
from roundsman.kit.ids import new_id
from roundsman.kit.time_zones import country_at, country_of_zone
from roundsman.operations.imported_stops import store_imported
from roundsman.operations.locations import Located, ResolvedLocation, try_locating
from roundsman.operations.organizations import get_organization
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.spreadsheets.column_words import Field
from roundsman.spreadsheets.columns import fold_header
from roundsman.spreadsheets.load_columns import PLAN_COLUMNS, find_similar
from roundsman.spreadsheets.remarks import Remark
from roundsman.spreadsheets.stop_sheet import StopSheet, read_stop_sheet
from roundsman.storage.vehicles import select_vehicles

_FIELDS: Mapping[str, Field] = {fold_header(field): field for field in Field}
_MOST_VIOLATIONS = 100
_MOST_VEHICLES = 1_000
"""Whose loads are looked at; the oldest of more."""


def import_sheet(
    tools: Tools, request: Request, content: bytes, options: ImportStops
) -> ImportedSheet:
    """Import the rows of a file, all or none unless `partial`; raise InvalidArgument."""
    day = _read_day(options)
    sheet = read_stop_sheet(
        content,
        country=_read_country(options) or _country_of_organization(tools, request.organization_id),
        strict=options.strict,
        chosen=_choose(options.column),
        ignored=[*options.ignored.values()],
        loads=(carried := _loads_of_vehicles(tools, request.organization_id)),
    )
    _require_headers(options, sheet)
    found = _locate(tools, sheet, options.minimum_match or None)
    drafts = [_dated(draft, day) for _, draft, _ in found.rows]
    refused = sorted((*found.refused, *_repeated(found.rows)), key=lambda one: one.row)
    repeated = {one.row for one in refused}
    kept = [
        (row, draft, where)
        for (row, _, where), draft in zip(found.rows, drafts, strict=True)
        if row not in repeated
    ]
    if refused and not (options.partial or options.dry_run):
        raise _as_error(refused)
    with begin_work(tools, request) as work:
        if options.dry_run:
            stops: Sequence[ImportedStop] = [
                ImportedStop(
                    **{**asdict(draft), "coordinates": where.coordinates},
                    geocoding=where.geocoding,
                    id=new_id(work.ids, "ist"),
                    imported_at=work.now,
                )
                for _, draft, where in kept
            ]
        else:
            stops = store_imported(
                work, [draft for _, draft, _ in kept], [where for _, _, where in kept]
            )
        rows = [row for row, _, _ in kept]
        return work.done(
            ImportedSheet(
                stops=tuple(stops),
                warnings=_warnings(
                    stops, rows, [*_unread(sheet, rows, carried, options), *sheet.remarks]
                ),
                rejected_rows=_with_cells(refused, sheet.cells),
                columns=tuple(
                    SheetColumn(header=one.header, field=one.field or "") for one in sheet.columns
                ),
                fields=tuple(Field),
                rows=tuple(rows),
                country=sheet.country,
            )
        )


def _with_cells(
    refused: Sequence[RefusedRow], cells: Mapping[int, tuple[str, ...]]
) -> tuple[RefusedRow, ...]:
    """Add what stands in refused rows, once a row: else the answer could outgrow the file."""
    seen: set[int] = set()
    given = []
    for one in refused:
        given.append(one if one.row in seen else replace(one, cells=cells[one.row]))
        seen.add(one.row)
    return tuple(given)


type _Row = tuple[int, StopDraft, ResolvedLocation]


class _Located:
    def __init__(self, rows: list[_Row], refused: list[RefusedRow]) -> None:
        self.rows = rows
        self.refused = refused


def _locate(tools: Tools, sheet: StopSheet, minimum: MinimumMatch | None) -> _Located:
    """Find where the rows are: in the country of most of them, then in any."""
    rows: dict[int, tuple[StopDraft, ResolvedLocation]] = {}
    here = {row: _in_country(draft, sheet.country) for row, draft in sheet.stops}
    problems = _try(tools, here, minimum, rows)
    abroad = {row: draft for row, draft in sheet.stops if row in problems and draft != here[row]}
    still = _try(tools, abroad, minimum, rows)
    refused = [
        RefusedRow(
            row=one.row,
            column=problem.column,
            reason=problem.reason,
            type=problem.issue.type,
            values=problem.issue.values,
            order_row=problem.order_row or UNSET,
        )
        for one in sheet.rejected
        for problem in one.problems
    ]
    refused += [
        _nowhere(row, still.get(row, problem))
        for row, problem in problems.items()
        if row not in rows
    ]
    ordered = [(row, *rows[row]) for row, _ in sheet.stops if row in rows]
    return _Located(ordered, refused)


def _nowhere(row: int, problem: FieldViolation) -> RefusedRow:
    return RefusedRow(
        row=row,
        column="address",
        reason=problem.description,
        type=problem.type or IssueType.ADDRESS_NOT_FOUND,
        values=problem.values,
    )


def _try(
    tools: Tools,
    drafts: Mapping[int, StopDraft],
    minimum: MinimumMatch | None,
    rows: dict[int, tuple[StopDraft, ResolvedLocation]],
) -> dict[int, FieldViolation]:
    """Locate rows, add those that are found, and return what is wrong with the others."""
    located: list[Located] = [
        (f"{row}.", draft.address, draft.coordinates) for row, draft in drafts.items()
    ]
    found, violations = try_locating(tools.geocoder, located, minimum)
    problems = {int(one.field.partition(".")[0]): one for one in violations}
    there = [row for row in drafts if row not in problems]
    rows |= {row: (drafts[row], where) for row, where in zip(there, found, strict=True)}
    return problems


def _in_country(draft: StopDraft, country: str) -> StopDraft:
    if not isinstance(draft.address, Address):
        return draft
    return replace(draft, address=within_country(draft.address, country))


def _choose(columns: Mapping[str, str]) -> dict[Field, str]:
    chosen: dict[Field, str] = {}
    unknown = []
    for name, header in columns.items():
        field = _FIELDS.get(fold_header(name))
        if field is None:
            description = f"is no field of a stop; there are {', '.join(Field)}"
            unknown.append(FieldViolation(field=f"query.column.{name}", description=description))
        else:
            chosen[field] = header
    if unknown:
        raise InvalidArgument(f"{unknown[0].field} {unknown[0].description}", unknown)
    return chosen


def _require_headers(options: ImportStops, sheet: StopSheet) -> None:
    """Refuse a choice of a column that the file does not have."""
    known = [column.header for column in sheet.columns]
    folded = set(map(fold_header, known))
    named = {f"column.{field}": header for field, header in options.column.items()}
    named |= {f"ignored.{number}": header for number, header in options.ignored.items()}
    description = f"is no header of the file; there are {', '.join(known)}"
    unknown = [
        FieldViolation(field=f"query.{name}", description=description)
        for name, header in named.items()
        if fold_header(header) not in folded
    ]
    if unknown:
        raise InvalidArgument(f"{unknown[0].field} {description}", unknown)


def _read_day(options: ImportStops) -> Date | None:
    if isinstance(options.delivery_date, UnsetType) or not options.delivery_date:
        return None
    try:
        day = parse_planned_day(options.delivery_date)
    except ValueError as error:
        violation = FieldViolation(field="query.deliveryDate", description=str(error))
        raise InvalidArgument(f"query.deliveryDate {error}", [violation]) from error
    return Date(year=day.year, month=day.month, day=day.day)


def _read_country(options: ImportStops) -> str:
    if not options.country:
        return ""
    code = country_code(options.country)
    if not code:
        description = "is no country; write it as ISO 3166 codes it, such as US"
        violation = FieldViolation(field="query.country", description=description)
        raise InvalidArgument(f"query.country {description}", [violation])
    return code


def _country_of_organization(tools: Tools, organization_id: str) -> str:
    """Return the country of the start, else that of the time zone; empty where neither says one."""
    organization = get_organization(tools.database, organization_id)
    start = organization.start or Location()
    return _country_of_start(tools, start) or country_of_zone(organization.timezone)


def _country_of_start(tools: Tools, start: Location) -> str:
    """Return where routes begin; a start that is nowhere is no reason to refuse a file."""
    address = in_parts(start.address) if isinstance(start.address, Address) else Address()
    if named := country_code(address.country_code):
        return named
    try:
        found, _ = try_locating(tools.geocoder, [("", address, start.coordinates)])
    except Unavailable:
        return ""
    here = [one.coordinates for one in found]
    return country_at(latitude=here[0].latitude, longitude=here[0].longitude) if here else ""


def _dated(draft: StopDraft, day: Date | None) -> StopDraft:
    if day is None or isinstance(draft.delivery_date, Date):
        return draft
    return replace(draft, delivery_date=day)


def _repeated(rows: Sequence[_Row]) -> list[RefusedRow]:
    """Find rows with a clientStopId that a row before has already."""
    first: dict[str, int] = {}
    refused = []
    for row, draft, _ in rows:
        if not draft.client_stop_id:
            continue
        before = first.setdefault(draft.client_stop_id, row)
        if before != row:
            reason = f"row {before} has the same"
            refused.append(
                RefusedRow(
                    row=row,
                    column="clientStopId",
                    reason=reason,
                    type=IssueType.REPEATED_ID,
                    values=IssueValues(row=before),
                )
            )
    return refused


def _as_error(refused: Sequence[RefusedRow]) -> InvalidArgument:
    violations = [
        FieldViolation(
            field=f"rows[{one.row}]{f'.{one.column}' if one.column else ''}",
            description=one.reason,
            type=one.type,
            values=one.values,
        )
        for one in refused[:_MOST_VIOLATIONS]
    ]
    first = refused[0]
    reason = f"{first.column}: {first.reason}" if first.column else first.reason
    rows = len({one.row for one in refused})
    return InvalidArgument(
        f"{rows} {'row is' if rows == 1 else 'rows are'} refused, row {first.row} first: {reason}; "
        "nothing was imported, query.partial=true imports the others",
        violations,
    )


def _loads_of_vehicles(tools: Tools, organization_id: str) -> tuple[str, ...]:
    """Return the names of what the organization's vehicles carry."""
    with tools.database.reading() as tx:
        found = select_vehicles(tx, organization_id, None, _MOST_VEHICLES, include_archived=False)
    return tuple(dict.fromkeys(name for _, one in found for name in one.capacities or ()))


def _unread(
    sheet: StopSheet, rows: Sequence[int], carried: Sequence[str], options: ImportStops
) -> Iterator[Remark]:
    """Yield which columns say something for plans that is not kept with stops."""
    known = {fold_header(column.header) for column in sheet.columns if column.field}
    missing = [name for name in carried if fold_header(name) not in known]
    ignored = {fold_header(header) for header in options.ignored.values()}
    for header in (column.header for column in sheet.columns if not column.field):
        folded = fold_header(header)
        filled = [row for row in rows if folded in sheet.others.get(row, {})]
        if not filled or folded in ignored:
            continue
        if folded in PLAN_COLUMNS:
            message = "is not kept with a stop; say it in the request for a plan"
            issue = Issue(type=IssueType.COLUMN_OF_PLANS)
        elif meant := find_similar(header, missing):
            message = f'is not read; did you mean the load "{meant}" of a vehicle?'
            values = IssueValues(choices=(meant,))
            issue = Issue(type=IssueType.COLUMN_LIKE_LOAD, values=values)
        else:
            continue
        yield Remark(
            message=message, rows=(filled[0],), column=header, issue=issue, is_left_out=True
        )


def _warnings(
    stops: Sequence[ImportedStop], rows: Sequence[int], remarks: Sequence[Remark]
) -> tuple[StopWarning, ...]:
    index_of = {row: index for index, row in enumerate(rows)}
    doubts = [replace(one, row=rows[one.index]) for one in find_doubts(stops)]
    doubts += _same_stops(stops, rows)
    doubts += [
        StopWarning(
            index=index_of[row],
            field=remark.column,
            message=remark.message,
            type=remark.issue.type,
            values=remark.issue.values,
            left_out=remark.is_left_out,
            row=row,
        )
        for remark in remarks
        for row in remark.rows
        if row in index_of and remark.issue is not None
    ]
    return tuple(doubts)


def _same_stops(stops: Sequence[ImportedStop], rows: Sequence[int]) -> Iterator[StopWarning]:
    """Find rows that say the same stop as a row before: pasted twice, or two parcels for a door."""
    first: dict[Hashable, int] = {}
    for index, (stop, row) in enumerate(zip(stops, rows, strict=True)):
        before = first.setdefault(_sameness(stop), row)
        if before != row:
            yield StopWarning(
                index=index,
                field="",
                message=f"is the same stop as row {before}; each is imported",
                type=IssueType.REPEATED_STOP,
                values=IssueValues(row=before),
                row=row,
            )


def _sameness(stop: ImportedStop) -> Hashable:
    """Return what two rows share that are one stop; other times are another visit."""
    who = stop.contact if isinstance(stop.contact, Contact) else Contact()
    address = stop.address.one_line() if isinstance(stop.address, Address) else ""
    said = (stop.order_name, who.first_name, who.last_name, who.company, who.email, address)
    return (
        stop.client_stop_id,
        tuple(" ".join(part.casefold().split()) for part in said),
        who.phone,
        stop.coordinates,
        stop.time_windows,
        stop.delivery_date,
    )
