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
    per_kilometer: Amount = 0.0
    per_stop: Amount = 0.0


USUAL_COSTS = VehicleCosts(fixed=20.0, per_hour=25.0, per_kilometer=0.3)
"""Where neither a plan nor its vehicle names any."""


class DailyShift(Model):
    """When a vehicle may be on the road on any day; an end before its start is on the next."""

    start: TimeOfDay
    end: TimeOfDay
    latest_start: TimeOfDay | UnsetType = UNSET


def _judge_break(one: Any) -> Iterator[str]:
    """Find a window that leaves open when the break may begin."""
    if not one.time_window.start or not one.time_window.end:
        yield "must have a start and an end"


class DailyBreak(Model):
    """A break that begins in its window, where the vehicle stands then."""

    rules: ClassVar = (Rule(_judge_break, ("time_window",)),)

    time_window: TimeWindow
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
    make: Line = ""
    model: Line = ""
    year: Annotated[int, Meta(ge=0, le=9_999)] = 0
    type: VehicleType = VehicleType.UNKNOWN
    vin: Line = ""
    license: Line = ""
    capacities: Loads | UnsetType = UNSET
    skills: Skills = ()
    costs: VehicleCosts | UnsetType = UNSET
    start: Location | UnsetType = UNSET
    end: Location | UnsetType = UNSET
    shift: DailyShift | UnsetType = UNSET
    breaks: Annotated[tuple[DailyBreak, ...], Meta(max_length=3)] = ()
    max_stops: MaxStops = 0
    max_duration: Duration | UnsetType = UNSET
    max_distance_meters: MaxMeters = 0


class VehicleDraft(VehicleDetails):
    """A new vehicle; it needs a name."""

    name: Name


class Vehicle(VehicleDetails):
    """A vehicle of the organization's fleet."""

    id: str
    is_archived: bool = False
    created_timestamp: datetime
