"""What is asked of a plan: which stops, which vehicles, what is to stay, and what it may cost.

Decisions §21; a stop or vehicle that does not say something inherits it.
"""

from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from roundsman.domain.address import Coordinates, Location
from roundsman.domain.loads import Amount, Loads, Skills
from roundsman.domain.model import (
    UNSET,
    Line,
    Model,
    Prose,
    Rule,
    Tags,
    UnsetType,
    obey_rules,
)
from roundsman.domain.planned_days import PlannedInstant
from roundsman.domain.task import TaskTemplates
from roundsman.domain.time_window import Date
from roundsman.domain.vehicle import MaxMeters, MaxStops, VehicleCosts
from roundsman.kit.durations import Duration, from_seconds

MOST_PLANNED_STOPS = 5_000
MOST_PLANNED_VEHICLES = 200
MOST_RELOADS = 10
USUAL_RELOAD_DURATION: Duration = from_seconds(15 * 60)
LONGEST_SHIFT = timedelta(days=7)
LONGEST_HORIZON = timedelta(days=14)
"""From the start of the first shift to the end of the last."""

UNASSIGNED_COST = 10_000.0
"""Of a stop that stays out, once more for each step of its priority."""

type Id = Annotated[str, Meta(min_length=1, max_length=255)]
type MaybeId = Annotated[str, Meta(max_length=255)]
type Ids = Annotated[tuple[Id, ...], Meta(max_length=200)]

_STOP_NAMES = ("imported_stop_id", "client_stop_id", "store_order_id")


def _judge_stop_names(stop: Any) -> Iterator[str]:
    """Find a stop without a name, or with several that could disagree."""
    if sum(bool(getattr(stop, name)) for name in _STOP_NAMES) != 1:
        yield "is required, or exactly one of clientStopId and storeOrderId in its place"


def _judge_lateness(noun: Any) -> Iterator[str]:
    """Find half of what makes windows soft."""
    if bool(noun.lateness_cost_per_hour is UNSET) != bool(noun.max_lateness is UNSET):
        yield "and maxLateness are given together"


_LATENESS = Rule(_judge_lateness, ("lateness_cost_per_hour", "max_lateness"))


class PlanStop(Model):
    """A stop to plan, and what holds of it in this plan instead of what it inherits."""

    rules: ClassVar = (Rule(_judge_stop_names, _STOP_NAMES), _LATENESS)

    imported_stop_id: MaybeId = ""
    client_stop_id: MaybeId = ""
    store_order_id: MaybeId = ""
    loads: Loads | UnsetType = UNSET
    required_skills: Skills | UnsetType = UNSET
    allowed_vehicles: Ids | UnsetType = UNSET
    excluded_vehicles: Ids = ()
    preferred_vehicles: Ids = ()
    """Any other vehicle may serve it as well, for `options.otherVehicleCost`."""

    unassigned_cost: Amount | UnsetType = UNSET
    lateness_cost_per_hour: Amount | UnsetType = UNSET
    max_lateness: Duration | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class PlanStopFilter(Model):
    """Which stops to plan: those that are all of what is given here."""

    unrouted: bool = True
    """Stops on no route; only those can be planned without naming their routes."""

    delivery_date: (
        Date
        | Annotated[
            str,
            Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", description="a date such as 2024-07-01"),
        ]
        | UnsetType
    ) = UNSET
    tags: Tags = ()
    """One of these is enough."""

    imported_after: datetime | UnsetType = UNSET
    store_orders: bool = False
    """Whether open store orders are planned too; `importedAfter` is when those changed last."""


def _judge_shift(shift: Any) -> Iterator[str]:
    """Find a shift that ends before it starts, or lasts for longer than a week."""
    if shift.end < shift.start:
        yield "must not be before start"
    elif shift.end - shift.start > LONGEST_SHIFT:
        yield "must be at most 7 days after start"


class PlanShift(Model):
    """When a vehicle may be on the road."""

    rules: ClassVar = (Rule(_judge_shift, ("end", "start")),)

    start: PlannedInstant
    end: PlannedInstant
    latest_start: PlannedInstant | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


def _judge_span(span: Any) -> Iterator[str]:
    """Find a span that ends before it starts."""
    if span.end < span.start:
        yield "must not be before start"


class BreakSpan(Model):
    """Between which moments a break begins."""

    rules: ClassVar = (Rule(_judge_span, ("end", "start")),)

    start: PlannedInstant
    end: PlannedInstant

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class PlanBreak(Model):
    """A break that begins in its window, where the vehicle stands then.

    It is due if the route is under way as the window closes.
    """

    time_window: BreakSpan
    duration: Duration


class PlanReload(Location):
    """Where a vehicle may load again, and how long that takes."""

    duration: Duration = USUAL_RELOAD_DURATION


def _judge_reloads(vehicle: Any) -> Iterator[str]:
    """Find places to load again for a vehicle that never does."""
    if vehicle.reloads and not vehicle.max_reloads:
        yield "are given where maxReloads is above 0, and only there"


def _judge_count(vehicle: Any) -> Iterator[str]:
    """Find one vehicle of the fleet, or one driver, that is to be several."""
    if vehicle.count > 1 and (vehicle.vehicle_id or vehicle.driver_id):
        yield "must be 1 where vehicleId or driverId is given"


class PlanVehicle(Model):
    """A vehicle that may be used, or several alike; a route begins at its first stop without start.

    Several are called by their id and a number: `id-1`, `id-2` and so on.
    """

    rules: ClassVar = (
        Rule(_judge_count, ("count", "vehicle_id", "driver_id")),
        Rule(_judge_reloads, ("reloads", "max_reloads")),
    )

    id: MaybeId = ""
    vehicle_id: MaybeId = ""
    driver_id: MaybeId = ""
    count: Annotated[int, Meta(ge=1, le=MOST_PLANNED_VEHICLES)] = 1
    start: Location | UnsetType = UNSET
    end: Location | UnsetType = UNSET
    shift: PlanShift | UnsetType = UNSET
    capacities: Loads | UnsetType = UNSET
    skills: Skills | UnsetType = UNSET
    breaks: Annotated[tuple[PlanBreak, ...], Meta(max_length=3)] | UnsetType = UNSET
    max_stops: MaxStops | UnsetType = UNSET
    max_duration: Duration | UnsetType = UNSET
    max_distance_meters: MaxMeters | UnsetType = UNSET
    max_reloads: Annotated[int, Meta(ge=0, le=MOST_RELOADS)] = 0
    """So often it may load again on its way: each trip is within its capacities then."""

    reloads: Annotated[tuple[PlanReload, ...], Meta(min_length=1, max_length=5)] | UnsetType = UNSET
    """Where it may load again; without them at its start, a quarter of an hour each time."""

    costs: VehicleCosts | UnsetType = UNSET
    """Zero in all parts is as good as none: those of the vehicle hold, else the usual ones."""

    avoid_tolls: bool = False
    avoid_u_turns: bool = False
    speed_factor: Annotated[float, Meta(ge=0.1, le=10)] = 1.0

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class PinPosition(StrEnum):
    """Where on its route a stop has to be."""

    FIRST = "FIRST"
    LAST = "LAST"


def _judge_pin(pin: Any) -> Iterator[str]:
    """Find a pin that holds nothing."""
    if not pin.vehicle and pin.position is UNSET:
        yield "or position is required"


class PlanPin(Model):
    """Where a stop has to be: on a vehicle, first or last on its route, or both."""

    rules: ClassVar = (Rule(_judge_pin, ("vehicle", "position")),)

    stop: Id
    """The id of an imported stop, its clientStopId, or the id of a store order."""

    vehicle: MaybeId = ""
    position: PinPosition | UnsetType = UNSET

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class RouteLock(StrEnum):
    """What a plan may change of a route that exists."""

    ALL = "ALL"
    """Nothing."""

    SEQUENCE = "SEQUENCE"
    """Its stops stay, in their order; others may come between."""

    VEHICLE = "VEHICLE"
    """Its stops stay, in any order."""

    NONE = "NONE"


class PlanRouteChoice(Model):
    """A route that exists and takes part with its vehicle; what is done stays done."""

    route_id: Id
    lock: RouteLock = RouteLock.NONE
    keep_first: Annotated[int, Meta(ge=0, le=500)] | UnsetType = UNSET
    """So many of the next stops of a started route stay in front.

    It is 1 where nothing is said, but no stop stays that may not be on the route.
    """


class BalanceBy(StrEnum):
    """What makes a route the longest."""

    DURATION = "DURATION"
    STOPS = "STOPS"


def _judge_hourly_price(balance: Any) -> Iterator[str]:
    """Find a price of hours that is missing, or is given where stops count."""
    if (balance.cost_per_hour is not UNSET) is not (balance.by is BalanceBy.DURATION):
        yield "is given where by is DURATION, and only there; by STOPS has costPerStop"


def _judge_stop_price(balance: Any) -> Iterator[str]:
    """Find a price of stops that is missing, or is given where hours count."""
    if (balance.cost_per_stop is not UNSET) is not (balance.by is BalanceBy.STOPS):
        yield "is given where by is STOPS, and only there; by DURATION has costPerHour"


class PlanBalance(Model):
    """A price on the longest route: work moves from it to others as far as that pays."""

    rules: ClassVar = (
        Rule(_judge_hourly_price, ("cost_per_hour", "by")),
        Rule(_judge_stop_price, ("cost_per_stop", "by")),
    )

    by: BalanceBy = BalanceBy.DURATION
    cost_per_hour: Amount | UnsetType = UNSET
    """Of the route that takes longest, from departure to end."""

    cost_per_stop: Amount | UnsetType = UNSET
    """Of the route with the most stops."""

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class PlanTerritory(Model):
    """A part of the map that belongs to some vehicles; others may serve it, too, for a price."""

    polygon: Annotated[tuple[Coordinates, ...], Meta(min_length=3, max_length=1_000)]
    """Its corners in order; the last is joined to the first."""

    vehicles: Annotated[tuple[Id, ...], Meta(min_length=1, max_length=200)]
    cost: Amount
    """Of each stop within that any other vehicle serves."""


class PlanEffort(StrEnum):
    """How long to search: about 2, 10 and 60 processor seconds for 500 stops."""

    QUICK = "QUICK"
    NORMAL = "NORMAL"
    THOROUGH = "THOROUGH"


class PlanOptions(Model):
    """What a plan costs beside its vehicles, and how long to search for it."""

    rules: ClassVar = (_LATENESS,)
    effort: PlanEffort = PlanEffort.NORMAL
    moves: Annotated[int, Meta(ge=1, le=1_000_000_000)] | UnsetType = UNSET
    max_seconds: Annotated[int, Meta(ge=1, le=600)] = 600
    seed: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    unassigned_cost: Amount | UnsetType = UNSET
    """Of a stop that stays out; without it 10,000 times one more than its priority."""

    lateness_cost_per_hour: Amount | UnsetType = UNSET
    max_lateness: Duration | UnsetType = UNSET
    priority_inversion_cost: Amount = 5.0
    max_moved_stops: Annotated[int, Meta(ge=0, le=MOST_PLANNED_STOPS)] | UnsetType = UNSET
    """So many stops of routes that exist may leave their route, being left out included."""

    moved_stop_cost: Amount = 0.0
    churn_curve: bool = False
    """Whether to say what the plan would cost with fewer moved stops."""

    compactness: Amount = 0.0
    """Of a kilometre from the stop in the middle of a route to each other stop of it."""

    balance: PlanBalance | UnsetType = UNSET
    territories: Annotated[tuple[PlanTerritory, ...], Meta(max_length=200)] = ()
    other_vehicle_cost: Amount = 10.0
    """Of a stop that none of its preferred vehicles serves."""

    allow_unused_loads: bool = False
    explain: bool = True

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


_CHOICE = ("stops", "stop_filter", "routes", "based_on")


def _judge_choice(request: Any) -> Iterator[str]:
    """Find both of the two ways to say which stops, or none where no route brings any."""
    given = sum(getattr(request, name) is not UNSET for name in ("stops", "stop_filter"))
    if given > 1 or not (given or request.routes or request.based_on):
        yield "or stopFilter is required, and not both"


def _judge_vehicle_count(request: Any) -> Iterator[str]:
    """Find no vehicle, or more than a plan may have."""
    count = sum(vehicle.count for vehicle in request.vehicles) + len(request.routes)
    if count > MOST_PLANNED_VEHICLES:
        yield f"must be at most {MOST_PLANNED_VEHICLES} with all counts and routes, not {count}"
    if not count and not request.based_on:
        yield "or routes is required"


def _judge_routes(request: Any) -> Iterator[str]:
    """Find routes that are given twice."""
    for route_id, times in Counter(one.route_id for one in request.routes).items():
        if times > 1:
            yield f"names {route_id} more than once"


_GIVEN_ANEW = ("stops", "stop_filter", "vehicles", "routes", "pins")


def _judge_basis(request: Any) -> Iterator[str]:
    """Find what a plan that is based on another has from there."""
    if request.based_on and any(getattr(request, name) for name in _GIVEN_ANEW):
        yield "stands for stops, vehicles, routes and pins; leave those out"


def _judge_fixes(request: Any) -> Iterator[str]:
    """Find fixes of no plan."""
    if request.fixes and not request.based_on:
        yield "are those of a plan: give basedOn, too"


def _judge_pinned(request: Any) -> Iterator[str]:
    """Find stops that are pinned twice."""
    for stop, times in Counter(pin.stop for pin in request.pins).items():
        if times > 1:
            yield f"names {stop} more than once"


class PlanDraft(Model):
    """What to plan."""

    rules: ClassVar = (
        Rule(_judge_choice, _CHOICE),
        Rule(_judge_vehicle_count, ("vehicles", "routes", "based_on")),
        Rule(_judge_routes, ("routes",)),
        Rule(_judge_pinned, ("pins",)),
        Rule(_judge_basis, ("based_on", *_GIVEN_ANEW)),
        Rule(_judge_fixes, ("fixes", "based_on")),
    )
    not_yet: ClassVar = frozenset({"shipments"})

    name: Line = ""
    stops: (
        Annotated[tuple[PlanStop, ...], Meta(min_length=1, max_length=MOST_PLANNED_STOPS)]
        | UnsetType
    ) = UNSET
    stop_filter: PlanStopFilter | UnsetType = UNSET
    vehicles: Annotated[tuple[PlanVehicle, ...], Meta(max_length=MOST_PLANNED_VEHICLES)] = ()
    routes: Annotated[tuple[PlanRouteChoice, ...], Meta(max_length=MOST_PLANNED_VEHICLES)] = ()
    """Routes that exist and are planned anew; each brings its vehicle and its stops."""

    pins: Annotated[tuple[PlanPin, ...], Meta(max_length=5_000)] = ()
    based_on: MaybeId = ""
    """A plan whose stops and vehicles are planned again, from its routes on."""

    fixes: Annotated[
        tuple[Annotated[int, Meta(ge=0, le=1_000_000)], ...], Meta(max_length=200)
    ] = ()
    """Which fixes of that plan are made before, by the index that each shows."""

    options: PlanOptions = PlanOptions()

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class PlanRouteDetails(Model):
    """What the routes of a plan are given beside what was planned."""

    note: Prose = ""
    tags: Tags = ()
    stop_tasks: TaskTemplates = ()
