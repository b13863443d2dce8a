"""The vehicles of a fleet: added, changed, archived and listed."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import asdict, replace

from roundsman.domain.address import Location
from roundsman.domain.change import ObjectKind
from roundsman.domain.errors import FieldViolation, NotFound
from roundsman.domain.principal import Principal
from roundsman.domain.queries import ListVehicles, Query
from roundsman.domain.vehicle import Vehicle, VehicleDetails, VehicleDraft
from roundsman.kit.ids import new_id
from roundsman.operations.locations import (
    Located,
    locate_all,
    readable_locations,
    try_locating,
)
from roundsman.operations.paging import Page, list_page
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.storage import vehicles as stored
from roundsman.storage.database import Transaction
from roundsman.storage.keyset import Position


def get_vehicle(tools: Tools, organization_id: str, vehicle_id: str) -> Vehicle:
    """Return a vehicle, archived or not."""
    return _require(stored.look_up_vehicle(tools.database, organization_id, vehicle_id))


def list_vehicles(tools: Tools, organization_id: str, query: Query[ListVehicles]) -> Page[Vehicle]:
    """Return a page of vehicles, oldest first."""

    def fetch(
        tx: Transaction, arguments: ListVehicles, after: Position | None, count: int
    ) -> list[tuple[Position, Vehicle]]:
        return stored.select_vehicles(
            tx, organization_id, after, count, include_archived=arguments.include_archived
        )

    return list_page(tools, organization_id, "vehicles", query, fetch)


def add_vehicle(tools: Tools, request: Request, draft: VehicleDraft) -> Vehicle:
    """Add a vehicle to the fleet."""
    placed = _placed(tools, draft, "")
    with begin_work(tools, request) as work:
        vehicle = Vehicle(**asdict(placed), id=new_id(work.ids, "veh"), created_timestamp=work.now)
        stored.save_vehicle(work.tx, work.organization_id, vehicle)
        work.note(ObjectKind.VEHICLE, vehicle.id)
        return work.done(vehicle)


def update_vehicle(
    tools: Tools, request: Request, vehicle_id: str, values: Mapping[str, Any]
) -> Vehicle:
    """Change what is said of a vehicle."""
    placed = asdict(_placed(tools, VehicleDetails(**values), "vehicle."))
    changed = {name: placed[name] for name in values}
    return _change(tools, request, vehicle_id, lambda vehicle: replace(vehicle, **changed))


def review_vehicle(tools: Tools, _caller: Principal, draft: VehicleDetails) -> list[FieldViolation]:
    """Return what else is wrong with a vehicle of which some could not be read."""
    return try_locating(tools.geocoder, readable_locations(_locations_of(draft, "")))[1]


def _placed[V: VehicleDetails](tools: Tools, details: V, path: str) -> V:
    """Return a vehicle that knows where its start and end are."""
    places = _locations_of(details, path)
    found = locate_all(tools.geocoder, places)
    located = {
        name.removeprefix(path).rstrip("."): Location(
            address=address, coordinates=place.coordinates
        )
        for (name, address, _), place in zip(places, found, strict=True)
    }
    return replace(details, **located)


def _locations_of(details: VehicleDetails, path: str) -> list[Located]:
    return [
        (f"{path}{name}.", location.address, location.coordinates)
        for name, location in (("start", details.start), ("end", details.end))
        if location
    ]


def archive_vehicle(
    tools: Tools, request: Request, vehicle_id: str, *, is_archived: bool
) -> Vehicle:
    """Take a vehicle out of the fleet's list, or put it back; again changes nothing."""
    return _change(
        tools, request, vehicle_id, lambda vehicle: replace(vehicle, is_archived=is_archived)
    )


def _change(
    tools: Tools, request: Request, vehicle_id: str, change: Callable[[Vehicle], Vehicle]
) -> Vehicle:
    with begin_work(tools, request) as work:
        vehicle = stored.find_vehicle(work.tx, work.organization_id, vehicle_id, locked=True)
        changed = change(_require(vehicle))
        if changed != vehicle:
            stored.save_vehicle(work.tx, work.organization_id, changed)
            work.note(ObjectKind.VEHICLE, changed.id)
        return work.done(changed)


def _require(vehicle: Vehicle | None) -> Vehicle:
    if vehicle is None:
        raise NotFound("vehicle not found")
    return vehicle
