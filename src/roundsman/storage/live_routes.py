"""What is known of a route beside it: one row, replaced when something newer is known."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import Select, delete, select

from roundsman.domain.change import DriverPosition
from roundsman.domain.live_route import LiveRoute
from roundsman.domain.route import DriverFix
from roundsman.domain.route_status import RouteStatus
from roundsman.storage.database import Transaction
from roundsman.storage.dialects import upsert_newer
from roundsman.storage.driver_tables import live_routes
from roundsman.storage.tables import routes


@dataclass(frozen=True, slots=True)
class Saving:
    """Whose position is saved, of which route, and when."""

    organization_id: str
    route_id: str
    driver_id: str
    at: datetime


def save_live_route(tx: Transaction, saving: Saving, live: LiveRoute) -> None:
    """Keep what is known of a route now, unless a later position is known already."""
    row = {
        "route_id": saving.route_id,
        "organization_id": saving.organization_id,
        "driver_id": saving.driver_id,
        "revision": 1,
        "at": live.fix.at,
        "saved_at": saving.at,
        "body": msgspec.json.encode(live).decode(),
    }
    upsert_newer(tx, live_routes, row, key="route_id", newer="at", counted="revision")


class Movement(NamedTuple):
    """On which route a driver has moved, when the driver was there, and when it was saved."""

    route_id: str
    driver_id: str
    at: datetime
    saved_at: datetime


def list_movements(tx: Transaction, organization_id: str, saved_since: datetime) -> list[Movement]:
    """Return the last movement on each route of which one was saved since a moment."""
    rows = tx.execute(
        select(
            live_routes.c.route_id,
            live_routes.c.driver_id,
            live_routes.c.at,
            live_routes.c.saved_at,
        ).where(
            live_routes.c.organization_id == organization_id, live_routes.c.saved_at >= saved_since
        )
    )
    return [Movement(*row) for row in rows]


def list_positions(
    tx: Transaction, organization_id: str, route_ids: Collection[str]
) -> list[DriverPosition]:
    """Return the last position on each of these routes, the earliest first."""
    return _show(
        tx,
        select(live_routes).where(
            live_routes.c.organization_id == organization_id, live_routes.c.route_id.in_(route_ids)
        ),
    )


def list_latest_positions(tx: Transaction, organization_id: str) -> list[DriverPosition]:
    """Return the last position on each route that is under way, the earliest first."""
    return _show(
        tx,
        select(live_routes)
        .join(routes, routes.c.id == live_routes.c.route_id)
        .where(
            live_routes.c.organization_id == organization_id,
            routes.c.archived_at.is_(None),
            routes.c.status == RouteStatus.STARTED.value,
        ),
    )


def _show(tx: Transaction, chosen: Select[Any]) -> list[DriverPosition]:
    return [
        DriverPosition(
            driver_id=row.driver_id,
            route_id=row.route_id,
            coordinates=_read(row.body).fix.coordinates,
            at=row.at,
        )
        for row in tx.execute(chosen.order_by(live_routes.c.at, live_routes.c.route_id))
    ]


def find_last_fix(tx: Transaction, route_id: str) -> DriverFix | None:
    """Return where the driver of a route was last, as it is kept beside the route."""
    body = tx.execute(select(live_routes.c.body).where(live_routes.c.route_id == route_id)).scalar()
    return None if body is None else _read(body).fix


class _Body(msgspec.Struct):
    """What is read of a row; the arrivals beside it are long."""

    fix: DriverFix


_read = msgspec.json.Decoder(_Body).decode


def remove_live_route(tx: Transaction, route_id: str) -> None:
    """Forget what was known of a route beside it."""
    tx.execute(delete(live_routes).where(live_routes.c.route_id == route_id))
