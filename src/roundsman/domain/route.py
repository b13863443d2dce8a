"""A delivery route: one aggregate with its stops, and what may happen to it.

A change returns a new route. Everything that the order was computed from clears `optimized`, as
the specification's states table says; appending clears only `order_is_current`, so that the flag
stays and the route can still be reoptimized (decisions §7, "optimized").
"""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any, Self

from msgspec import Meta
from msgspec.structs import replace

from roundsman.domain.address import Coordinates
from roundsman.domain.arrival_window import ArrivalSpreads
from roundsman.domain.driver import Driver
from roundsman.domain.errors import (
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    NotFound,
    PreconditionViolation,
)
from roundsman.domain.item import total_grams, total_quantity
from roundsman.domain.model import UNSET, Line, Model, Prose, Tags, UnsetType
from roundsman.domain.planned_days import PlannedInstant
from roundsman.domain.route_ends import EndStatus, RouteEnd, RouteStart, StartStatus
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.task import TaskTemplates
from roundsman.kit.durations import Duration

DISPATCH_LASTS = timedelta(hours=24)
"""How long a dispatch lasts past the later of now and the planned end (decisions §7)."""


class DriverFix(Model):
    """Where a driver was, and when."""

    coordinates: Coordinates
    """Where the driver was."""

    accuracy_meters: float = 0.0
    """How far off that may be, as the device says; 0 where it does not."""

    at: datetime
    """When."""


class RouteOptions(Model):
    """What a planner may set about a route as a whole; a limit of 0 is none."""

    scheduled_for: PlannedInstant | UnsetType = UNSET
    """When it leaves its start; without it, arrivals are planned once it is dispatched or
    started."""

    note: Prose = ""
    """For the driver."""

    tags: Tags = ()
    """Words of your own to find it by; webhooks can be limited to them."""

    default_stop_duration: Duration | UnsetType = UNSET
    """How long service takes at stops that name no duration of their own."""

    max_duration: Duration | UnsetType = UNSET
    """How long it may take from departure to its end."""

    max_stops: Annotated[int, Meta(ge=0, le=1_000_000_000)] = 0
    """How many stops it may have; 0 is no limit."""

    max_item_count: Annotated[int, Meta(ge=0, le=1_000_000_000_000)] = 0
    """How many units of goods it may carry; 0 is no limit."""

    max_kilograms: Annotated[float, Meta(ge=0, le=1_000_000_000)] = 0.0
    """How much its goods may weigh together; 0 is no limit."""

    avoid_tolls: bool = False
    """Whether roads with tolls are left out where there is another way."""

    avoid_u_turns: bool = False
    """Whether turning around at stops is avoided."""

    speed_factor: Annotated[float, Meta(ge=0.1, le=10)] = 1.0
    """How fast it drives, compared with the roads' travel times: 2 is twice as fast."""

    stop_tasks: TaskTemplates = ()
    """Tasks that each stop gets, behind its own, when it is added."""


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
    completed_at: datetime | UnsetType = UNSET
    last_fix: DriverFix | UnsetType = UNSET
    """The last position that a device submitted, as far as the route was changed since."""

    replanned_at: datetime | UnsetType = UNSET
    """When the stops ahead of the driver were last ordered on the road."""

    whole_orders: tuple[str, ...] = ()
    """Store orders that were added with every item, fulfilled or not (itemSelection ALL)."""

    optimized: bool = False
    order_is_current: bool = False
    """Whether reoptimizing with the options of the last time could find no other order."""

    order_ignores_constraints: bool = False
    """Whether the computed order was allowed to break windows and limits."""

    order_most_moved: int | UnsetType = UNSET
    """How many stops the computed order was allowed to move; unset for any number."""

    appended_stop_ids: tuple[str, ...] = ()
    """The stops that were added behind others since the order was computed last, by id."""

    has_estimates: bool = False
    """Some of its times and distances are not from roads."""
    arrival_spreads: ArrivalSpreads | UnsetType = UNSET
    """How unsure its arrivals are, by its organization's own days; unset: by the start values."""

    travel_gap: float | UnsetType = UNSET
    """By which share of the least that any order must travel its computed order may be longer."""

    def departure(self) -> datetime | UnsetType:
        """Return the planned departure: as scheduled, or as dispatched (decisions §7)."""
        return self.scheduled_for or self.departs_at

    def leg_lengths(self) -> tuple[int, ...]:
        """Return the metres from each place to the next."""
        end_leg = (self.end.distance_meters,) if isinstance(self.end, RouteEnd) else ()
        return (*(stop.distance_meters for stop in self.stops), *end_leg)

    def total_distance_meters(self) -> int:
        """Return the length of all legs."""
        return sum(self.leg_lengths())

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

    def require_may_become(self, changed: Self) -> None:
        """Refuse any change of an archived route but being unarchived (decisions §7)."""
        if changed != self and isinstance(changed.archived_at, datetime):
            self.require_not_archived()

    def find_stop(self, stop_id: str) -> RouteStop:
        """Return a stop of the route; raise NotFound when it has no such stop."""
        for stop in self.stops:
            if stop.id == stop_id:
                return stop
        raise NotFound("route stop not found")

    def with_stops_appended(self, stops: Sequence[RouteStop]) -> Self:
        """Append stops; the optimized flag stays as it is (specification, States).

        A driver who has left takes them along; a route that ended at its last stop goes on.
        """
        added = [stop.sent_out(stop.updated_at) for stop in stops] if self.is_started() else stops
        completed_at = self.completed_at if isinstance(self.end, RouteEnd) else UNSET
        # The stops with which a route is filled first are its order: they come behind nothing.
        behind = tuple(stop.id for stop in added) if self.stops else ()
        return replace(
            self,
            stops=(*self.stops, *added),
            appended_stop_ids=(*self.appended_stop_ids, *behind),
            order_is_current=False,
            completed_at=completed_at,
        )

    def with_items_changed(self, stops: Sequence[RouteStop]) -> Self:
        """Replace stops by what they carry now; other items may ask for another order."""
        carried = [stop.items for stop in stops] == [stop.items for stop in self.stops]
        replaced = replace(self, stops=tuple(stops))
        return replaced if carried else replaced.with_order_outdated()

    def without_stops(self, stop_ids: Collection[str]) -> Self:
        """Remove stops; what is left was not ordered for itself, so the flag turns false."""
        for stop_id in stop_ids:
            self.find_stop(stop_id)
        left = tuple(stop for stop in self.stops if stop.id not in stop_ids)
        appended = tuple(stop for stop in self.appended_stop_ids if stop not in stop_ids)
        return replace(self, stops=left, appended_stop_ids=appended).with_order_outdated()

    def with_stop_moved(self, stop_id: str, index: int) -> Self:
        """Put a stop at its final index; the flag turns false wherever it was (decisions §12)."""
        stop = self.find_stop(stop_id)
        if not 0 <= index < len(self.stops):
            description = f"must be between 0 and {len(self.stops) - 1}"
            violation = FieldViolation(field="index", description=description)
            raise InvalidArgument(f"index {description}", [violation])
        others = [other for other in self.stops if other.id != stop_id]
        moved = (*others[:index], stop, *others[index:])
        # A place that a planner chose counts, that of an appended stop too.
        appended = tuple(other for other in self.appended_stop_ids if other != stop_id)
        return replace(self, stops=moved, appended_stop_ids=appended).with_order_outdated()

    def with_stop_edited(self, stop: RouteStop, at: datetime) -> Self:
        """Put a stop in the place of the one with its id, noting when it changed."""
        before = self.find_stop(stop.id)
        if stop == before:
            return self
        edited = replace(stop, updated_at=at)
        stops = tuple(edited if other.id == stop.id else other for other in self.stops)
        changed = replace(self, stops=stops)
        if stop.order_basis() != before.order_basis():
            return changed.with_order_outdated()
        # A lock changes what may be found, not what the order was computed from.
        is_same = stop.locked == before.locked
        return changed if is_same else replace(changed, order_is_current=False)

    def with_order_computed(
        self,
        travel_gap: float | None = None,
        *,
        ignores_constraints: bool = False,
        most_moved: int | None = None,
    ) -> Self:
        """Mark the present order as the one that the engine chose, and say what it is known for."""
        return replace(
            self,
            optimized=True,
            order_is_current=True,
            order_ignores_constraints=ignores_constraints,
            order_most_moved=UNSET if most_moved is None else most_moved,
            appended_stop_ids=(),
            travel_gap=UNSET if travel_gap is None else travel_gap,
        )

    def with_order_outdated(self) -> Self:
        """Mark the present order as one that the engine might not choose again."""
        return replace(self, optimized=False, order_is_current=False)

    def open_stops(self) -> tuple[RouteStop, ...]:
        """Return the stops that are not done, in driving order."""
        return tuple(stop for stop in self.stops if not stop.is_done())

    def placed_stops(self) -> tuple[RouteStop, ...]:
        """Return the open stops whose order somebody chose: all but those appended since."""
        appended = frozenset(self.appended_stop_ids)
        return tuple(stop for stop in self.open_stops() if stop.id not in appended)

    def done_stops(self) -> tuple[RouteStop, ...]:
        """Return the stops that are done, in the order in which they were done."""
        done = [stop for stop in self.stops if stop.is_done()]
        return tuple(sorted(done, key=lambda stop: stop.updated_arrival or self.created_at))

    def order_basis(self) -> tuple[object, ...]:
        """Return what an order is computed from, of what a planner may set on the whole route.

        Name, note, tags, stop tasks and the default duration (which later stops inherit) are not.
        """
        return (
            self.scheduled_for,
            self.max_duration,
            self.max_stops,
            self.max_item_count,
            self.max_kilograms,
            self.avoid_tolls,
            self.avoid_u_turns,
            self.speed_factor,
        )

    def updated(self, values: Mapping[str, Any]) -> Self:
        """Set options and the name, which falls back to the number (decisions §12)."""
        changed = replace(self, **values)
        if not changed.name:
            changed = replace(changed, name=f"#{self.number}")
        is_same = changed.order_basis() == self.order_basis()
        return changed if is_same else changed.with_order_outdated()

    def ready(self, at: datetime) -> Self:
        """Make every stop that nobody has begun ready for delivery (decisions §8)."""
        return replace(self, stops=tuple(stop.ready(at) for stop in self.stops))

    def is_started(self) -> bool:
        """Say whether the driver has left."""
        return self.start.status is StartStatus.STARTED

    def started(self, at: datetime, now: datetime) -> Self:
        """Leave, with every stop that is not done; the first time counts."""
        if self.is_started():
            return self
        start = replace(self.start, status=StartStatus.STARTED, updated_start=at)
        stops = tuple(stop.sent_out(now) for stop in self.stops)
        return replace(self.leaving(at), start=start, stops=stops)

    def end_completed(self, at: datetime) -> Self:
        """Arrive at the end; the first time counts."""
        end = self.require_end()
        if end.status is EndStatus.COMPLETED:
            return self
        return replace(self, end=replace(end, status=EndStatus.COMPLETED, updated_arrival=at))

    def completed_when_over(self, at: datetime) -> Self:
        """Be completed once the end is, or else once every stop is done (decisions §8)."""
        if isinstance(self.completed_at, datetime) or not self.is_started() or not self._is_over():
            return self
        arrivals = [stop.updated_arrival for stop in self.stops if stop.is_done()]
        known = [arrival for arrival in arrivals if isinstance(arrival, datetime)]
        return replace(self, completed_at=max([at, *known]))

    def _is_over(self) -> bool:
        if isinstance(self.end, RouteEnd):
            return self.end.status is EndStatus.COMPLETED
        return bool(self.stops) and all(stop.is_done() for stop in self.stops)

    def archived(self, at: datetime) -> Self:
        """Put the route away and take it back from its driver; the first time counts."""
        if isinstance(self.archived_at, datetime):
            return self
        return replace(self.undispatched(), archived_at=at)

    def unarchived(self) -> Self:
        """Take the route out again."""
        return replace(self, archived_at=UNSET)

    def require_end(self) -> RouteEnd:
        """Return the end; refuse a route that ends at its last stop."""
        if isinstance(self.end, RouteEnd):
            return self.end
        violation = PreconditionViolation(
            type="end", subject=self.id, description="set an end location first"
        )
        raise FailedPrecondition("route has no end", [violation])

    def require_dispatchable(self, driver: Driver | None) -> None:
        """Refuse to dispatch an archived or empty route, or one whose driver may not drive."""
        self.require_not_archived()
        if not self.stops:
            violation = PreconditionViolation(
                type="stops", subject=self.id, description="add a stop first"
            )
            raise FailedPrecondition("route has no stops to dispatch", [violation])
        if driver is not None:
            driver.require_may_drive()

    def leaving(self, at: datetime) -> Self:
        """Set when a route leaves that has neither a schedule nor left already."""
        has_time = self.scheduled_for or self.is_started()
        return self if has_time else replace(self, departs_at=at)

    def dispatched(self, until: datetime | UnsetType, now: datetime) -> Self:
        """Make the route available to its driver, or to be claimed, until an instant."""
        planned_end = self.planned_end()
        latest = max(now, planned_end) if isinstance(planned_end, datetime) else now
        chosen = until if isinstance(until, datetime) else latest + DISPATCH_LASTS
        return replace(self, dispatched_until=chosen)

    def is_dispatched(self, now: datetime) -> bool:
        """Say whether a dispatch is running."""
        return isinstance(self.dispatched_until, datetime) and self.dispatched_until > now

    def undispatched(self) -> Self:
        """Take the route back from its driver.

        A departure that only the dispatch gave goes with it, unless the driver has left.
        """
        departs_at = self.departs_at if self.is_started() else UNSET
        return replace(self, dispatched_until=UNSET, departs_at=departs_at)
