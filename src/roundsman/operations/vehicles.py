"""The vehicles of a fleet: added, changed, archived and listed."""

from collections.abc import Callable, Mapping
from typing import Any

from msgspec.structs import asdict, replace

from roundsman.domain.change import ObjectKind
from roundsman.domain.errors import NotFound
from roundsman.domain.queries import ListVehicles, Query
from roundsman.domain.vehicle import Vehicle, VehicleDraft
from roundsman.kit.ids import new_id
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
    """Add a vehicle to the stored."""
    with begin_work(tools, request) as work:
        vehicle = Vehicle(**asdict(draft), id=new_id(work.ids, "veh"), created_timestamp=work.now)
        stored.save_vehicle(work.tx, work.organization_id, vehicle)
        work.note(ObjectKind.VEHICLE, vehicle.id)
        return work.done(vehicle)


def update_vehicle(
    tools: Tools, request: Request, vehicle_id: str, values: Mapping[str, Any]
) -> Vehicle:
    """Change what is said of a vehicle."""
    return _change(tools, request, vehicle_id, lambda vehicle: replace(vehicle, **values))


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
