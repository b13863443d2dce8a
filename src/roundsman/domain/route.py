"""A delivery route: one aggregate with its stops, and what may happen to it.

A change returns a new route. Everything that the order was computed from clears `optimized`, as
the specification's states table says; appending clears only `order_is_current`, so that the flag
stays and the route can still be reoptimized (decisions §7, "optimized").
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Annotated, Self

from msgspec import Meta
from msgspec.structs import replace

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.attachment import Attachment
from roundsman.domain.driver import Driver
from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.domain.item import total_grams, total_quantity
from roundsman.domain.noun import UNSET, Line, Noun, Prose, Tags, UnsetType
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.task import Task, TaskTemplates
from roundsman.domain.vehicle import Vehicle
from roundsman.kit.durations import Duration

DISPATCH_LASTS = timedelta(hours=24)
"""How long a dispatch lasts past the later of now and the planned end (decisions §7)."""


class StartStatus(StrEnum):
    """Whether the driver has left."""

    UNKNOWN = "UNKNOWN"
    STARTED = "STARTED"


class EndStatus(StrEnum):
    """Whether the driver has completed the end."""

    UNKNOWN = "UNKNOWN"
    COMPLETED = "COMPLETED"


class RouteStart(Noun):
    """Where and when a route begins."""

    address: Address | UnsetType = UNSET
    coordinates: Coordinates
    tasks: tuple[Task, ...] = ()
    status: StartStatus = StartStatus.UNKNOWN
    updated_start: datetime | UnsetType = UNSET
    scheduled_start: datetime | UnsetType = UNSET
    photos: tuple[Attachment, ...] = ()


class RouteEnd(Noun):
    """Where a route ends, when it does not end at its last stop."""

    address: Address | UnsetType = UNSET
    coordinates: Coordinates
    tasks: tuple[Task, ...] = ()
    planned_arrival: datetime | UnsetType = UNSET
    distance_meters: int = 0
    updated_arrival: datetime | UnsetType = UNSET
    status: EndStatus = EndStatus.UNKNOWN
    photos: tuple[Attachment, ...] = ()


class RouteOptions(Noun):
    """What a planner may set about a route as a whole; a limit of 0 is none."""

    scheduled_for: datetime | UnsetType = UNSET
    note: Prose = ""
    tags: Tags = ()
    default_stop_duration: Duration | UnsetType = UNSET
    max_duration: Duration | UnsetType = UNSET
    max_stops: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    max_item_count: Annotated[int, Meta(ge=0, le=1_000_000_000_000)] = 0
    max_kilograms: Annotated[float, Meta(ge=0, le=1_000_000_000)] = 0.0
    avoid_tolls: bool = False
    avoid_u_turns: bool = False
    speed_factor: Annotated[float, Meta(ge=0.1, le=10)] = 1.0
    stop_tasks: TaskTemplates = ()


class Route(RouteOptions):
    """A route with its stops, in driving order; start and end are not stops."""

    id: str
    number: int
    name: Line
    start: RouteStart
    end: RouteEnd | UnsetType = UNSET
    stops: tuple[RouteStop, ...] = ()
    created_at: datetime
    updated_at: datetime
    archived_at: datetime | UnsetType = UNSET
    dispatched_until: datetime | UnsetType = UNSET
    vehicle_id: str = ""
    driver_id: str = ""
    departs_at: datetime | UnsetType = UNSET
    whole_orders: tuple[str, ...] = ()
    """Store orders of which every item was asked for, fulfilled or not (itemSelection ALL)."""

    optimized: bool = False
    order_is_current: bool = False

    def departure(self) -> datetime | UnsetType:
        """Return the planned departure: as scheduled, or as dispatched (decisions §7)."""
        return self.scheduled_for or self.departs_at

    def total_distance_meters(self) -> int:
        """Return the length of all legs."""
        end_leg = self.end.distance_meters if isinstance(self.end, RouteEnd) else 0
        return sum(stop.distance_meters for stop in self.stops) + end_leg

    def total_item_quantity(self) -> int:
        """Return the units on board."""
        return sum(total_quantity(stop.items) for stop in self.stops)

    def total_item_grams(self) -> int:
        """Return the weight on board."""
        return sum(total_grams(stop.items) for stop in self.stops)

    def planned_end(self) -> datetime | UnsetType:
        """Return when the last planned arrival is, the end's or the last stop's."""
        if isinstance(self.end, RouteEnd):
            return self.end.planned_arrival
        return self.stops[-1].planned_arrival if self.stops else UNSET

    def require_not_archived(self) -> None:
        """Refuse a change of an archived route."""
        if isinstance(self.archived_at, datetime):
            raise FailedPrecondition(
                "route is archived",
                [
                    PreconditionViolation(
                        type="archived",
                        subject=self.id,
                        description="unarchive the route before changing it",
                    )
                ],
            )

    def with_stops_appended(self, stops: Sequence[RouteStop]) -> Self:
        """Append stops; the optimized flag stays as it is (specification, States)."""
        return replace(self, stops=(*self.stops, *stops), order_is_current=False)

    def with_items_changed(self, stops: Sequence[RouteStop]) -> Self:
        """Replace stops by what they carry now; other items may ask for another order."""
        carried = [stop.items for stop in stops] == [stop.items for stop in self.stops]
        replaced = replace(self, stops=tuple(stops))
        return replaced if carried else replace(replaced, optimized=False, order_is_current=False)

    def with_order_computed(self) -> Self:
        """Mark the present order as the one that the engine chose."""
        return replace(self, optimized=True, order_is_current=True)

    def require_dispatchable(self, driver: Driver | None) -> None:
        """Refuse to dispatch an archived or empty route, or one whose driver may not drive."""
        self.require_not_archived()
        if not self.stops:
            raise FailedPrecondition("route has no stops to dispatch")
        if driver is not None and not driver.may_drive():
            raise FailedPrecondition(
                f"driver is {driver.status.value}; only an ACTIVE driver can be dispatched to"
            )

    def leaving(self, at: datetime) -> Self:
        """Set when an unscheduled route leaves; a scheduled one keeps its time."""
        return self if self.scheduled_for else replace(self, departs_at=at)

    def dispatched(self, until: datetime | UnsetType, now: datetime) -> Self:
        """Make the route available to its driver, or to be claimed, until a moment."""
        planned_end = self.planned_end()
        latest = max(now, planned_end) if isinstance(planned_end, datetime) else now
        chosen = until if isinstance(until, datetime) else latest + DISPATCH_LASTS
        return replace(self, dispatched_until=chosen)


class AssignedRoute(Noun):
    """A route together with the vehicle and the driver it names, if any."""

    route: Route
    vehicle: Vehicle | None = None
    driver: Driver | None = None
