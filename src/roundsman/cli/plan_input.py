"""From the rows of a sheet to a route that can be planned: every stop located or rejected."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.model import UnsetType
from roundsman.domain.route import RouteOptions
from roundsman.domain.route_stop import RouteStop
from roundsman.geocoding.default_country import geocode_in_country
from roundsman.geocoding.geocoder import Geocoder, Match
from roundsman.geocoding.one_line import in_parts
from roundsman.kit.durations import Duration
from roundsman.kit.ids import IdSource
from roundsman.spreadsheets.columns import ColumnMeaning, fold_header
from roundsman.spreadsheets.remarks import Remark
from roundsman.spreadsheets.stop_sheet import StopSheet
from roundsman.spreadsheets.table import RejectedRow, RowProblem


@dataclass(frozen=True, kw_only=True, slots=True)
class PlanInput:
    """What there is to plan: `rows`, `drafts` and `matches` are keyed by stop id.

    A stop without a match brought its own coordinates.
    """

    stops: tuple[RouteStop, ...]
    rows: Mapping[str, int]
    drafts: Mapping[str, StopDraft]
    """What the rows say: loads and skills, too, which are none of a stop on a route."""

    matches: Mapping[str, Match]
    rejected: tuple[RejectedRow, ...]
    remarks: tuple[Remark, ...] = ()
    columns: tuple[ColumnMeaning, ...] = ()
    others: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    """By stop id: its cells of columns without a meaning, by their folded headers."""


@dataclass(frozen=True, kw_only=True, slots=True)
class _LocatedRow:
    row: int
    draft: StopDraft
    coordinates: Coordinates
    match: Match | None


def locate_stops(
    sheet: StopSheet, geocoder: Geocoder, *, options: RouteOptions, ids: IdSource, now: datetime
) -> PlanInput:
    """Return route stops for the rows of a sheet; what cannot be located is rejected.

    An address that names no country is looked for in the sheet's first, then everywhere.
    """
    located, misses = _locate(sheet.stops, geocoder, sheet.country)
    identified = [(f"rst-{ids.new_uuid()}", stop) for stop in located]
    return PlanInput(
        stops=tuple(
            _stop(stop_id, stop, now, options.default_stop_duration) for stop_id, stop in identified
        ),
        rows={stop_id: stop.row for stop_id, stop in identified},
        drafts={stop_id: stop.draft for stop_id, stop in identified},
        matches={stop_id: stop.match for stop_id, stop in identified if stop.match},
        rejected=tuple(sorted((*sheet.rejected, *misses), key=lambda rejected: rejected.row)),
        remarks=sheet.remarks,
        columns=sheet.columns,
        others={stop_id: sheet.others.get(stop.row, {}) for stop_id, stop in identified},
    )


def _locate(
    rows: Sequence[tuple[int, StopDraft]], geocoder: Geocoder, country: str
) -> tuple[list[_LocatedRow], list[RejectedRow]]:
    unlocated = [draft.address for _, draft in rows if isinstance(draft.coordinates, UnsetType)]
    addresses = [address for address in unlocated if isinstance(address, Address)]
    answers = iter(geocode_in_country(addresses, geocoder, country))
    located: list[_LocatedRow] = []
    misses: list[RejectedRow] = []
    for row, draft in rows:
        if isinstance(draft.coordinates, Coordinates):
            located.append(
                _LocatedRow(row=row, draft=draft, coordinates=draft.coordinates, match=None)
            )
            continue
        answer = next(answers)
        if isinstance(answer, Match):
            located.append(
                _LocatedRow(row=row, draft=draft, coordinates=answer.coordinates, match=answer)
            )
        else:
            problem = RowProblem(reason=answer.reason, issue=answer.issue)
            misses.append(RejectedRow(row=row, problems=(problem,)))
    return located, misses


def _stop(
    stop_id: str, located: _LocatedRow, now: datetime, default_duration: Duration | UnsetType
) -> RouteStop:
    draft = located.draft
    address = draft.address
    return RouteStop(
        id=stop_id,
        type=draft.type,
        updated_at=now,
        duration=default_duration if isinstance(draft.duration, UnsetType) else draft.duration,
        note=draft.note,
        address=address if isinstance(address, UnsetType) else in_parts(address),
        contact=draft.contact,
        planned_coordinates=located.coordinates,
        items=draft.items,
        client_stop_id=draft.client_stop_id,
        priority=draft.priority,
        order_name=draft.order_name,
        time_windows=draft.time_windows,
        delivery_date=draft.delivery_date,
        attributes=draft.attributes,
        tags=draft.tags,
        order_reference_url=draft.order_reference_url,
        custom_signature_disclosure=draft.custom_signature_disclosure,
    )


def describe_columns(columns: Sequence[ColumnMeaning], also: Collection[str] = ()) -> Iterator[str]:
    """Yield what the columns mean, then those that are ignored; `also` mean something beside."""
    meant = [
        f"{column.header} \N{RIGHTWARDS ARROW} {column.field}" for column in columns if column.field
    ]
    unmeant = [column.header for column in columns if not column.field]
    meant += [header for header in unmeant if fold_header(header) in also]
    ignored = [header for header in unmeant if fold_header(header) not in also]
    yield f"columns: {', '.join(meant)}"
    if ignored:
        yield f"columns without a meaning here, ignored: {', '.join(ignored)}"
