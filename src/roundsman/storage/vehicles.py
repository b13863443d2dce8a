"""Vehicles."""

import msgspec
from sqlalchemy import bindparam, select

from roundsman.domain.vehicle import Vehicle
from roundsman.storage.database import Database, Transaction
from roundsman.storage.dialects import upsert, without_index
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.lookups import Lookup
from roundsman.storage.tables import vehicles

# Built once: building a statement takes five times as long as running it.
_BODY = select(vehicles.c.body).where(
    without_index(vehicles.c.organization_id) == bindparam("organization"),
    vehicles.c.id == bindparam("wanted"),
)
_LOOKUP = Lookup(_BODY)
decode_vehicle = msgspec.json.Decoder(Vehicle).decode


def save_vehicle(tx: Transaction, organization_id: str, vehicle: Vehicle) -> None:
    """Store a vehicle, new or changed."""
    row = {
        "id": vehicle.id,
        "organization_id": organization_id,
        "archived": vehicle.is_archived,
        "created_at": vehicle.created_timestamp,
        "body": msgspec.json.encode(vehicle).decode(),
    }
    upsert(tx, vehicles, [row], keys=["id"])


def find_vehicle(
    tx: Transaction, organization_id: str, vehicle_id: str, *, locked: bool = False
) -> Vehicle | None:
    """Return one of the organization's vehicles; `locked` lets other changes of it wait."""
    statement = _BODY.with_for_update() if locked else _BODY
    body = tx.execute(
        statement, {"organization": organization_id, "wanted": vehicle_id}
    ).scalar_one_or_none()
    return None if body is None else decode_vehicle(body)


def look_up_vehicle(database: Database, organization_id: str, vehicle_id: str) -> Vehicle | None:
    """Return one of the organization's vehicles."""
    row = database.look_up(_LOOKUP, organization=organization_id, wanted=vehicle_id)
    return None if row is None else decode_vehicle(row[0])


def select_vehicles(
    tx: Transaction,
    organization_id: str,
    after: Position | None,
    count: int,
    *,
    include_archived: bool,
) -> list[tuple[Position, Vehicle]]:
    """Return a page of vehicles, oldest first."""
    statement = select(vehicles.c.body).where(vehicles.c.organization_id == organization_id)
    if not include_archived:
        statement = statement.where(vehicles.c.archived.is_(False))
    sort = (vehicles.c.created_at, vehicles.c.id)
    rows = fetch_page(tx, statement, sort, after, newest_first=False, count=count)
    return [(position, decode_vehicle(row.body)) for position, row in rows]
