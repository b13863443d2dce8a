"""Imported stops at the door."""

import msgspec
from msgspec.structs import asdict

from roundsman.api.route_answers import ROUTE_LIST
from roundsman.domain.address import Location
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.item import ImportedItems
from roundsman.domain.principal import Scope
from roundsman.domain.queries import ImportStops, ListImportedStops, Query
from roundsman.domain.sheet_import import ImportedSheet
from roundsman.domain.stop_doubts import find_doubts
from roundsman.domain.task import TaskTemplates
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.bodies import SentFile
from roundsman.endpoints.operation import NOTHING, Answer, Operations
from roundsman.kit.loading import load
from roundsman.operations import (
    imported_stops,
    locations,
)
from roundsman.operations.paging import Page
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import (
    IMPORTED_STOP_LOCATION,
    IMPORTED_STOP_UPDATE,
    ImportedStopsAnswer,
    ImportedStopsPage,
    StopImport,
)
from roundsman.wire.field_mask import Changes

OPERATIONS = Operations("Imported stops", ApiClient(), Scope.WRITE)


_FILES = ("text/csv", "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet")


def _encode_imported(imported: tuple[ImportedStop, ...] | ImportedSheet) -> bytes:
    if isinstance(imported, ImportedSheet):
        return msgspec.json.encode(ImportedStopsAnswer(**asdict(imported)))
    stops = imported
    doubts = tuple(find_doubts(stops))
    return msgspec.json.encode(ImportedStopsAnswer(stops=stops, warnings=doubts))


def _encode_page(page: Page[ImportedStop]) -> bytes:
    return msgspec.json.encode(ImportedStopsPage(stops=page.rows, next_cursor=page.next_cursor))


@OPERATIONS.add(
    "POST",
    "/stops/imports",
    summary="Import up to 200 stops, or a file of up to 5,000; the same clientStopId replaces",
    answer=Answer(ImportedStopsAnswer, _encode_imported),
    review=imported_stops.review_import,
    files=_FILES,
)
def import_stops(
    tools: Tools, request: Request, body: StopImport, query: Query[ImportStops]
) -> tuple[ImportedStop, ...] | ImportedSheet:
    """Add up to 200 stops to the pool, or a file of up to 5,000, all or none; a known clientStopId
    replaces the stop. Addresses are looked up at once, and one that is not found refuses the whole.
    Records IMPORTED_STOP_CREATED or IMPORTED_STOP_UPDATED for each.
    """
    if isinstance(body, SentFile):
        imported: ImportedSheet = load("roundsman.operations.stop_sheets:import_sheet")(
            tools, request, body.content, query.arguments
        )
        return imported
    minimum = query.arguments.minimum_match or None
    return imported_stops.import_stops(tools, request, body, minimum)


@OPERATIONS.add(
    "GET",
    "/stops/imports",
    summary="List imported stops, page by page",
    answer=Answer(ImportedStopsPage, _encode_page),
)
def list_imported_stops(
    tools: Tools, request: Request, query: Query[ListImportedStops]
) -> Page[ImportedStop]:
    """Walk the pool of stops, page by page; `query.unrouted` leaves out what is on a route. Filters
    narrow it by day, tag and text.
    """
    return imported_stops.list_imported_stops(tools, request.organization_id, query)


@OPERATIONS.add(
    "GET", "/stops/imports/{id}", summary="Get an imported stop by its id or its clientStopId"
)
def get_imported_stop(tools: Tools, request: Request, id_: str) -> ImportedStop:
    """Read a stop of the pool by its id, or by your own clientStopId."""
    return imported_stops.get_imported_stop(tools, request.organization_id, id_)


@OPERATIONS.add(
    "PATCH",
    "/stops/imports/{id}",
    summary="Change the fields of an imported stop that the mask names",
    update=IMPORTED_STOP_UPDATE,
)
def update_imported_stop(tools: Tools, request: Request, id_: str, body: Changes) -> ImportedStop:
    """Change a stop of the pool; the mask says which fields. Routes that were made of it keep their
    copies. Records IMPORTED_STOP_UPDATED.
    """
    return imported_stops.update_imported_stop(tools, request, id_, body.apply)


@OPERATIONS.add(
    "PATCH",
    "/stops/imports/{id}/location",
    summary="Move an imported stop; route stops made from it stay",
    update=IMPORTED_STOP_LOCATION,
    review=locations.review_location,
)
def update_imported_stop_location(
    tools: Tools, request: Request, id_: str, body: Changes
) -> ImportedStop:
    """Give a stop of the pool another address or coordinates; an address is looked up. One that is
    not found is refused. Records IMPORTED_STOP_UPDATED.
    """
    location = body.apply(Location())
    return imported_stops.relocate_imported_stop(tools, request, id_, location)


@OPERATIONS.add("PUT", "/stops/imports/{id}/items", summary="Replace all items of an imported stop")
def update_imported_stop_items(
    tools: Tools, request: Request, id_: str, body: ImportedItems
) -> ImportedStop:
    """Replace what is delivered at a stop of the pool. Records IMPORTED_STOP_UPDATED."""
    return imported_stops.replace_imported_items(tools, request, id_, body)


@OPERATIONS.add("PUT", "/stops/imports/{id}/tasks", summary="Replace all tasks of an imported stop")
def update_imported_stop_tasks(
    tools: Tools, request: Request, id_: str, body: TaskTemplates
) -> ImportedStop:
    """Replace what the driver has to do at a stop of the pool. Records IMPORTED_STOP_UPDATED."""
    return imported_stops.replace_imported_tasks(tools, request, id_, body)


@OPERATIONS.add(
    "DELETE",
    "/stops/imports/{id}",
    summary="Remove an imported stop; route stops made from it stay",
    answer=NOTHING,
)
def delete_imported_stop(tools: Tools, request: Request, id_: str) -> ImportedStop:
    """Take a stop out of the pool; routes keep their copies. Records IMPORTED_STOP_DELETED."""
    return imported_stops.delete_imported_stop(tools, request, id_)


@OPERATIONS.add(
    "GET",
    "/stops/imports/{id}/routes",
    summary="List the routes that hold an imported stop, archived ones too",
    answer=ROUTE_LIST,
)
def list_imported_stop_routes(
    tools: Tools, request: Request, id_: str
) -> tuple[AssignedRoute, ...]:
    """See on which routes a stop of the pool is, archived ones too."""
    return imported_stops.list_routes_with_stop(tools, request.organization_id, id_)
