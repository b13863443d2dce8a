"""Imported stops at the door."""

import msgspec

from roundsman.api.operation import Call, Operation, answer_nothing
from roundsman.domain.address import Location
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.route import AssignedRoute
from roundsman.domain.stop_doubts import find_doubts
from roundsman.domain.task import TaskTemplates
from roundsman.operations import (
    imported_stop_changes,
    imported_stop_lists,
    imported_stops,
    locations,
)
from roundsman.operations.paging import Page
from roundsman.wire.v2024_07.answers import ImportedStopsAnswer, ImportedStopsPage, Nothing
from roundsman.wire.v2024_07.queries import ImportStops, ListImportedStops
from roundsman.wire.v2024_07.requests import (
    IMPORTED_STOP_LOCATION,
    IMPORTED_STOP_UPDATE,
    ImportedItems,
    StopImport,
)
from roundsman.wire.v2024_07.routes import RouteListAnswer, encode_route_list

_TAG = "Imported stops"
_ONE = "/stops/imports/{id}"


def _import_stops(call: Call) -> tuple[ImportedStop, ...]:
    minimum = call.query.arguments.minimum_match or None
    return imported_stops.import_stops(call.tools, call.request, call.body, minimum)


def _encode_imported(stops: tuple[ImportedStop, ...]) -> bytes:
    doubts = tuple(find_doubts(stops))
    return msgspec.json.encode(ImportedStopsAnswer(stops=stops, warnings=doubts))


def _list_imported_stops(call: Call) -> Page[ImportedStop]:
    return imported_stop_lists.list_imported_stops(call.tools, call.organization_id, call.query)


def _encode_page(page: Page[ImportedStop]) -> bytes:
    return msgspec.json.encode(ImportedStopsPage(stops=page.rows, next_cursor=page.next_cursor))


def _get_imported_stop(call: Call) -> ImportedStop:
    return imported_stops.get_imported_stop(call.tools, call.organization_id, call.path["id"])


def _update_imported_stop(call: Call) -> ImportedStop:
    return imported_stop_changes.update_imported_stop(
        call.tools, call.request, call.path["id"], call.body.apply
    )


def _relocate_imported_stop(call: Call) -> ImportedStop:
    place = call.body.apply(Location())
    return imported_stop_changes.relocate_imported_stop(
        call.tools, call.request, call.path["id"], place
    )


def _replace_items(call: Call) -> ImportedStop:
    return imported_stop_changes.replace_items(call.tools, call.request, call.path["id"], call.body)


def _replace_tasks(call: Call) -> ImportedStop:
    return imported_stop_changes.replace_tasks(call.tools, call.request, call.path["id"], call.body)


def _delete_imported_stop(call: Call) -> ImportedStop:
    return imported_stop_changes.delete_imported_stop(call.tools, call.request, call.path["id"])


def _list_routes(call: Call) -> tuple[AssignedRoute, ...]:
    return imported_stop_lists.list_routes_with_stop(
        call.tools, call.organization_id, call.path["id"]
    )


OPERATIONS = (
    Operation(
        id="importStops",
        method="POST",
        path="/stops/imports",
        summary="Import up to 200 stops; the same clientStopId replaces",
        tag=_TAG,
        handle=_import_stops,
        query=ImportStops,
        body=StopImport,
        review=imported_stops.review_import,
        answer=ImportedStopsAnswer,
        render=_encode_imported,
    ),
    Operation(
        id="listImportedStops",
        method="GET",
        path="/stops/imports",
        summary="List imported stops, page by page",
        tag=_TAG,
        handle=_list_imported_stops,
        query=ListImportedStops,
        answer=ImportedStopsPage,
        render=_encode_page,
    ),
    Operation(
        id="getImportedStop",
        method="GET",
        path=_ONE,
        summary="Get an imported stop by its id or its clientStopId",
        tag=_TAG,
        handle=_get_imported_stop,
        answer=ImportedStop,
    ),
    Operation(
        id="updateImportedStop",
        method="PATCH",
        path=_ONE,
        summary="Change the fields of an imported stop that the mask names",
        tag=_TAG,
        handle=_update_imported_stop,
        body=IMPORTED_STOP_UPDATE,
        answer=ImportedStop,
    ),
    Operation(
        id="updateImportedStopLocation",
        method="PATCH",
        path=f"{_ONE}/location",
        summary="Move an imported stop; route stops made from it stay",
        tag=_TAG,
        handle=_relocate_imported_stop,
        body=IMPORTED_STOP_LOCATION,
        review=locations.review_location,
        answer=ImportedStop,
    ),
    Operation(
        id="updateImportedStopItems",
        method="PUT",
        path=f"{_ONE}/items",
        summary="Replace all items of an imported stop",
        tag=_TAG,
        handle=_replace_items,
        body=ImportedItems,
        answer=ImportedStop,
    ),
    Operation(
        id="updateImportedStopTasks",
        method="PUT",
        path=f"{_ONE}/tasks",
        summary="Replace all tasks of an imported stop",
        tag=_TAG,
        handle=_replace_tasks,
        body=TaskTemplates,
        answer=ImportedStop,
    ),
    Operation(
        id="deleteImportedStop",
        method="DELETE",
        path=_ONE,
        summary="Remove an imported stop; route stops made from it stay",
        tag=_TAG,
        handle=_delete_imported_stop,
        answer=Nothing,
        render=answer_nothing,
    ),
    Operation(
        id="listImportedStopRoutes",
        method="GET",
        path=f"{_ONE}/routes",
        summary="List the routes that hold an imported stop, archived ones too",
        tag=_TAG,
        handle=_list_routes,
        answer=RouteListAnswer,
        render=encode_route_list,
    ),
)
