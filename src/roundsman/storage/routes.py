"""Routes: one row an aggregate, with a version that every save must have read."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace
from sqlalchemy import ColumnElement, Select, and_, bindparam, delete, func, insert, select, update

from roundsman.domain.errors import Aborted
from roundsman.domain.live_route import LiveRoute, as_it_is_now
from roundsman.domain.planned_times import within_planned_days
from roundsman.domain.queries import SortKey
from roundsman.domain.route import Route
from roundsman.domain.route_status import RouteStatus, derive_status
from roundsman.domain.search_text import (
    list_tags,
    search_text_of_route,
    spellings_of_search,
    tag_in_list,
)
from roundsman.storage.database import Database, Transaction
from roundsman.storage.delivery_ends import bring_forward_holds
from roundsman.storage.dialects import holds, holds_any, upsert, without_index
from roundsman.storage.driver_positions import remove_track
from roundsman.storage.driver_tables import live_routes
from roundsman.storage.keyset import Position, fetch_page
from roundsman.storage.live_routes import remove_live_route
from roundsman.storage.lookups import Lookup
from roundsman.storage.tables import drivers, route_search, route_stop_origins, routes, vehicles
from roundsman.storage.tracking_links import RemovedStop, note_removed_stops

FIRST_VERSION = 1
"""The version of a new route; each change is one more."""

UNSCHEDULED = datetime(1, 1, 1, tzinfo=UTC)
"""Stands for no schedule, so that such routes sort last when the newest come first."""

_IS_WANTED = (
    without_index(routes.c.organization_id) == bindparam("organization"),
    routes.c.id == bindparam("wanted"),
)
SHOWN = (routes.c.version, routes.c.body, live_routes.c.revision, live_routes.c.body.label("live"))
"""What a route is read from: its row, and the one beside it where something is live."""

WITH_LIVE = routes.outerjoin(live_routes, live_routes.c.route_id == routes.c.id)
_ROUTE = select(*SHOWN).select_from(WITH_LIVE).where(*_IS_WANTED)
_ROUTE_LOOKUP = Lookup(_ROUTE)
ASSIGNED = {
    table: and_(
        without_index(table.c.organization_id) == routes.c.organization_id, table.c.id == column
    )
    for table, column in ((vehicles, routes.c.vehicle_id), (drivers, routes.c.driver_id))
}
_STATE = Lookup(
    select(
        routes.c.version,
        vehicles.c.body,
        drivers.c.body.label("driver"),
        live_routes.c.revision,
    )
    .select_from(WITH_LIVE)
    .outerjoin(vehicles, ASSIGNED[vehicles])
    .outerjoin(drivers, ASSIGNED[drivers])
    .where(*_IS_WANTED)
)
_decoder = msgspec.json.Decoder(Route)
_live_decoder = msgspec.json.Decoder(LiveRoute)


@dataclass(frozen=True, kw_only=True, slots=True)
class StoredRoute:
    """A route as it is known now, and the version it was read at."""

    route: Route
    version: int
    live_revision: int | None = None
    """Of what is known beside the route; none where nothing is."""

    live: LiveRoute | None = None


class RouteState(NamedTuple):
    """A route's version, its vehicle and driver as they are stored, and what is live."""

    version: int
    vehicle: str | None
    driver: str | None
    live_revision: int | None


class VersionConflict(Aborted):
    """The route has changed since it was read."""


def add_route(tx: Transaction, organization_id: str, route: Route) -> None:
    """Store a new route."""
    tx.execute(
        insert(routes).values(
            organization_id=organization_id, version=FIRST_VERSION, **_columns(route)
        )
    )
    _save_search_text(tx, organization_id, route)
    _save_origins(tx, organization_id, route, replace(route, stops=()))


def find_route(tx: Transaction, organization_id: str, route_id: str) -> StoredRoute | None:
    """Return one of the organization's routes."""
    row = tx.execute(_ROUTE, {"organization": organization_id, "wanted": route_id}).first()
    return None if row is None else read_stored_route(*row)


def look_up_route(database: Database, organization_id: str, route_id: str) -> StoredRoute | None:
    """Return one of the organization's routes."""
    row = database.look_up(_ROUTE_LOOKUP, organization=organization_id, wanted=route_id)
    return None if row is None else read_stored_route(*row)


def _read_route(body: str) -> Route:
    return within_planned_days(_decoder.decode(body))


def read_stored_route(
    version: int, body: str, revision: int | None, live: str | None
) -> StoredRoute:
    """Return a route as it is known now, from its row and the one beside it."""
    route = _read_route(body)
    if live is None:
        return StoredRoute(route=route, version=version)
    known = _live_decoder.decode(live)
    now = as_it_is_now(route, version, known)
    return StoredRoute(route=now, version=version, live_revision=revision, live=known)


def look_up_state(database: Database, organization_id: str, route_id: str) -> RouteState | None:
    """Return what a route's answer depends on, without reading the route.

    A row that an older version has saved may name no vehicle, or a former one.
    """
    row = database.look_up(_STATE, organization=organization_id, wanted=route_id)
    return None if row is None else RouteState(*row)


@dataclass(frozen=True, kw_only=True, slots=True)
class RouteFilter:
    """Which routes to list: `starting` is inclusive, `ending` exclusive, on the sort's own time.

    What is empty or None is not asked for.
    """

    sort_key: SortKey
    starting: datetime | None
    ending: datetime | None
    include_archived: bool
    driver_id: str = ""
    vehicle_id: str = ""
    status: RouteStatus | None = None
    tag: str = ""
    text: str = ""


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
    is_theirs = routes.c.organization_id == organization_id
    statement: Select[Any] = select(*SHOWN).select_from(WITH_LIVE).where(is_theirs)
    if not wanted.include_archived:
        statement = statement.where(routes.c.archived_at.is_(None))
    if wanted.starting is not None:
        statement = statement.where(column >= wanted.starting)
    if wanted.ending is not None:
        statement = statement.where(column < wanted.ending)
    if wanted.sort_key is SortKey.SCHEDULED_AT and (wanted.starting or wanted.ending):
        statement = statement.where(column > UNSCHEDULED)
    statement = _narrowed(statement, wanted)
    newest_first = wanted.sort_key is not SortKey.UPDATED_AT
    rows = fetch_page(
        tx, statement, (column, routes.c.id), after, newest_first=newest_first, count=count
    )
    return [
        (position, read_stored_route(row.version, row.body, row.revision, row.live).route)
        for position, row in rows
    ]


def _narrowed(statement: Select[Any], wanted: RouteFilter) -> Select[Any]:
    """Return the statement for routes of one driver, vehicle or status, or with a tag or text."""
    if wanted.driver_id:
        statement = statement.where(routes.c.driver_id == wanted.driver_id)
    if wanted.vehicle_id:
        statement = statement.where(routes.c.vehicle_id == wanted.vehicle_id)
    if wanted.status is not None:
        statement = statement.where(routes.c.status == wanted.status.value)
    if wanted.tag or wanted.text:
        statement = statement.join(route_search, route_search.c.route_id == routes.c.id)
    if wanted.tag:
        statement = statement.where(holds(route_search.c.tags, tag_in_list(wanted.tag)))
    if spellings := spellings_of_search(wanted.text):
        statement = statement.where(holds_any(route_search.c.text, spellings))
    return statement


def list_routes_of_origin(tx: Transaction, organization_id: str, origin_id: str) -> list[Route]:
    """Return every route, archived ones too, with a stop made from this; oldest first."""
    return list_routes_of_origins(tx, organization_id, [origin_id])


def list_routes_of_origins(
    tx: Transaction, organization_id: str, origin_ids: Collection[str]
) -> list[Route]:
    """Return every route, archived ones too, with a stop made from one of these; oldest first."""
    with_it = select(route_stop_origins.c.route_id).where(
        route_stop_origins.c.organization_id == organization_id,
        route_stop_origins.c.origin_id.in_(origin_ids),
    )
    rows = tx.execute(
        select(*SHOWN)
        .select_from(WITH_LIVE)
        .where(without_index(routes.c.organization_id) == organization_id, routes.c.id.in_(with_it))
        .order_by(routes.c.created_at, routes.c.id)
    )
    return [read_stored_route(*row).route for row in rows]


def find_live_routes_of_origins(
    tx: Transaction, organization_id: str, origin_ids: Collection[str]
) -> dict[str, str]:
    """Return for imported stops the id of a route they are on that is neither over nor archived."""
    origins = route_stop_origins.c
    rows = tx.execute(
        select(origins.origin_id, origins.route_id)
        .join(routes, routes.c.id == origins.route_id)
        .where(
            origins.organization_id == organization_id,
            origins.origin_id.in_(origin_ids),
            routes.c.archived_at.is_(None),
            func.coalesce(routes.c.status, "") != RouteStatus.COMPLETED.value,
        )
    )
    return {row.origin_id: row.route_id for row in rows}


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
    return [_read_route(body) for body in bodies]


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
    if _searched(route) != _searched(read.route):
        _save_search_text(tx, organization_id, route)
    return version


def release_stops(tx: Transaction, organization_id: str, stop_ids: Collection[str]) -> None:
    """Take stops off the routes that they are on, so that others can be saved with them."""
    tx.execute(
        delete(route_stop_origins).where(
            route_stop_origins.c.organization_id == organization_id,
            route_stop_origins.c.stop_id.in_(stop_ids),
        )
    )


def remove_route(tx: Transaction, organization_id: str, read: StoredRoute, now: datetime) -> None:
    """Remove the route that was `read`; raise VersionConflict when it has changed since."""
    _remove_origins(tx, route_stop_origins.c.route_id == read.route.id, now)
    removed = tx.execute(
        delete(routes).where(
            routes.c.organization_id == organization_id,
            routes.c.id == read.route.id,
            routes.c.version == read.version,
        )
    )
    if removed.rowcount == 0:
        raise VersionConflict("route was changed at the same time; send the request again")
    remove_live_route(tx, read.route.id)
    remove_track(tx, read.route.id)
    tx.execute(delete(route_search).where(route_search.c.route_id == read.route.id))


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
        "status": derive_status(route).value,
        "body": msgspec.json.encode(route).decode(),
    }


def _searched(route: Route) -> tuple[object, ...]:
    """Return what the search text is made of, which few changes change."""
    return route.name, route.tags, [(stop.contact, stop.order_name) for stop in route.stops]


def _save_search_text(tx: Transaction, organization_id: str, route: Route) -> None:
    row = {
        "route_id": route.id,
        "organization_id": organization_id,
        "text": search_text_of_route(route),
        "tags": list_tags(route.tags),
    }
    upsert(tx, route_search, [row], keys=["route_id"])


def _save_origins(tx: Transaction, organization_id: str, new: Route, old: Route) -> None:
    before = {stop.id for stop in old.stops}
    after = {stop.id for stop in new.stops}
    if gone := before - after:
        is_gone = and_(
            # One that is on another route by now, saved before this one, stays there.
            route_stop_origins.c.stop_id.in_(gone),
            route_stop_origins.c.route_id == new.id,
        )
        _remove_origins(tx, is_gone, new.updated_at)
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


def _remove_origins(tx: Transaction, is_gone: ColumnElement[bool], now: datetime) -> None:
    """Remove where stops are, and note that they are nowhere; released ones are elsewhere."""
    rows = tx.execute(
        delete(route_stop_origins)
        .where(is_gone)
        .returning(
            route_stop_origins.c.stop_id,
            route_stop_origins.c.organization_id,
            route_stop_origins.c.origin_id,
        )
    ).all()
    note_removed_stops(tx, [RemovedStop(*row) for row in rows], now)
    if rows:
        bring_forward_holds(tx, rows[0].organization_id, [row.origin_id for row in rows], now)
