"""Imported stops: imported, read, listed, changed and removed.

Route stops made from them stay as they are.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any

from msgspec.structs import asdict, replace

from roundsman.domain.address import Address, Location
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.customer_note import CustomerNote
from roundsman.domain.errors import FieldViolation, NotFound
from roundsman.domain.event import Happening, imported
from roundsman.domain.geocoding import MinimumMatch
from roundsman.domain.imported_stop import ImportedStop, StopDraft
from roundsman.domain.item import Item
from roundsman.domain.model import UNSET
from roundsman.domain.principal import Principal
from roundsman.domain.queries import ListImportedStops, Query, SortKey
from roundsman.domain.quota import require_stops_fit
from roundsman.domain.task import TaskTemplate
from roundsman.domain.topics import Topic
from roundsman.kit.ids import new_id
from roundsman.operations.locations import (
    Located,
    ResolvedLocation,
    locate_all,
    readable_locations,
    refused,
    try_locating,
)
from roundsman.operations.paging import Page, list_page
from roundsman.operations.request import Request
from roundsman.operations.route_changes import assign
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import UnitOfWork, begin_work
from roundsman.storage import imported_stops as stored
from roundsman.storage.database import Transaction
from roundsman.storage.imported_stops import (
    StopFilter,
    find_imported_stops,
    remove_imported_stop,
    save_imported_stops,
)
from roundsman.storage.keyset import Position
from roundsman.storage.routes import list_routes_of_origin, list_routes_of_origins

_SERVICE_ID = re.compile(
    r"ist-[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.ASCII
)


def is_service_id(reference: str) -> bool:
    """Say whether a reference is an id of ours; anything else is a client's own (decisions §6)."""
    return _SERVICE_ID.fullmatch(reference) is not None


def import_stops(
    tools: Tools,
    request: Request,
    drafts: Sequence[StopDraft],
    minimum: MinimumMatch | None = None,
) -> tuple[ImportedStop, ...]:
    """Import all stops or none; the same clientStopId replaces (decisions §6)."""
    locations = locate_drafts(tools, drafts, minimum)
    with begin_work(tools, request) as work:
        return work.done(store_imported(work, drafts, locations))


def locate_drafts(
    tools: Tools, drafts: Sequence[StopDraft], minimum: MinimumMatch | None = None
) -> Sequence[ResolvedLocation]:
    """Return where stops are that may be imported together; raise InvalidArgument."""
    locations, violations = try_locating(tools.geocoder, _locations_of(drafts), minimum)
    violations = [*_repeated_client_ids(drafts), *violations]
    if violations:
        raise refused(violations)
    return locations


def store_imported(
    work: UnitOfWork, drafts: Sequence[StopDraft], locations: Sequence[ResolvedLocation]
) -> tuple[ImportedStop, ...]:
    """Store located stops, and record that they were imported."""
    known = find_replaceable_stops(work.tx, work.organization_id, drafts)
    # Lists go by the time of the import, then by id: so they are in the order in which stops came.
    new_ids = sorted(new_id(work.ids, "ist") for _ in drafts)
    open_notes = _find_open_notes(work, known.values())
    stops = tuple(
        ImportedStop(
            **{**asdict(draft), "coordinates": location.coordinates},
            geocoding=location.geocoding,
            **_kept_of(known.get(draft.client_stop_id), open_notes, new),
            imported_at=work.now,
        )
        for draft, location, new in zip(drafts, locations, new_ids, strict=True)
    )
    require_stops_fit(stops)
    work.added_bytes += save_imported_stops(work.tx, work.organization_id, stops, work.now)
    work.record([imported(stop, is_new=stop.client_stop_id not in known) for stop in stops])
    return stops


def review_import(
    tools: Tools, _caller: Principal, drafts: Sequence[StopDraft | None]
) -> list[FieldViolation]:
    """Return what else is wrong with stops of which some could not be read."""
    locations = readable_locations(_locations_of(drafts))
    _, violations = try_locating(tools.geocoder, locations)
    return [*_repeated_client_ids(drafts), *violations]


def _locations_of(drafts: Sequence[StopDraft | None]) -> list[Located]:
    return [
        (f"[{index}].", draft.address, draft.coordinates)
        for index, draft in enumerate(drafts)
        if draft is not None
    ]


def _kept_of(
    known: ImportedStop | None, open_notes: Mapping[str, CustomerNote], new: str
) -> dict[str, Any]:
    """Return what is not the client's to replace: the id, and what the customer wrote."""
    if known is None:
        return {"id": new}
    return {"id": known.id, "customer_note": open_notes.get(known.id, UNSET)}


def _find_open_notes(work: UnitOfWork, stops: Collection[ImportedStop]) -> dict[str, CustomerNote]:
    """Return what customers wrote of deliveries that were not made since, by imported stop."""
    notes = {stop.id: stop.customer_note for stop in stops if stop.customer_note}
    if not notes:
        return {}
    # A note that the customer wrote anew on the way took the place of the one before.
    served = {
        stop.imported_stop_id
        for route in list_routes_of_origins(work.tx, work.organization_id, list(notes))
        for stop in route.done_stops()
        if (note := notes.get(stop.imported_stop_id))
        and stop.customer_note
        and stop.customer_note.at >= note.at
    }
    return {id_: note for id_, note in notes.items() if id_ not in served}


def find_replaceable_stops(
    tx: Transaction, organization_id: str, drafts: Sequence[StopDraft]
) -> dict[str, ImportedStop]:
    """Return the stops that an import would replace, by clientStopId."""
    given = [draft.client_stop_id for draft in drafts if draft.client_stop_id]
    known = find_imported_stops(tx, organization_id, client_stop_ids=given)
    return {stop.client_stop_id: stop for stop in known}


def _repeated_client_ids(drafts: Sequence[StopDraft | None]) -> list[FieldViolation]:
    first_index: dict[str, int] = {}
    violations = []
    for index, draft in enumerate(drafts):
        if draft is None or not draft.client_stop_id:
            continue
        first = first_index.setdefault(draft.client_stop_id, index)
        if first != index:
            violations.append(
                FieldViolation(
                    field=f"[{index}].clientStopId",
                    description=f"must be unique in the request; [{first}] has the same",
                )
            )
    return violations


def get_imported_stop(tools: Tools, organization_id: str, reference: str) -> ImportedStop:
    """Return a stop by its id or its clientStopId."""
    with tools.database.reading() as tx:
        return find_referred(tx, organization_id, reference)


def find_referred(tx: Transaction, organization_id: str, reference: str) -> ImportedStop:
    """Return a stop by its id or its clientStopId; raise NotFound when there is none."""
    by = "ids" if is_service_id(reference) else "client_stop_ids"
    found = find_imported_stops(tx, organization_id, **{by: [reference]})
    if not found:
        raise NotFound("imported stop not found")
    return found[0]


def list_imported_stops(
    tools: Tools, organization_id: str, query: Query[ListImportedStops]
) -> Page[ImportedStop]:
    """Return a page of stops."""

    def fetch(
        tx: Transaction, arguments: ListImportedStops, after: Position | None, count: int
    ) -> list[tuple[Position, ImportedStop]]:
        wanted = StopFilter(
            by_update=arguments.sort_key is SortKey.UPDATED_AT,
            starting=arguments.timestamp_start or None,
            ending=arguments.timestamp_end or None,
            unrouted=arguments.unrouted,
            text=arguments.text,
            tag=arguments.tag,
            delivery_date=arguments.delivery_date,
        )
        return stored.select_imported_stops(tx, organization_id, wanted, after, count)

    return list_page(tools, organization_id, "imports", query, fetch)


def list_routes_with_stop(
    tools: Tools, organization_id: str, reference: str
) -> tuple[AssignedRoute, ...]:
    """Return the routes that have a stop made from this one, archived ones too."""
    with tools.database.reading() as tx:
        stop = find_referred(tx, organization_id, reference)
        found = list_routes_of_origin(tx, organization_id, stop.id)
        return tuple(assign(tx, organization_id, route) for route in found)


def update_imported_stop(
    tools: Tools,
    request: Request,
    reference: str,
    change: Callable[[ImportedStop], ImportedStop],
) -> ImportedStop:
    """Change a stop; a change that changes nothing is neither saved nor recorded as an event."""
    with begin_work(tools, request) as work:
        before = find_referred(work.tx, work.organization_id, reference)
        after = change(before)
        if after != before:
            require_stops_fit([after])
            save_imported_stops(work.tx, work.organization_id, [after], work.now)
            topic = Topic.IMPORTED_STOP_UPDATED
            work.record([Happening(topic=topic, object_id=after.id, subject=after)])
        return work.done(after)


def relocate_imported_stop(
    tools: Tools, request: Request, reference: str, target: Location
) -> ImportedStop:
    """Move a stop; an address alone is geocoded, coordinates alone leave the address."""
    with tools.database.reading() as tx:
        known = find_referred(tx, request.organization_id, reference)
    sought = ("location.", target.address or known.address, target.coordinates)
    (location,) = locate_all(tools.geocoder, [sought])

    def relocate(stop: ImportedStop) -> ImportedStop:
        address = target.address if isinstance(target.address, Address) else stop.address
        return replace(
            stop,
            address=address,
            coordinates=location.coordinates,
            geocoding=location.geocoding,
        )

    return update_imported_stop(tools, request, reference, relocate)


def replace_imported_items(
    tools: Tools, request: Request, reference: str, items: Sequence[Item]
) -> ImportedStop:
    """Replace all items of a stop."""
    return update_imported_stop(
        tools, request, reference, lambda stop: replace(stop, items=tuple(items))
    )


def replace_imported_tasks(
    tools: Tools, request: Request, reference: str, tasks: Sequence[TaskTemplate]
) -> ImportedStop:
    """Replace all tasks of a stop."""
    return update_imported_stop(
        tools, request, reference, lambda stop: replace(stop, tasks=tuple(tasks))
    )


def delete_imported_stop(tools: Tools, request: Request, reference: str) -> ImportedStop:
    """Remove a stop from the pool; return it as it was."""
    with begin_work(tools, request) as work:
        stop = find_referred(work.tx, work.organization_id, reference)
        remove_imported_stop(work.tx, work.organization_id, stop.id)
        work.is_freeing = True
        topic = Topic.IMPORTED_STOP_DELETED
        work.record([Happening(topic=topic, object_id=stop.id, subject=stop)])
        return work.done(stop)
