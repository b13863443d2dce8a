"""Vehicles at the door."""

from roundsman.api.operation import Call, Operation
from roundsman.domain.queries import ListVehicles
from roundsman.domain.vehicle import Vehicle, VehicleDetails, VehicleDraft
from roundsman.operations import vehicles
from roundsman.operations.paging import Page
from roundsman.wire.field_mask import UpdateShape
from roundsman.wire.v2024_07.fleet import VehiclesAnswer, encode_vehicles

_TAG = "Vehicles"
_UPDATE = UpdateShape(
    "vehicle",
    VehicleDetails,
    ("name", "make", "model", "year", "type", "vin", "license"),
    never_blank=("name",),
)


def _list_vehicles(call: Call) -> Page[Vehicle]:
    return vehicles.list_vehicles(call.tools, call.organization_id, call.query)


def _encode_page(page: Page[Vehicle]) -> bytes:
    return encode_vehicles(page.rows, page.next_cursor)


def _get_vehicle(call: Call) -> Vehicle:
    return vehicles.get_vehicle(call.tools, call.organization_id, call.path["id"])


def _add_vehicle(call: Call) -> Vehicle:
    return vehicles.add_vehicle(call.tools, call.request, call.body)


def _update_vehicle(call: Call) -> Vehicle:
    return vehicles.update_vehicle(call.tools, call.request, call.path["id"], call.body.values)


def _archive_vehicle(call: Call) -> Vehicle:
    return vehicles.archive_vehicle(call.tools, call.request, call.path["id"], is_archived=True)


def _unarchive_vehicle(call: Call) -> Vehicle:
    return vehicles.archive_vehicle(call.tools, call.request, call.path["id"], is_archived=False)


OPERATIONS = (
    Operation(
        id="listVehicles",
        method="GET",
        path="/vehicles",
        summary="List vehicles, page by page, oldest first",
        tag=_TAG,
        handle=_list_vehicles,
        query=ListVehicles,
        answer=VehiclesAnswer,
        render=_encode_page,
    ),
    Operation(
        id="getVehicle",
        method="GET",
        path="/vehicles/{id}",
        summary="Get a vehicle",
        tag=_TAG,
        handle=_get_vehicle,
        answer=Vehicle,
    ),
    Operation(
        id="addVehicle",
        method="POST",
        path="/vehicles",
        summary="Add a vehicle to the fleet",
        tag=_TAG,
        handle=_add_vehicle,
        body=VehicleDraft,
        answer=Vehicle,
    ),
    Operation(
        id="updateVehicle",
        method="PATCH",
        path="/vehicles/{id}",
        summary="Change what is said of a vehicle",
        tag=_TAG,
        handle=_update_vehicle,
        body=_UPDATE,
        answer=Vehicle,
    ),
    Operation(
        id="archiveVehicle",
        method="POST",
        path="/vehicles/{id}/archive",
        summary="Archive a vehicle",
        tag=_TAG,
        handle=_archive_vehicle,
        answer=Vehicle,
    ),
    Operation(
        id="unarchiveVehicle",
        method="DELETE",
        path="/vehicles/{id}/archive",
        summary="Bring an archived vehicle back",
        tag=_TAG,
        handle=_unarchive_vehicle,
        answer=Vehicle,
    ),
)
