"""What drives a route, and what a plan inherits from it: capacities, shift, breaks, costs."""

from collections.abc import Iterator
from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from roundsman.domain.address import Location
from roundsman.domain.loads import Amount, Loads, Skills
from roundsman.domain.model import UNSET, Line, Model, Name, Rule, UnsetType, obey_rules
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.kit.durations import Duration


class VehicleType(StrEnum):
    """Kinds of vehicles (decisions §8)."""

    UNKNOWN = "UNKNOWN"
    BIKE = "BIKE"
    CARGO_BIKE = "CARGO_BIKE"
    SCOOTER = "SCOOTER"
    CAR = "CAR"
    CARGO_VAN = "CARGO_VAN"
    PICKUP_TRUCK = "PICKUP_TRUCK"
    BOX_TRUCK = "BOX_TRUCK"
    REFRIGERATED_TRUCK = "REFRIGERATED_TRUCK"
    OTHER = "OTHER"


class VehicleCosts(Model):
    """What using a vehicle costs, in the organization's own money."""

    fixed: Amount = 0.0
    """Once, if it drives at all."""

    per_hour: Amount = 0.0
    """From departure to end, waiting and breaks included."""

    per_traveled_hour: Amount = 0.0
    """For the time on the road alone."""

    per_kilometer: Amount = 0.0
    """For the distance driven."""

    per_stop: Amount = 0.0
    """For each stop that it serves."""


USUAL_COSTS = VehicleCosts(fixed=20.0, per_hour=25.0, per_kilometer=0.3)
"""Where neither a plan nor its vehicle names any."""


def first_named(*said: VehicleCosts | UnsetType) -> VehicleCosts:
    """Return the first costs that name any, else the usual ones.

    Where everything were free, every order of stops would be as good as any other.
    """
    free = VehicleCosts()
    return next(
        (one for one in said if not isinstance(one, UnsetType) and one != free), USUAL_COSTS
    )


class DailyShift(Model):
    """When a vehicle may be on the road on any day; an end before its start is on the next."""

    start: TimeOfDay
    """The earliest time at which it leaves."""

    end: TimeOfDay
    """The latest time at which it is back, or done with its last stop."""

    latest_start: TimeOfDay | UnsetType = UNSET
    """The latest time at which it leaves."""


def _judge_break(one: Any) -> Iterator[str]:
    """Find a window that leaves open when the break may begin."""
    if not one.time_window.start or not one.time_window.end:
        yield "must have a start and an end"


class DailyBreak(Model):
    """A break that begins in its window, where the vehicle stands then."""

    rules: ClassVar = (Rule(_judge_break, ("time_window",)),)

    time_window: TimeWindow
    """When the break may begin; both ends are needed."""

    duration: Duration

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


type MaxStops = Annotated[int, Meta(ge=0, le=1_000_000_000)]
type MaxMeters = Annotated[int, Meta(ge=0, le=1_000_000_000)]
"""A limit of 0 is none."""


class VehicleDetails(Model):
    """What a planner may say of a vehicle; a plan inherits what it does not say itself."""

    server_set: ClassVar[frozenset[str]] = frozenset({"id", "isArchived", "createdTimestamp"})

    name: Line = ""
    """What people call it."""

    make: Line = ""
    """Who made it."""

    model: Line = ""
    """The maker's name of its kind."""

    year: Annotated[int, Meta(ge=0, le=9_999)] = 0
    """When it was built; 0 is unknown."""

    type: VehicleType = VehicleType.UNKNOWN
    """What kind of vehicle it is."""

    vin: Line = ""
    """The vehicle identification number."""

    license: Line = ""
    """The number on its plate."""

    capacities: Loads | UnsetType = UNSET
    """How much it carries of each load, by your own names; one that is not named is not limited."""

    skills: Skills = ()
    """What it can do that some stops require, by your own names."""

    costs: VehicleCosts | UnsetType = UNSET
    """What using it costs in a plan; zero in all parts is as good as none: the usual costs."""

    start: Location | UnsetType = UNSET
    """Where its routes begin in a plan; without it, at their first stop."""

    end: Location | UnsetType = UNSET
    """Where its routes end in a plan; without it, at their last stop."""

    shift: DailyShift | UnsetType = UNSET
    """When it may be on the road in a plan."""

    breaks: Annotated[tuple[DailyBreak, ...], Meta(max_length=3)] = ()
    """The breaks of its driver in a plan."""

    max_stops: MaxStops = 0
    """How many stops a plan may give it; 0 is no limit."""

    max_duration: Duration | UnsetType = UNSET
    max_distance_meters: MaxMeters = 0
    """How far a plan may send it; 0 is no limit."""


class VehicleDraft(VehicleDetails):
    """A new vehicle; it needs a name."""

    name: Name


class Vehicle(VehicleDetails):
    """A vehicle of the organization's fleet."""

    id: str
    """Its id."""

    is_archived: bool = False
    """Whether it was put away."""

    created_timestamp: datetime
    """When it was added."""
