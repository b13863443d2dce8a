"""Importing stops and reading them."""

import re
from collections.abc import Sequence

from msgspec.structs import asdict

from roundsman.domain.caller import Caller
from roundsman.domain.errors import FieldViolation, NotFound
from roundsman.domain.events import imported
from roundsman.domain.geocoding import MinimumMatch
from roundsman.domain.imported_stop import ImportedStop, StopDraft
from roundsman.kit.ids import new_id
from roundsman.operations.locations import Located, readable_places, refused, try_locating
from roundsman.operations.quotas import require_stops_fit
from roundsman.operations.work import Request, Tools, Work, begin_work
from roundsman.storage.database import Transaction
from roundsman.storage.imported_stops import find_imported_stops, save_imported_stops

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
    locations, violations = try_locating(tools.geocoder, _places_of(drafts), minimum)
    violations = [*_repeated_client_ids(drafts), *violations]
    if violations:
        raise refused(violations)
    with begin_work(tools, request) as work:
        known = _known_ids(work, drafts)
        stops = tuple(
            ImportedStop(
                **{**asdict(draft), "coordinates": location.coordinates},
                geocoding=location.geocoding,
                id=known.get(draft.client_stop_id) or new_id(work.ids, "ist"),
                imported_at=work.now,
            )
            for draft, location in zip(drafts, locations, strict=True)
        )
        require_stops_fit(stops)
        work.added_bytes += save_imported_stops(work.tx, work.organization_id, stops, work.now)
        work.record([imported(stop, is_new=stop.client_stop_id not in known) for stop in stops])
        return work.done(stops)


def review_import(
    tools: Tools, _caller: Caller, drafts: Sequence[StopDraft | None]
) -> list[FieldViolation]:
    """Return what else is wrong with stops of which some could not be read."""
    places = readable_places(_places_of(drafts))
    _, violations = try_locating(tools.geocoder, places)
    return [*_repeated_client_ids(drafts), *violations]


def _places_of(drafts: Sequence[StopDraft | None]) -> list[Located]:
    return [
        (f"[{place}].", draft.address, draft.coordinates)
        for place, draft in enumerate(drafts)
        if draft is not None
    ]


def _known_ids(work: Work, drafts: Sequence[StopDraft]) -> dict[str, str]:
    given = [draft.client_stop_id for draft in drafts if draft.client_stop_id]
    known = find_imported_stops(work.tx, work.organization_id, client_stop_ids=given)
    return {stop.client_stop_id: stop.id for stop in known}


def _repeated_client_ids(drafts: Sequence[StopDraft | None]) -> list[FieldViolation]:
    first_place: dict[str, int] = {}
    violations = []
    for place, draft in enumerate(drafts):
        if draft is None or not draft.client_stop_id:
            continue
        first = first_place.setdefault(draft.client_stop_id, place)
        if first != place:
            violations.append(
                FieldViolation(
                    field=f"[{place}].clientStopId",
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
