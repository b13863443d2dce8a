"""What a day shows: the routes of a span of time, and what is on no route."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

import msgspec
from sqlalchemy import ColumnElement, Select, exists, func, or_, select, union_all

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.driver import Driver
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.store_order import StoreOrder
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.vehicle import Vehicle
from roundsman.storage.database import Transaction
from roundsman.storage.driver_tables import live_routes
from roundsman.storage.routes import (
    ASSIGNED,
    SHOWN,
    UNSCHEDULED,
    WITH_LIVE,
    read_stored_route,
)
from roundsman.storage.tables import (
    drivers,
    imported_stops,
    route_stop_origins,
    routes,
    store_orders,
    unrouted_stops,
    vehicles,
)

_read_vehicle = msgspec.json.Decoder(Vehicle).decode
_read_driver = msgspec.json.Decoder(Driver).decode
_read_stop = msgspec.json.Decoder(ImportedStop).decode
_read_order = msgspec.json.Decoder(StoreOrder).decode


@dataclass(frozen=True, kw_only=True, slots=True)
class DaySpan:
    """A day as databases see it: its date, from when to when it lasts, and whether it is today."""

    date: str
    starting: datetime
    ending: datetime
    is_today: bool


@dataclass(frozen=True, slots=True)
class Unrouted[T]:
    """How much is on no route, and the first of it."""

    count: int
    shown: list[T]


def sum_live_revisions(tx: Transaction, organization_id: str, day: DaySpan) -> int:
    """Return a number that grows whenever something is known anew beside a route of the day."""
    revisions = select(func.sum(live_routes.c.revision)).where(
        live_routes.c.route_id.in_(_ids_of(organization_id, day))
    )
    return int(tx.execute(revisions).scalar_one() or 0)


def list_routes_of_day(
    tx: Transaction,
    organization_id: str,
    day: DaySpan,
    *,
    with_archived: bool = False,
) -> list[AssignedRoute]:
    """Return the day's routes in the order in which they were made, usually without archived ones.

    A route without a schedule is of the day on which it was made.
    """
    rows = tx.execute(
        select(*SHOWN, vehicles.c.body.label("vehicle"), drivers.c.body.label("driver"))
        .select_from(WITH_LIVE)
        .outerjoin(vehicles, ASSIGNED[vehicles])
        .outerjoin(drivers, ASSIGNED[drivers])
        .where(routes.c.id.in_(_ids_of(organization_id, day, with_archived=with_archived)))
    )
    # Those of one plan are made at one moment, and numbered in its order.
    return sorted(map(_assigned, rows), key=lambda one: (one.route.created_at, one.route.number))


def _assigned(row: Any) -> AssignedRoute:
    stored = read_stored_route(row.version, row.body, row.revision, row.live)
    return AssignedRoute(
        route=stored.route,
        vehicle=_read_vehicle(row.vehicle) if row.vehicle else None,
        driver=_read_driver(row.driver) if row.driver else None,
        version=stored.version,
        live_revision=stored.live_revision,
    )


def _ids_of(organization_id: str, day: DaySpan, *, with_archived: bool = False) -> Any:
    """Return the ids of the day's routes: two short ranges of two indexes."""
    kept = [routes.c.organization_id == organization_id]
    if not with_archived:
        kept.append(routes.c.archived_at.is_(None))
    scheduled = select(routes.c.id).where(
        *kept,
        routes.c.scheduled_for > UNSCHEDULED,
        routes.c.scheduled_for >= day.starting,
        routes.c.scheduled_for < day.ending,
    )
    made = select(routes.c.id).where(
        *kept,
        routes.c.scheduled_for == UNSCHEDULED,
        routes.c.created_at >= day.starting,
        routes.c.created_at < day.ending,
    )
    return union_all(scheduled, made)


def list_unrouted_stops(
    tx: Transaction, organization_id: str, day: DaySpan, most: int
) -> Unrouted[ImportedStop]:
    """Return the imported stops of the day that are on no route, the oldest first.

    Of today are those without a day, too.
    """
    their_day: ColumnElement[bool] = imported_stops.c.delivery_date == day.date
    if day.is_today:
        their_day = or_(their_day, imported_stops.c.delivery_date.is_(None))
    found = (
        select(imported_stops.c.body)
        .join(unrouted_stops, unrouted_stops.c.stop_id == imported_stops.c.id)
        .where(unrouted_stops.c.organization_id == organization_id, their_day)
    )
    ordered = found.order_by(unrouted_stops.c.imported_at, unrouted_stops.c.stop_id)
    count, bodies = _counted(tx, found, ordered, most)
    return Unrouted(count, [_read_stop(body) for body in bodies])


def list_unrouted_orders(
    tx: Transaction, organization_id: str, day: DaySpan, most: int
) -> Unrouted[StoreOrder]:
    """Return the open orders of the day that are on no route, by their ids.

    Of today are those without a day, too.
    """
    their_day: ColumnElement[bool] = store_orders.c.delivery_date == day.date
    if day.is_today:
        their_day = or_(their_day, store_orders.c.delivery_date.is_(None))
    on_a_route = exists().where(
        route_stop_origins.c.organization_id == organization_id,
        route_stop_origins.c.origin_id == store_orders.c.id,
    )
    found = select(store_orders.c.body).where(
        store_orders.c.organization_id == organization_id,
        store_orders.c.state == StoreOrderState.OPEN.value,
        their_day,
        ~on_a_route,
    )
    count, bodies = _counted(tx, found, found.order_by(store_orders.c.id), most)
    return Unrouted(count, [_read_order(body) for body in bodies])


def _counted(
    tx: Transaction, found: Select[Any], ordered: Select[Any], most: int
) -> tuple[int, list[str]]:
    """Return how many rows there are, and the bodies of the first; asks once where all fit."""
    bodies = list(tx.execute(ordered.limit(most + 1)).scalars())
    if len(bodies) <= most:
        return len(bodies), bodies
    counted = found.with_only_columns(func.count(), maintain_column_froms=True)
    return int(tx.execute(counted).scalar_one()), bodies[:most]


def find_last_order_change(tx: Transaction, organization_id: str) -> tuple[int, datetime | None]:
    """Return how many orders of storefronts there are, and when one was saved last."""
    row = tx.execute(
        select(func.count(), func.max(store_orders.c.updated_at)).where(
            store_orders.c.organization_id == organization_id
        )
    ).one()
    return row[0], row[1]
