"""A day of many vehicles as the engine takes it: stops, vehicles, and what is on the road already.

Time is whole seconds on one axis that the caller chose. Money is the caller's own unit. Places are
rows of the travel matrices, of which there may be several (one for each way of driving). Only
checks are made here, no search. The rules are those of `docs/explanation/fleets.md`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from roundsman.planning.problem import join_windows

MOST_STOPS = 5_000
MOST_VEHICLES = 200
MOST_RELOADS = 10
NEVER_DROPPED = 1e13
"""What a stop costs that has to be served: above any sum of other costs."""

type Matrix = NDArray[np.int32]


class EndPin(Enum):
    """Where on its route a stop has to be."""

    FIRST = 1
    LAST = 2


@dataclass(frozen=True, kw_only=True, slots=True)
class FleetStop:
    """What is to be done at one place."""

    node: int
    service: int = 0
    windows: Sequence[tuple[int, int]] = ()
    """Of the start of service, both ends included; none is always open."""

    loads: Sequence[int] = ()
    """One whole number for each load of the problem."""

    skills: frozenset[str] = frozenset()
    vehicles: frozenset[int] | None = None
    """Who may serve it, as far as skills do not say; None is everybody."""

    vehicle_costs: Mapping[int, float] = field(default_factory=dict)
    """What being served by a vehicle costs beside all else, where that is not nothing."""

    unassigned_cost: float = NEVER_DROPPED
    priority: int = 0
    lateness_cost: float = 0.0
    """For an hour after its window, which may be missed by `max_lateness` seconds."""

    max_lateness: int = 0
    home: int | None = None
    """The vehicle that was to serve it until now: any other one counts as a move."""

    end_pin: EndPin | None = None
    held: bool = False
    """It stays on its route (`FleetVehicle.route`) and in its order there."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Break:
    """A break begins in its window, and is due where the route is under way as that closes."""

    opens: int
    closes: int
    duration: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Reload:
    """A place where a vehicle may load again, and how long that takes."""

    node: int
    duration: int


@dataclass(frozen=True, kw_only=True, slots=True)
class FleetCosts:
    """What using a vehicle costs: once, by the hour, for driving, and at each stop."""

    fixed: float = 0.0
    per_hour: float = 0.0
    """From departure to end, waiting and breaks included."""

    per_traveled_hour: float = 0.0
    per_kilometer: float = 0.0
    per_stop: float = 0.0


@dataclass(frozen=True, kw_only=True, slots=True)
class FleetBalance:
    """A price on the longest route alone: work moves from it to the others as far as that pays.

    What a vehicle has done already counts.
    """

    per_hour: float = 0.0
    """Of the route that takes longest."""

    per_stop: float = 0.0
    """Of the route with the most stops."""


@dataclass(frozen=True, kw_only=True, slots=True)
class VehicleProgress:
    """What a vehicle has done already, which counts for its limits."""

    leaves_at: int
    """When it leaves the place where it is; what it does until then is fixed."""

    departed_at: int
    stops: int = 0
    metres: int = 0
    loads: Sequence[int] = ()
    next_stop: int | None = None
    """To this stop it is on its way since `leaves_at`; to any other it may turn at `now`."""


@dataclass(frozen=True, kw_only=True, slots=True)
class FleetVehicle:
    """A vehicle with one shift."""

    start: int | None = None
    """None: the route begins at its first stop."""

    end: int | None = None
    """None: the route is over when its last stop is."""

    opens: int
    closes: int
    latest_start: int | None = None
    capacities: Sequence[int | None] = ()
    """None is no limit."""

    skills: frozenset[str] = frozenset()
    breaks: Sequence[Break] = ()
    """Of a vehicle under way those that are still ahead."""

    max_reloads: int = 0
    """So often it may load again on its way: the loads of its stops are deliveries, and those of
    each trip, from one loading to the next, are within its capacities. Not at all where it is
    under way, or its route stays in front.
    """

    reloads: Sequence[Reload] = ()
    """Where it may do so."""

    max_stops: int | None = None
    max_duration: int | None = None
    max_metres: int | None = None
    costs: FleetCosts = field(default_factory=FleetCosts)
    profile: int = 0
    """Which of the travel matrices it drives by."""

    route: Sequence[int] = ()
    """The stops that it was to serve until now, in order."""

    keep_first: int = 0
    """So many stops of its route stay in front, in their order."""

    under_way: VehicleProgress | None = None


@dataclass(frozen=True, kw_only=True, eq=False, slots=True)
class FleetProblem:
    """Everything that a plan depends on."""

    durations: Sequence[Matrix]
    """Seconds from row to column, one table for each profile."""

    distances: Sequence[Matrix] | None
    """Metres likewise; None where neither a cost nor a limit looks at them."""

    stops: Sequence[FleetStop]
    vehicles: Sequence[FleetVehicle]
    loads: int = 0
    """How many loads there are."""

    inversion_cost: float = 0.0
    """Of each pair of stops on one route of which the later has the higher priority."""

    compactness: float = 0.0
    """What a kilometre from the medoid of a route to each of its stops costs. The medoid is the
    stop with the shortest ways to all the others."""

    balance: FleetBalance | None = None
    now: int | None = None
    """No stop begins before it."""

    max_moved: int | None = None
    """So many stops may leave their home, being left out included."""

    moved_cost: float = 0.0

    def __post_init__(self) -> None:
        """Refuse what the search could not mean, naming the field."""
        if len(self.stops) > MOST_STOPS:
            raise ValueError(f"stops must be at most {MOST_STOPS}, not {len(self.stops)}")
        if len(self.vehicles) > MOST_VEHICLES:
            raise ValueError(f"vehicles must be at most {MOST_VEHICLES}, not {len(self.vehicles)}")
        rows = {len(table) for table in (*self.durations, *(self.distances or ()))}
        if len(rows) > 1:
            raise ValueError("durations and distances must be of one size")
        places = rows.pop() if rows else 0
        for number, stop in enumerate(self.stops):
            self._check_stop(number, stop, places)
        for number, vehicle in enumerate(self.vehicles):
            self._check_vehicle(number, vehicle, places)
        if self.compactness and self.distances is None:
            raise ValueError("compactness needs distances")
        served = [stop for vehicle in self.vehicles for stop in vehicle.route]
        if len(set(served)) < len(served):
            raise ValueError("vehicles.route: a stop is on two routes")

    def _check_stop(self, number: int, stop: FleetStop, places: int) -> None:
        name = f"stops[{number}]"
        if not 0 <= stop.node < places:
            raise ValueError(f"{name}.node must be a row of the matrix, not {stop.node}")
        if len(stop.loads) != self.loads or min(stop.loads, default=0) < 0:
            raise ValueError(f"{name}.loads must be {self.loads} numbers, none below 0")
        if stop.service < 0 or stop.max_lateness < 0:
            raise ValueError(f"{name}: service and max_lateness must not be negative")
        join_windows(number, stop.windows)

    def _check_vehicle(self, number: int, vehicle: FleetVehicle, places: int) -> None:
        name = f"vehicles[{number}]"
        for field_name in ("start", "end"):
            place = getattr(vehicle, field_name)
            if place is not None and not 0 <= place < places:
                raise ValueError(f"{name}.{field_name} must be a row of the matrix, not {place}")
        if len(vehicle.capacities) != self.loads:
            raise ValueError(f"{name}.capacities must be {self.loads} numbers")
        if vehicle.closes < vehicle.opens:
            raise ValueError(f"{name}.closes must not be before it opens")
        if not 0 <= vehicle.profile < len(self.durations):
            raise ValueError(f"{name}.profile must be one of the matrices, not {vehicle.profile}")
        if any(not 0 <= stop < len(self.stops) for stop in vehicle.route):
            raise ValueError(f"{name}.route must hold stops of the problem")
        self._check_reloads(name, vehicle, places)

    def _check_reloads(self, name: str, vehicle: FleetVehicle, places: int) -> None:
        if not 0 <= vehicle.max_reloads <= MOST_RELOADS:
            raise ValueError(f"{name}.max_reloads must be from 0 to {MOST_RELOADS}")
        if vehicle.max_reloads and not vehicle.reloads:
            raise ValueError(f"{name}.reloads must name a place")
        if vehicle.max_reloads and (vehicle.keep_first or vehicle.under_way):
            raise ValueError(f"{name}.max_reloads must be 0 where its route stays or has begun")
        for number, reload in enumerate(vehicle.reloads):
            if not 0 <= reload.node < places:
                raise ValueError(f"{name}.reloads[{number}].node must be a row of the matrix")
            if reload.duration < 0:
                raise ValueError(f"{name}.reloads[{number}].duration must not be negative")

    def excluded_from_home(self) -> list[int]:
        """Return the stops that have to leave the vehicle that was to serve them until now."""
        return [
            number
            for number, stop in enumerate(self.stops)
            if stop.home is not None and not self.may_serve(stop.home, number)
        ]

    def may_serve(self, vehicle: int, stop: int) -> bool:
        """Say whether skills and the list of allowed vehicles let a vehicle serve a stop.

        Where a stop is already, it may stay without a skill, but not against that list: who is not
        named there was taken off it on purpose.
        """
        wanted, van = self.stops[stop], self.vehicles[vehicle]
        named = wanted.vehicles is None or vehicle in wanted.vehicles
        return named and (wanted.home == vehicle or wanted.skills <= van.skills)
