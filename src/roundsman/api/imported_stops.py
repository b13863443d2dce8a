"""Imported stops at the door."""

import msgspec

from roundsman.api.operation import Call, Operation
from roundsman.domain.imported_stop import ImportedStop
from roundsman.operations import imported_stops
from roundsman.wire.v2024_07.answers import ImportedStopsAnswer
from roundsman.wire.v2024_07.requests import StopImport


def _import_stops(call: Call) -> tuple[ImportedStop, ...]:
    return imported_stops.import_stops(call.tools, call.request, call.body)


def _encode_imported(stops: tuple[ImportedStop, ...]) -> bytes:
    return msgspec.json.encode(ImportedStopsAnswer(stops=stops))


def _get_imported_stop(call: Call) -> ImportedStop:
    return imported_stops.get_imported_stop(call.tools, call.organization_id, call.path["id"])


OPERATIONS = (
    Operation(
        id="importStops",
        method="POST",
        path="/stops/imports",
        summary="Import up to 200 stops; the same clientStopId replaces",
        tag="Imported stops",
        handle=_import_stops,
        body=StopImport,
        answer=ImportedStopsAnswer,
        render=_encode_imported,
    ),
    Operation(
        id="getImportedStop",
        method="GET",
        path="/stops/imports/{id}",
        summary="Get an imported stop by its id or its clientStopId",
        tag="Imported stops",
        handle=_get_imported_stop,
        answer=ImportedStop,
    ),
)
