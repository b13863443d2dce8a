"""Routes: one row an aggregate, with a version that every save must have read."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import NamedTuple

import msgspec
from sqlalchemy import and_, bindparam, delete, insert, select, update

from roundsman.domain.errors import Aborted
from roundsman.domain.queries import SortKey
from roundsman.domain.route import Route
from roundsman.storage.database import Database, Transaction
from roundsman.storage.dialects import without_index
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.lookups import Lookup
from roundsman.storage.tables import drivers, route_stop_origins, routes, vehicles

FIRST_VERSION = 1
"""The version of a new route; each change is one more."""

UNSCHEDULED = datetime(1, 1, 1, tzinfo=UTC)
"""Stands for no schedule, so that such routes sort last when the newest come first."""

_IS_WANTED = (
    without_index(routes.c.organization_id) == bindparam("organization"),
    routes.c.id == bindparam("wanted"),
)
_ROUTE = select(routes.c.version, routes.c.body).where(*_IS_WANTED)
_ROUTE_LOOKUP = Lookup(_ROUTE)
_ASSIGNED = {
    table: and_(
        without_index(table.c.organization_id) == routes.c.organization_id, table.c.id == column
    )
    for table, column in ((vehicles, routes.c.vehicle_id), (drivers, routes.c.driver_id))
}
_STATE = Lookup(
    select(routes.c.version, vehicles.c.body, drivers.c.body.label("driver"))
    .select_from(routes)
    .outerjoin(vehicles, _ASSIGNED[vehicles])
    .outerjoin(drivers, _ASSIGNED[drivers])
    .where(*_IS_WANTED)
)
_decoder = msgspec.json.Decoder(Route)


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredRoute:
    """A route and the version it was read at."""

    route: Route
    version: int


class RouteState(NamedTuple):
    """A route's version, and its vehicle and driver as they are stored."""

    version: int
    vehicle: str | None
    driver: str | None


class VersionConflict(Aborted):
    """The route has changed since it was read."""


def add_route(tx: Transaction, organization_id: str, route: Route) -> None:
    """Store a new route."""
    tx.execute(
        insert(routes).values(
            organization_id=organization_id, version=FIRST_VERSION, **_columns(route)
        )
    )


def find_route(tx: Transaction, organization_id: str, route_id: str) -> StoredRoute | None:
    """Return one of the organization's routes."""
    row = tx.execute(_ROUTE, {"organization": organization_id, "wanted": route_id}).first()
    return None if row is None else _read(*row)


def look_up_route(database: Database, organization_id: str, route_id: str) -> StoredRoute | None:
    """Return one of the organization's routes."""
    row = database.look_up(_ROUTE_LOOKUP, organization=organization_id, wanted=route_id)
    return None if row is None else _read(*row)


def _read(version: int, body: str) -> StoredRoute:
    return StoredRoute(route=_decoder.decode(body), version=version)


def look_up_state(database: Database, organization_id: str, route_id: str) -> RouteState | None:
    """Return what a route's answer depends on, without reading the route.

    A row that an older version has saved may name no vehicle, or a former one.
    """
    row = database.look_up(_STATE, organization=organization_id, wanted=route_id)
    return None if row is None else RouteState(*row)


@dataclass(frozen=True, kw_only=True, slots=True)
class RouteFilter:
    """Which routes to list: `starting` is inclusive, `ending` exclusive, on the sort's own time."""

    sort_key: SortKey
    starting: datetime | None
    ending: datetime | None
    include_archived: bool


def select_routes(
    tx: Transaction,
    organization_id: str,
    wanted: RouteFilter,
    after: Position | None,
    count: int,
) -> list[tuple[Position, Route]]:
    """Return a page of routes: oldest first by update, newest first otherwise (decisions §5)."""
    column = {
        SortKey.UPDATED_AT: routes.c.updated_at,
        SortKey.SCHEDULED_AT: routes.c.scheduled_for,
    }.get(wanted.sort_key, routes.c.created_at)
    statement = select(routes.c.body).where(routes.c.organization_id == organization_id)
    if not wanted.include_archived:
        statement = statement.where(routes.c.archived_at.is_(None))
    if wanted.starting is not None:
        statement = statement.where(column >= wanted.starting)
    if wanted.ending is not None:
        statement = statement.where(column < wanted.ending)
    if wanted.sort_key is SortKey.SCHEDULED_AT and (wanted.starting or wanted.ending):
        statement = statement.where(column > UNSCHEDULED)
    newest_first = wanted.sort_key is not SortKey.UPDATED_AT
    rows = fetch_page(
        tx, statement, (column, routes.c.id), after, newest_first=newest_first, count=count
    )
    return [(position, _decoder.decode(row.body)) for position, row in rows]


def list_routes_of_origin(tx: Transaction, organization_id: str, origin_id: str) -> list[Route]:
    """Return every route, archived ones too, with a stop made from this; oldest first."""
    with_it = select(route_stop_origins.c.route_id).where(
        route_stop_origins.c.organization_id == organization_id,
        route_stop_origins.c.origin_id == origin_id,
    )
    bodies = tx.execute(
        select(routes.c.body)
        .where(without_index(routes.c.organization_id) == organization_id, routes.c.id.in_(with_it))
        .order_by(routes.c.created_at, routes.c.id)
    ).scalars()
    return [_decoder.decode(body) for body in bodies]


def find_routes_of_stops(
    tx: Transaction, organization_id: str, stop_ids: Collection[str]
) -> dict[str, str]:
    """Return the id of the route that each stop is on; unknown stops are left out."""
    rows = tx.execute(
        select(route_stop_origins.c.stop_id, route_stop_origins.c.route_id).where(
            route_stop_origins.c.organization_id == organization_id,
            route_stop_origins.c.stop_id.in_(stop_ids),
        )
    )
    return {row.stop_id: row.route_id for row in rows}


def list_dispatched(
    tx: Transaction, organization_id: str, driver_id: str, now: datetime, count: int
) -> list[Route]:
    """Return the routes that a driver may open or claim, those that expire first in front."""
    bodies = tx.execute(
        select(routes.c.body)
        .where(
            routes.c.organization_id == organization_id,
            routes.c.dispatched_until > now,
            routes.c.driver_id.in_([driver_id, ""]),
        )
        .order_by(routes.c.dispatched_until, routes.c.id)
        .limit(count)
    ).scalars()
    return [_decoder.decode(body) for body in bodies]


def save_route(tx: Transaction, organization_id: str, route: Route, *, read: StoredRoute) -> int:
    """Replace the route that was `read`, and return its new version.

    Raise VersionConflict when it has changed since.
    """
    version = read.version + 1
    saved = tx.execute(
        update(routes)
        .where(
            routes.c.organization_id == organization_id,
            routes.c.id == route.id,
            routes.c.version == read.version,
        )
        .values(version=version, **_columns(route))
    )
    if saved.rowcount == 0:
        raise VersionConflict("route was changed at the same time; send the request again")
    if [stop.id for stop in route.stops] != [stop.id for stop in read.route.stops]:
        _save_origins(tx, organization_id, route, read.route)
    return version


def release_stops(tx: Transaction, organization_id: str, stop_ids: Collection[str]) -> None:
    """Take stops off the routes that they are on, so that others can be saved with them."""
    tx.execute(
        delete(route_stop_origins).where(
            route_stop_origins.c.organization_id == organization_id,
            route_stop_origins.c.stop_id.in_(stop_ids),
        )
    )


def remove_route(tx: Transaction, organization_id: str, read: StoredRoute) -> None:
    """Remove the route that was `read`; raise VersionConflict when it has changed since."""
    tx.execute(delete(route_stop_origins).where(route_stop_origins.c.route_id == read.route.id))
    removed = tx.execute(
        delete(routes).where(
            routes.c.organization_id == organization_id,
            routes.c.id == read.route.id,
            routes.c.version == read.version,
        )
    )
    if removed.rowcount == 0:
        raise VersionConflict("route was changed at the same time; send the request again")


def _columns(route: Route) -> dict[str, object]:
    return {
        "id": route.id,
        "created_at": route.created_at,
        "updated_at": route.updated_at,
        "scheduled_for": route.scheduled_for or UNSCHEDULED,
        "archived_at": route.archived_at or None,
        "dispatched_until": route.dispatched_until or None,
        "driver_id": route.driver_id,
        "vehicle_id": route.vehicle_id,
        "body": msgspec.json.encode(route).decode(),
    }


def _save_origins(tx: Transaction, organization_id: str, new: Route, old: Route) -> None:
    before = {stop.id for stop in old.stops}
    after = {stop.id for stop in new.stops}
    if gone := before - after:
        tx.execute(
            delete(route_stop_origins).where(
                # One that is on another route by now, saved before this one, stays there.
                route_stop_origins.c.stop_id.in_(gone),
                route_stop_origins.c.route_id == new.id,
            )
        )
    rows = [
        {
            "stop_id": stop.id,
            "route_id": new.id,
            "organization_id": organization_id,
            "origin_id": stop.imported_stop_id or stop.store_order_id or stop.saved_stop_id,
        }
        for stop in new.stops
        if stop.id not in before
    ]
    if rows:
        tx.execute(insert(route_stop_origins), rows)
