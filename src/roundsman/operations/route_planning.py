"""Ordering a route in memory, for the command line as for the service; nothing is stored here."""

from collections.abc import Callable
from dataclasses import dataclass
from dataclasses import replace as replace_trip
from datetime import datetime
from typing import Any

from msgspec.structs import replace

from roundsman.domain.errors import PreconditionViolation
from roundsman.domain.noun import UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.kit import metrics
from roundsman.kit.tracing import span
from roundsman.operations.route_limits import list_violations
from roundsman.operations.route_problem import (
    Trip,
    assumed_departure,
    pose_problem,
    scaled,
    trip_of,
)
from roundsman.operations.route_timing import (
    TimedRoute,
    time_route_leaving,
    time_route_under_way,
    trip_ahead_of_driver,
)
from roundsman.operations.wording import Wording
from roundsman.planning import Problem, Schedule, Solution, optimize
from roundsman.roads.network import RoadNetwork

_WORDING = Wording()


@dataclass(frozen=True, kw_only=True, slots=True)
class Budget:
    """How much searching a route is worth: `moves` bounds the work, `seconds` guard the clock.

    With moves set, equal input gives equal output on any load; without, the clock alone decides.
    The search ends early when `cancelled` says that nobody waits for it.
    """

    seconds: float
    moves: int | None = None
    cancelled: Callable[[], bool] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Search:
    """What the engine was asked, and its best answer, on the problem's axis."""

    trip: Trip
    problem: Problem
    solution: Solution

    @property
    def schedule(self) -> Schedule:
        """Return the schedule of the answer."""
        return self.solution.schedule

    def stop_at(self, node: int) -> RouteStop:
        """Return the stop behind a visit of the problem."""
        return self.trip.stops[node - 1]


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedRoute:
    """A route in its best order, and what is known about that order.

    Tuples run along its stops; of a route under way along those that are not done.
    """

    route: Route
    given: Route
    """As it was before."""
    search: Search
    departures: tuple[datetime, ...]
    service_starts: tuple[datetime, ...]
    lateness_seconds: tuple[int, ...]
    travel_seconds: int
    ends_at: datetime
    estimated: bool
    is_wholly_estimated: bool
    proven_optimal: bool
    violations: tuple[PreconditionViolation, ...]


def plan_route(
    route: Route,
    *,
    roads: RoadNetwork,
    departure: datetime | UnsetType,
    budget: Budget,
    now: datetime,
    wording: Wording = _WORDING,
) -> PlannedRoute:
    """Order the stops that are not done, and time the result.

    On a route under way the stops that are done stand in front, in the order in which they were
    done; the others follow from where the driver was last, and from now (decisions §15). Without a
    departure the order is what it would be when leaving just in time for the first window, and the
    route gets no arrivals.
    """
    given = route
    if route.is_started():
        route = replace(route, replanned_at=now)
        trip = trip_ahead_of_driver(route)
    else:
        trip = trip_of(route, departure or now)
    ahead = trip.stops
    places = trip.waypoints()
    with metrics.MATRIX_SECONDS.time(), span("matrix", places=len(places)):
        matrix = roads.matrix(places, places, trip.profile)
    if isinstance(departure, UnsetType):
        travel = scaled(matrix.durations, trip.speed_factor)[0, 1 : len(ahead) + 1]
        assumed = assumed_departure(ahead, [int(seconds) for seconds in travel], now)
        trip = replace_trip(trip, departure=assumed)
    problem = pose_problem(trip, matrix)
    with metrics.SEARCH_SECONDS.time(), span("search", stops=len(ahead)) as searching:
        solution = optimize(
            problem,
            seconds=budget.seconds,
            moves=budget.moves,
            initial_order=range(1, len(ahead) + 1),
            cancelled=budget.cancelled,
        )
        searching.tell(moves=solution.moves, proven=solution.proven_optimal)
    in_order = (ahead[node - 1] for node in solution.order)
    ordered = replace(route, stops=(*route.done_stops(), *in_order))
    if route.is_started():
        timed = time_route_under_way(ordered, roads, is_planned_anew=True)
    else:
        timed = time_route_leaving(
            ordered,
            roads,
            departure or trip.departure,
            day_of=trip.day_of,
            shows_arrivals=bool(departure),
        )
    return _planned(
        timed,
        solution,
        given=given,
        search=Search(trip=trip, problem=problem, solution=solution),
        estimated=bool(matrix.estimated.any()) or timed.estimated,
        violations=list_violations(timed, wording),
    )


def _planned(timed: TimedRoute, solution: Solution, **known: Any) -> PlannedRoute:
    plan = timed.schedule
    along_stops = slice(1, len(timed.visits) + 1)
    return PlannedRoute(
        route=timed.route,
        departures=tuple(timed.moment(moment) for moment in plan.departures[along_stops]),
        service_starts=tuple(timed.moment(moment) for moment in plan.service_starts[along_stops]),
        lateness_seconds=tuple(int(late) for late in plan.lateness[along_stops]),
        travel_seconds=plan.travel_seconds,
        ends_at=timed.moment(plan.duration_seconds),
        is_wholly_estimated=timed.is_wholly_estimated,
        proven_optimal=solution.proven_optimal,
        **known,
    )
