"""Where orders of a storefront go: corrected by a planner, and taken over from their shops.

A correction is kept by the order, and its open stops follow it. What the shop says afterwards of
where the order goes is shown on its stops, and a stop takes that over when it is asked to.
"""

import hashlib
from collections.abc import Mapping
from datetime import datetime
from typing import Any

import msgspec
from msgspec.structs import replace

from roundsman.domain.address import Address, Location
from roundsman.domain.errors import (
    ChangedMeanwhile,
    FailedPrecondition,
    PreconditionViolation,
)
from roundsman.domain.model import UNSET, UnsetType
from roundsman.domain.quota import require_route_fits
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.store_order import StoreOrder
from roundsman.operations.locations import ResolvedLocation, locate_all, refused, try_locating
from roundsman.operations.request import Request
from roundsman.operations.route_changes import (
    RoutePart,
    change_stop,
    load_route,
    save_changed,
    until_current,
)
from roundsman.operations.store_orders import get_order
from roundsman.operations.tools import Tools
from roundsman.operations.unit_of_work import begin_work
from roundsman.routing.timing import time_route
from roundsman.storage.database import Transaction
from roundsman.storage.routes import VersionConflict, list_routes_of_origin
from roundsman.storage.store_orders import find_store_orders, save_store_order

_HEX_DIGITS = 14
"""Of a hash that is a version: as many as a number in `If-Match` may have."""


def _version_of(order: StoreOrder) -> int:
    return int(hashlib.sha256(msgspec.json.encode(order)).hexdigest()[:_HEX_DIGITS], 16)


def tag_of_order(order: StoreOrder) -> str:
    """Return what changes with everything that is shown of an order."""
    return f"{_version_of(order)}.0"


def relocate_order(
    tools: Tools, request: Request, order_id: str, changes: Mapping[str, Any]
) -> StoreOrder:
    """Let an order and its open stops go elsewhere; a new address alone is geocoded.

    Clearing both takes a correction back: the order goes where its shop has it go.
    """

    def attempt() -> StoreOrder:
        known = get_order(tools, request.organization_id, order_id)
        _require_expected(request, known)
        order = known.relocated(_target_of(known, changes))
        stored = [
            load_route(tools, request.organization_id, route_id)
            for route_id in _list_open_routes(tools, request.organization_id, order_id)
        ]
        located, violations = try_locating(
            tools.geocoder, [("location.", order.address, order.coordinates)]
        )
        # An order that its shop gives no address may have that back where nobody drives there.
        if violations and (stored or not _is_taking_back(changes)):
            raise refused(violations)
        changed = [
            _with_stops_at(one.route, order, located[0], tools) if located else one.route
            for one in stored
        ]
        for one, route in zip(stored, changed, strict=True):
            one.route.require_may_become(route)
            require_route_fits(one.route, route)
        with begin_work(tools, request) as work:
            now = find_store_orders(work.tx, work.organization_id, [order_id]).get(order_id)
            is_on_more = _find_open_routes(work.tx, work.organization_id, order_id) != [
                one.route.id for one in stored
            ]
            if now != known or is_on_more:
                raise VersionConflict(
                    "the order was changed at the same time; send the request again"
                )
            if order != known:
                work.added_bytes += save_store_order(work.tx, work.organization_id, order, work.now)
            for one, route in zip(stored, changed, strict=True):
                if route != one.route:
                    save_changed(work, one, route)
            return work.done(order)

    concerned = _list_open_routes(tools, request.organization_id, order_id)
    return until_current(tools, [order_id, *concerned], attempt)


def _require_expected(request: Request, known: StoreOrder) -> None:
    expected = request.expected_versions
    if expected is not None and _version_of(known) not in expected:
        why = "store order has changed since it was read; read it again"
        raise ChangedMeanwhile(why, tag_of_order(known))


def _is_taking_back(changes: Mapping[str, Any]) -> bool:
    return len(changes) > 1 and not any(changes.values())


def _target_of(known: StoreOrder, changes: Mapping[str, Any]) -> Location:
    """Return where an order is to go: coordinates that are not named are of where it was."""
    if _is_taking_back(changes):
        own = Location(address=known.address, coordinates=known.coordinates)
        return known.shop_location or own
    return Location(
        address=changes.get("address", known.address), coordinates=changes.get("coordinates", UNSET)
    )


def _list_open_routes(tools: Tools, organization_id: str, order_id: str) -> list[str]:
    with tools.database.reading() as tx:
        return _find_open_routes(tx, organization_id, order_id)


def _find_open_routes(tx: Transaction, organization_id: str, order_id: str) -> list[str]:
    """Return the routes that are to bring an order yet."""
    return [
        route.id
        for route in list_routes_of_origin(tx, organization_id, order_id)
        if not isinstance(route.archived_at, datetime) and _list_open_stops(route, order_id)
    ]


def _list_open_stops(route: Route, order_id: str) -> list[RouteStop]:
    return [stop for stop in route.open_stops() if stop.store_order_id == order_id]


def _with_stops_at(
    route: Route, order: StoreOrder, location: ResolvedLocation, tools: Tools
) -> Route:
    changed = route
    for stop in _list_open_stops(route, order.id):
        edited = _relocated(stop, order, order.address, location)
        changed = changed.with_stop_edited(edited, tools.clock.now())
    return (
        route if changed == route else time_route(changed.with_order_outdated(), tools.roads).route
    )


def _relocated(
    stop: RouteStop, order: StoreOrder, address: Address | UnsetType, location: ResolvedLocation
) -> RouteStop:
    """Return a stop elsewhere, which says whether its order goes somewhere else than that."""
    moved = replace(
        stop,
        address=address,
        planned_coordinates=location.coordinates,
        geocoding=location.geocoding,
    )
    notes = order.notes(moved)
    return replace(moved, store_order=replace(stop.store_order or notes, address=notes.address))


def resync_location(
    tools: Tools, request: Request, route_id: str, stop_id: str, target: Location | UnsetType
) -> RoutePart[RouteStop]:
    """Put a stop where its order goes now, or elsewhere while the order stays as it is."""

    def change(route: Route) -> Route:
        stop, order = find_order_of_stop(tools, request, route, stop_id)
        if isinstance(target, UnsetType):
            edited = _relocated(stop, order, order.address, _locate(tools, order))
        else:
            # Coordinates alone leave the address, as of any stop.
            address = target.address or (stop.address if target.coordinates else UNSET)
            (location,) = locate_all(tools.geocoder, [("location.", address, target.coordinates)])
            edited = _relocated(stop, order, address, location)
        changed = route.with_stop_edited(edited, tools.clock.now())
        if changed == route:
            return route
        return time_route(changed.with_order_outdated(), tools.roads).route

    return change_stop(tools, request, route_id, stop_id, change)


def find_order_of_stop(
    tools: Tools, request: Request, route: Route, stop_id: str
) -> tuple[RouteStop, StoreOrder]:
    """Return a stop that is to follow its order, and that order; refuse one that cannot."""
    route.require_not_archived()
    stop = route.find_stop(stop_id)
    _require_open_order_stop(stop)
    return stop, get_order(tools, request.organization_id, stop.store_order_id)


def _require_open_order_stop(stop: RouteStop) -> None:
    if not stop.store_order_id:
        problem = (
            "storeOrderId",
            "only a stop made from a store order can follow its order",
        )
    elif stop.is_done():
        problem = ("stopDone", "the stop is done")
    else:
        return
    violation = PreconditionViolation(type=problem[0], subject=stop.id, description=problem[1])
    raise FailedPrecondition(problem[1], [violation])


def _locate(tools: Tools, order: StoreOrder) -> ResolvedLocation:
    located, violations = try_locating(tools.geocoder, [("", order.address, order.coordinates)])
    if violations:
        problem = f"the address of store order {order.id} {violations[0].description}"
        violation = PreconditionViolation(type="address", subject=order.id, description=problem)
        raise FailedPrecondition(problem, [violation])
    return located[0]
