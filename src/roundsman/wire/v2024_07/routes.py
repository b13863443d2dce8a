"""A route as the interface shows it: totals worked out, vehicle and driver in place of ids."""

from collections.abc import Iterable
from datetime import datetime

import msgspec
from msgspec.structs import asdict

from roundsman.domain.driver import Driver, DriverStatus
from roundsman.domain.noun import UNSET, Noun, UnsetType
from roundsman.domain.route import AssignedRoute, Route
from roundsman.domain.route_ends import RouteEnd, RouteStart
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.task import TaskTemplate
from roundsman.domain.vehicle import Vehicle
from roundsman.kit.durations import Duration


class RouteDriver(Noun):
    """What a route shows of its driver."""

    id: str
    first_name: str = ""
    last_name: str = ""
    phone: str = ""
    status: DriverStatus = DriverStatus.UNKNOWN


class RouteAnswer(Noun):
    """A route (specification, Route)."""

    id: str
    name: str = ""
    driver: RouteDriver | UnsetType = UNSET
    start: RouteStart
    end: RouteEnd | UnsetType = UNSET
    stops: tuple[RouteStop, ...] = ()
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | UnsetType = UNSET
    scheduled_for: datetime | UnsetType = UNSET
    total_distance_meters: float = 0
    total_item_quantity: int = 0
    total_item_grams: str = "0"
    optimized: bool = False
    dispatched_until: datetime | UnsetType = UNSET
    note: str = ""
    tags: tuple[str, ...] = ()
    default_stop_duration: Duration | UnsetType = UNSET
    max_duration: Duration | UnsetType = UNSET
    max_stops: int = 0
    max_item_count: int = 0
    max_kilograms: float = 0
    avoid_tolls: bool = False
    avoid_u_turns: bool = False
    speed_factor: float = 1
    stop_tasks: tuple[TaskTemplate, ...] = ()
    vehicle: Vehicle | UnsetType = UNSET


class RouteListAnswer(Noun):
    """All routes of something, unpaged."""

    routes: tuple[RouteAnswer, ...] = ()


class RoutesAnswer(Noun):
    """A page of routes."""

    routes: tuple[RouteAnswer, ...] = ()
    next_cursor: str = ""


_SHOWN_AS_THEY_ARE = tuple(
    name for name in RouteAnswer.__struct_fields__ if name in Route.__struct_fields__
)


def show_route(assigned: AssignedRoute) -> RouteAnswer:
    """Return the route in the interface's shape."""
    route = assigned.route
    same = {name: getattr(route, name) for name in _SHOWN_AS_THEY_ARE}
    return RouteAnswer(
        **same,
        driver=UNSET if assigned.driver is None else _show_driver(assigned.driver),
        vehicle=assigned.vehicle or UNSET,
        total_distance_meters=route.total_distance_meters(),
        total_item_quantity=route.total_item_quantity(),
        total_item_grams=str(route.total_item_grams()),
    )


def _show_driver(driver: Driver) -> RouteDriver:
    shown = asdict(driver)
    return RouteDriver(**{name: shown[name] for name in RouteDriver.__struct_fields__})


def encode_route(assigned: AssignedRoute) -> bytes:
    """Return the route as JSON."""
    return msgspec.json.encode(show_route(assigned))


def encode_routes(routes: Iterable[AssignedRoute], next_cursor: str) -> bytes:
    """Return a page of routes as JSON."""
    shown = tuple(show_route(assigned) for assigned in routes)
    return msgspec.json.encode(RoutesAnswer(routes=shown, next_cursor=next_cursor))


def encode_route_list(routes: Iterable[AssignedRoute]) -> bytes:
    """Return routes as JSON, unpaged."""
    return msgspec.json.encode(RouteListAnswer(routes=tuple(show_route(one) for one in routes)))
