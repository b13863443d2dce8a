"""Routes in the interface: answers with totals, vehicle and driver; bodies that change a route."""

from collections.abc import Iterable
from datetime import datetime
from typing import Annotated, ClassVar

import msgspec
from msgspec import Meta
from msgspec.structs import asdict

from roundsman.domain.address import Location
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.driver import RouteDriver
from roundsman.domain.live_route import is_under_way
from roundsman.domain.model import UNSET, Line, Model, UnsetType
from roundsman.domain.reoptimization import Keep, ReoptimizedRoute, Tradeoff
from roundsman.domain.route import DriverFix, Route, RouteOptions
from roundsman.domain.route_ends import RouteEnd, RouteStart
from roundsman.domain.route_status import RouteStatus, derive_status
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.task import TaskTemplate
from roundsman.domain.vehicle import Vehicle
from roundsman.kit.durations import Duration
from roundsman.wire.field_mask import UpdateShape, wire_names


class RouteAnswer(Model):
    """A route (specification, Route)."""

    described_as: ClassVar[str] = "Route"

    id: str
    """Its id."""

    name: str = ""
    """What people call it; without a name of its own, a number such as #12."""

    driver: RouteDriver | UnsetType = UNSET
    """Who drives it, once somebody does."""

    start: RouteStart
    """Where and when it begins, which is no stop."""

    end: RouteEnd | UnsetType = UNSET
    """Where it ends; absent when it ends at its last stop."""

    stops: tuple[RouteStop, ...] = ()
    """In the order in which they are driven."""

    created_at: datetime
    """When it was made."""

    updated_at: datetime
    """When it changed last; positions of the driver do not count."""

    archived_at: datetime | UnsetType = UNSET
    """When it was put away; absent while it is not."""

    scheduled_for: datetime | UnsetType = UNSET
    """When it leaves its start; without it, arrivals are planned once it is dispatched or
    started."""

    total_distance_meters: float = 0
    """From the start over all stops to the end."""

    total_item_quantity: int = 0
    """The units of all stops together."""

    total_item_grams: str = "0"
    """The weight of all units together; a whole number written as text."""

    optimized: bool = False
    """Whether the order of its stops was computed from what the route and its stops say now;
    stops that were appended since do not count."""

    dispatched_until: datetime | UnsetType = UNSET
    """Until when a driver may see or claim it; absent while it is not dispatched."""

    note: str = ""
    """For the driver."""

    tags: tuple[str, ...] = ()
    """Words of your own to find it by; webhooks can be limited to them."""

    default_stop_duration: Duration | UnsetType = UNSET
    """How long service takes at stops that name no duration of their own."""

    max_duration: Duration | UnsetType = UNSET
    """How long it may take from departure to its end."""

    max_stops: int = 0
    """How many stops it may have; 0 is no limit."""

    max_item_count: int = 0
    """How many units of goods it may carry; 0 is no limit."""

    max_kilograms: float = 0
    """How much its goods may weigh together; 0 is no limit."""

    avoid_tolls: bool = False
    """Whether roads with tolls are left out where there is another way."""

    avoid_u_turns: bool = False
    """Whether turning around at stops is avoided."""

    speed_factor: float = 1
    """How fast it drives, compared with the roads' travel times: 2 is twice as fast."""

    stop_tasks: tuple[TaskTemplate, ...] = ()
    """Tasks that each stop gets, behind its own, when it is added."""

    vehicle: Vehicle | UnsetType = UNSET
    """Which vehicle drives it, once one does."""

    status: RouteStatus = RouteStatus.UNSTARTED
    """How far it is, derived from its stops."""

    last_position: DriverFix | UnsetType = UNSET
    """Where the driver was last, while the route is under way."""


class RouteListAnswer(Model):
    """All routes of something, unpaged."""

    routes: tuple[RouteAnswer, ...] = ()


class TransferAnswer(RouteListAnswer):
    """The routes that a transfer concerns, as it left them."""

    etags: tuple[str, ...] = ()
    """The `ETag` of each, in the same order: a change of a route with it as `If-Match` is refused
    once somebody else has changed it."""


class RoutesAnswer(Model):
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
    same["stops"] = tuple(stop.as_shown() for stop in route.stops)
    return RouteAnswer(
        **same,
        driver=UNSET if assigned.driver is None else assigned.driver.as_shown_on_route(),
        vehicle=assigned.vehicle or UNSET,
        status=derive_status(route),
        last_position=route.last_fix if is_under_way(route) else UNSET,
        total_distance_meters=route.total_distance_meters(),
        total_item_quantity=route.total_item_quantity(),
        total_item_grams=str(route.total_item_grams()),
    )


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


def encode_transfer(routes: Iterable[AssignedRoute], etags: Iterable[str]) -> bytes:
    """Return the routes of a transfer as JSON, with their tags."""
    shown = tuple(show_route(one) for one in routes)
    return msgspec.json.encode(TransferAnswer(routes=shown, etags=tuple(etags)))


_MOVED_MEANS = (
    "The fewest open stops whose moving explains the change of the order; stops that are done, and "
    "appended ones, do not count. 0 where the order was current."
)
_TRADEOFFS_MEAN = "What 0, 1, 2, 5 and any number of moves would cost; only where asked for."
_KEEP_MEANS = (
    "ORDER: the stops that were there stay in their order, moves by hand included, and only "
    "appended ones are put where they cost least. ASSIGNMENT, on one route, is NONE."
)
_ASKS_FOR_TRADEOFFS = "Answer also what other numbers of moves would cost."
_DRY_RUN_MEANS = (
    "Answer the route as it would be, and leave it as it is: nothing is saved or recorded. "
    "Refused as without it."
)
_MAX_MOVES_MEANS = (
    "How many open stops may change their place relative to the others; appended ones beside. "
    "Where no order within it meets every window and limit, the request is refused."
)


class ReoptimizedRouteAnswer(RouteAnswer):
    """A route after it was reoptimized, and how many stops that moved (decisions §15)."""

    moved: Annotated[int, Meta(description=_MOVED_MEANS)] = 0
    tradeoffs: Annotated[tuple[Tradeoff, ...], Meta(description=_TRADEOFFS_MEAN)] | UnsetType = (
        UNSET
    )


def encode_reoptimized_route(reoptimized: ReoptimizedRoute) -> bytes:
    """Return a route that was reoptimized as JSON, with how many stops that moved."""
    shown = asdict(show_route(reoptimized))
    answer = ReoptimizedRouteAnswer(
        **shown, moved=reoptimized.moved, tradeoffs=reoptimized.tradeoffs
    )
    return msgspec.json.encode(answer)


class ReoptimizeBody(Model):
    """What a reoptimization leaves out of account, what is to stay, and what to say of the rest.

    On a started route the stops that are done always stay in front. `keep` ORDER puts only
    appended stops elsewhere; `maxMoves` is how many open stops may change their place relative to
    the others, appended ones beside. `tradeoffs` asks what other numbers of moves would cost.
    """

    ignore_completed_stops: bool | UnsetType = UNSET
    ignore_routing_constraints: bool = False
    keep: Annotated[Keep, Meta(description=_KEEP_MEANS)] = Keep.NONE
    max_moves: (
        Annotated[int, Meta(ge=0, le=1_000_000_000, description=_MAX_MOVES_MEANS)] | UnsetType
    ) = UNSET
    tradeoffs: Annotated[bool, Meta(description=_ASKS_FOR_TRADEOFFS)] = False
    dry_run: Annotated[bool, Meta(description=_DRY_RUN_MEANS)] = False


class DispatchBody(Model):
    """Until when a route is dispatched; absent: 24 hours past the later of now and its end."""

    dispatched_until: datetime | UnsetType = UNSET


type _Id = Annotated[str, Meta(min_length=1, max_length=255)]


class RouteUpdate(RouteOptions):
    """What a planner may change of a route; the rest of what a read answers is ignored."""

    server_set: ClassVar[frozenset[str]] = frozenset(wire_names(ReoptimizedRouteAnswer))

    name: Line = ""


class VehicleBody(Model):
    """Names a vehicle."""

    vehicle_id: _Id


class DriverBody(Model):
    """Names a driver."""

    driver_id: _Id


ROUTE_UPDATE = UpdateShape("route", RouteUpdate, wire_names(RouteUpdate))


ROUTE_END_LOCATION = UpdateShape("location", Location, wire_names(Location), clears=False)
