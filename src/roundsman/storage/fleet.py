"""Vehicles and drivers."""

from datetime import datetime

import msgspec
from sqlalchemy import Table, bindparam, insert, select, update

from roundsman.domain.driver import Driver, DriverStatus
from roundsman.domain.vehicle import Vehicle
from roundsman.storage.database import Database, Transaction
from roundsman.storage.dialects import upsert, without_index
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.lookups import Lookup
from roundsman.storage.tables import drivers, vehicles

# Built once: building a statement takes five times as long as running it.
_BODY_OF = {
    table: select(table.c.body).where(
        without_index(table.c.organization_id) == bindparam("organization"),
        table.c.id == bindparam("wanted"),
    )
    for table in (vehicles, drivers)
}
_VEHICLE = Lookup(_BODY_OF[vehicles])
_DRIVER = Lookup(_BODY_OF[drivers])
decode_vehicle = msgspec.json.Decoder(Vehicle).decode
decode_driver = msgspec.json.Decoder(Driver).decode
_ARCHIVED = DriverStatus.ARCHIVED.value


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
    body = _find_body(tx, vehicles, organization_id, vehicle_id, locked=locked)
    return None if body is None else decode_vehicle(body)


def look_up_vehicle(database: Database, organization_id: str, vehicle_id: str) -> Vehicle | None:
    """Return one of the organization's vehicles."""
    row = database.look_up(_VEHICLE, organization=organization_id, wanted=vehicle_id)
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


def insert_driver(tx: Transaction, organization_id: str, driver: Driver, created: datetime) -> None:
    """Store a new driver."""
    tx.execute(
        insert(drivers).values(
            id=driver.id,
            organization_id=organization_id,
            status=driver.status.value,
            created_at=created,
            body=msgspec.json.encode(driver).decode(),
        )
    )


def save_driver(tx: Transaction, organization_id: str, driver: Driver) -> None:
    """Store a changed driver."""
    tx.execute(
        update(drivers)
        .where(drivers.c.organization_id == organization_id, drivers.c.id == driver.id)
        .values(status=driver.status.value, body=msgspec.json.encode(driver).decode())
    )


def find_driver_organization(tx: Transaction, driver_id: str) -> str | None:
    """Return whose driver this is."""
    return tx.execute(
        select(drivers.c.organization_id).where(drivers.c.id == driver_id)
    ).scalar_one_or_none()


def select_drivers(
    tx: Transaction,
    organization_id: str,
    status: DriverStatus | None,
    after: Position | None,
    count: int,
) -> list[tuple[Position, Driver]]:
    """Return a page of drivers of one status, or of all but the archived; oldest first."""
    of_status = drivers.c.status == status.value if status else drivers.c.status != _ARCHIVED
    statement = select(drivers.c.body).where(
        drivers.c.organization_id == organization_id, of_status
    )
    sort = (drivers.c.created_at, drivers.c.id)
    rows = fetch_page(tx, statement, sort, after, newest_first=False, count=count)
    return [(position, decode_driver(row.body)) for position, row in rows]


def look_up_driver(database: Database, organization_id: str, driver_id: str) -> Driver | None:
    """Return one of the organization's drivers."""
    row = database.look_up(_DRIVER, organization=organization_id, wanted=driver_id)
    return None if row is None else decode_driver(row[0])


def find_driver(
    tx: Transaction, organization_id: str, driver_id: str, *, locked: bool = False
) -> Driver | None:
    """Return one of the organization's drivers; `locked` lets other changes of it wait."""
    body = _find_body(tx, drivers, organization_id, driver_id, locked=locked)
    return None if body is None else decode_driver(body)


def _find_body(
    tx: Transaction, table: Table, organization_id: str, id_: str, *, locked: bool
) -> str | None:
    statement = _BODY_OF[table]
    if locked:
        statement = statement.with_for_update()
    return tx.execute(
        statement, {"organization": organization_id, "wanted": id_}
    ).scalar_one_or_none()
