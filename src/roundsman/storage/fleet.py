"""Vehicles and drivers."""

from datetime import datetime

import msgspec
from sqlalchemy import Table, select

from roundsman.domain.driver import Driver
from roundsman.domain.vehicle import Vehicle
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import upsert
from roundsman.storage.tables import drivers, vehicles


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


def save_driver(tx: Transaction, organization_id: str, driver: Driver, created: datetime) -> None:
    """Store a driver, new or changed."""
    row = {
        "id": driver.id,
        "organization_id": organization_id,
        "status": driver.status.value,
        "created_at": created,
        "body": msgspec.json.encode(driver).decode(),
    }
    upsert(tx, drivers, [row], keys=["id"])


def find_vehicle(tx: Transaction, organization_id: str, vehicle_id: str) -> Vehicle | None:
    """Return one of the organization's vehicles."""
    body = _find_body(tx, vehicles, organization_id, vehicle_id)
    return None if body is None else msgspec.json.decode(body, type=Vehicle)


def find_driver(tx: Transaction, organization_id: str, driver_id: str) -> Driver | None:
    """Return one of the organization's drivers."""
    body = _find_body(tx, drivers, organization_id, driver_id)
    return None if body is None else msgspec.json.decode(body, type=Driver)


def _find_body(tx: Transaction, table: Table, organization_id: str, id_: str) -> str | None:
    return tx.execute(
        select(table.c.body).where(table.c.organization_id == organization_id, table.c.id == id_)
    ).scalar_one_or_none()
