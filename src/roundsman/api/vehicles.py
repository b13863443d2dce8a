"""Vehicles at the door."""

from roundsman.domain.principal import Scope
from roundsman.domain.queries import ListVehicles, Query
from roundsman.domain.vehicle import Vehicle, VehicleDetails, VehicleDraft
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Answer, Operations
from roundsman.operations import vehicles
from roundsman.operations.paging import Page
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import VehiclesAnswer, encode_vehicles
from roundsman.wire.field_mask import Changes, UpdateShape, wire_names

OPERATIONS = Operations("Vehicles", ApiClient(), Scope.SETTINGS)

_UPDATE = UpdateShape(
    "vehicle",
    VehicleDetails,
    wire_names(VehicleDetails),
    never_blank=("name",),
)


def _encode_page(page: Page[Vehicle]) -> bytes:
    return encode_vehicles(page.rows, page.next_cursor)


@OPERATIONS.add(
    "GET",
    "/vehicles",
    summary="List vehicles, page by page, oldest first",
    answer=Answer(VehiclesAnswer, _encode_page),
)
def list_vehicles(tools: Tools, request: Request, query: Query[ListVehicles]) -> Page[Vehicle]:
    """Walk the fleet, oldest first; archived vehicles are left out unless asked for."""
    return vehicles.list_vehicles(tools, request.organization_id, query)


@OPERATIONS.add("GET", "/vehicles/{id}", summary="Get a vehicle")
def get_vehicle(tools: Tools, request: Request, id_: str) -> Vehicle:
    """Read a vehicle."""
    return vehicles.get_vehicle(tools, request.organization_id, id_)


@OPERATIONS.add(
    "POST", "/vehicles", summary="Add a vehicle to the fleet", review=vehicles.review_vehicle
)
def add_vehicle(tools: Tools, request: Request, body: VehicleDraft) -> Vehicle:
    """Add a vehicle, with what plans inherit from it: capacities, shift, breaks, costs."""
    return vehicles.add_vehicle(tools, request, body)


@OPERATIONS.add(
    "PATCH", "/vehicles/{id}", summary="Change what is said of a vehicle", update=_UPDATE
)
def update_vehicle(tools: Tools, request: Request, id_: str, body: Changes) -> Vehicle:
    """Change a vehicle; the mask says which fields. Plans that were made before keep what they
    read.
    """
    return vehicles.update_vehicle(tools, request, id_, body.values)


@OPERATIONS.add("POST", "/vehicles/{id}/archive", summary="Archive a vehicle")
def archive_vehicle(tools: Tools, request: Request, id_: str) -> Vehicle:
    """Take a vehicle out of the fleet: it is assigned to nothing new."""
    return vehicles.archive_vehicle(tools, request, id_, is_archived=True)


@OPERATIONS.add("DELETE", "/vehicles/{id}/archive", summary="Bring an archived vehicle back")
def unarchive_vehicle(tools: Tools, request: Request, id_: str) -> Vehicle:
    """Bring a vehicle back into the fleet."""
    return vehicles.archive_vehicle(tools, request, id_, is_archived=False)
