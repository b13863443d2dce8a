"""Drivers."""

from datetime import datetime

import msgspec
from sqlalchemy import bindparam, insert, select, update

from roundsman.domain.driver import Driver, DriverStatus
from roundsman.storage.database import Database, Transaction
from roundsman.storage.dialects import without_index
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.lookups import Lookup
from roundsman.storage.tables import drivers

# Built once: building a statement takes five times as long as running it.
_BODY = select(drivers.c.body).where(
    without_index(drivers.c.organization_id) == bindparam("organization"),
    drivers.c.id == bindparam("wanted"),
)
_LOOKUP = Lookup(_BODY)
decode_driver = msgspec.json.Decoder(Driver).decode
_ARCHIVED = DriverStatus.ARCHIVED.value


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
    row = database.look_up(_LOOKUP, organization=organization_id, wanted=driver_id)
    return None if row is None else decode_driver(row[0])


def find_driver(
    tx: Transaction, organization_id: str, driver_id: str, *, locked: bool = False
) -> Driver | None:
    """Return one of the organization's drivers; `locked` lets other changes of it wait."""
    statement = _BODY.with_for_update() if locked else _BODY
    body = tx.execute(
        statement, {"organization": organization_id, "wanted": driver_id}
    ).scalar_one_or_none()
    return None if body is None else decode_driver(body)
