"""Ordering a route in memory, for the command line as for the service; nothing is stored here."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from dataclasses import replace as replace_trip
from datetime import datetime

import numpy as np
from msgspec.structs import replace

from roundsman.domain.address import Coordinates
from roundsman.domain.errors import PreconditionViolation
from roundsman.domain.model import UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.kit import metrics
from roundsman.kit.tracing import describe_span, span
from roundsman.planning import Problem, Schedule, Solution, optimize, reorder
from roundsman.roads.network import Leg, Path, RoadNetwork, TravelMatrix, TravelProfile
from roundsman.routing.route_problem import (
    Trip,
    assumed_departure,
    pose_problem,
    scaled,
    trip_ahead_of_driver,
    trip_of,
)
from roundsman.routing.timing import (
    TimedRoute,
    time_route_leaving,
    time_route_under_way,
)
from roundsman.routing.violations import list_violations
from roundsman.routing.wording import Wording

_WORDING = Wording()


@dataclass(frozen=True, kw_only=True, slots=True)
class SearchBudget:
    """How much searching a route is worth: `moves` bounds the work, `seconds` guard the clock.

    With moves set, equal input gives equal output on any load; without, the clock alone decides.
    The search ends early when `cancelled` says that nobody waits for it.
    """

    seconds: float
    moves: int | None = None
    cancelled: Callable[[], bool] | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class MoveLimit:
    """How many open stops may change their place relative to the others; None is any number.

    Appended stops do not count. `compared` are other limits of which the best orders are wanted.
    """

    most: int | None = None
    compared: tuple[int | None, ...] = ()


_ANY_NUMBER = MoveLimit()


@dataclass(frozen=True, kw_only=True, slots=True)
class SolvedTrip:
    """The problem that the engine was given, and its best solution, on the problem's axis."""

    trip: Trip
    problem: Problem
    solution: Solution
    tradeoffs: Mapping[int | None, Solution] = field(default_factory=dict)
    """The best orders of other budgets of moves, where they were asked for; None is any number."""

    @property
    def schedule(self) -> Schedule:
        """Return the schedule of the answer."""
        return self.solution.schedule

    def stop_at(self, node: int) -> RouteStop:
        """Return the stop behind a visit of the problem."""
        return self.trip.stops[node - 1]


@dataclass(frozen=True, kw_only=True, slots=True)
class PlannedRoute:
    """A route in its best order, and what is known about that order."""

    timed: TimedRoute
    given: Route
    """As it was before."""
    solved: SolvedTrip
    estimated: bool
    """Whether anything that the order rests on was estimated, driven in the end or not."""
    violations: tuple[PreconditionViolation, ...]

    @property
    def route(self) -> Route:
        """Return the route with its new order and times."""
        return self.timed.route


def plan_route(  # noqa: PLR0913 -- a route, and what its order depends on
    route: Route,
    *,
    roads: RoadNetwork,
    departure: datetime | UnsetType,
    budget: SearchBudget,
    now: datetime,
    limit: MoveLimit = _ANY_NUMBER,
    wording: Wording = _WORDING,
) -> PlannedRoute:
    """Order the stops that are not done, and time the result; locked ones keep their places.

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
    locations = trip.waypoints()
    with metrics.MATRIX_SECONDS.time(), span("matrix", places=len(locations)):
        matrix = roads.matrix(locations, locations, trip.profile)
    if isinstance(departure, UnsetType):
        travel = scaled(matrix.durations, trip.speed_factor)[0, 1 : len(ahead) + 1]
        assumed = assumed_departure(ahead, [int(seconds) for seconds in travel], now)
        trip = replace_trip(trip, departure=assumed)
    problem = pose_problem(trip, matrix)
    with metrics.SEARCH_SECONDS.time(), span("search", stops=len(ahead)):
        solutions = _solve(problem, route, ahead, limit, budget)
        solution = solutions[limit.most]
        describe_span(moves=solution.moves, proven=solution.proven_optimal)
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
    return PlannedRoute(
        timed=timed,
        given=given,
        solved=SolvedTrip(trip=trip, problem=problem, solution=solution, tradeoffs=solutions),
        estimated=bool(matrix.estimated.any()) or timed.estimated,
        violations=list_violations(timed, wording),
    )


def _solve(
    problem: Problem,
    route: Route,
    ahead: Sequence[RouteStop],
    limit: MoveLimit,
    budget: SearchBudget,
) -> Mapping[int | None, Solution]:
    """Return the best orders of the limit and of those compared with it."""
    present = range(1, len(ahead) + 1)
    wanted = {most: _effective(most, ahead) for most in (limit.most, *limit.compared)}
    limits = sorted({*wanted.values()}, key=lambda most: (most is None, most or 0))
    locked = [node for node, stop in enumerate(ahead, 1) if stop.locked]
    if limits == [None] and not locked:
        solution = optimize(
            problem,
            seconds=budget.seconds,
            moves=budget.moves,
            initial_order=present,
            cancelled=budget.cancelled,
        )
        return dict.fromkeys(wanted, solution)
    added = frozenset(route.appended_stop_ids)
    solutions = reorder(
        problem,
        present,
        most_moved=limits,
        locked=locked,
        appended=[node for node, stop in enumerate(ahead, 1) if stop.id in added],
        seconds=budget.seconds,
        moves=budget.moves,
        cancelled=budget.cancelled,
    )
    found = dict(zip(limits, solutions, strict=True))
    return {most: found[effective] for most, effective in wanted.items()}


def _effective(most: int | None, ahead: Sequence[RouteStop]) -> int | None:
    """Return a number of moves, or none where every stop may move: that is any number."""
    return None if most is None or most >= len(ahead) else most


class CachedRoads:
    """A cache before a road network, for a route that is planned several times.

    Without a stop, or at another time, a route travels between the same places: what the last
    matrix knows is answered from it.
    """

    def __init__(self, roads: RoadNetwork) -> None:
        self._roads = roads
        self._profile: TravelProfile | None = None
        self._index: dict[Coordinates, int] = {}
        self._known: TravelMatrix | None = None

    def matrix(
        self,
        sources: Sequence[Coordinates],
        targets: Sequence[Coordinates],
        profile: TravelProfile,
    ) -> TravelMatrix:
        """Return travel times and distances between all pairs; raise `Unavailable` when away."""
        wanted = {*sources, *targets}
        known = self._known
        if known is None or profile != self._profile or not wanted <= self._index.keys():
            locations = list(dict.fromkeys((*sources, *targets)))
            known = self._known = self._roads.matrix(locations, locations, profile)
            self._index = {location: number for number, location in enumerate(locations)}
            self._profile = profile
        cells = np.ix_(
            [self._index[location] for location in sources],
            [self._index[location] for location in targets],
        )
        return TravelMatrix(
            durations=known.durations[cells],
            distances=known.distances[cells],
            estimated=known.estimated[cells],
        )

    def legs(self, waypoints: Sequence[Coordinates], profile: TravelProfile) -> list[Leg]:
        """Return the legs between consecutive waypoints, one fewer than there are waypoints."""
        return self._roads.legs(waypoints, profile)

    def paths(self, waypoints: Sequence[Coordinates], profile: TravelProfile) -> list[Path]:
        """Return the lines to draw from the first waypoint over all to the last."""
        return self._roads.paths(waypoints, profile)

    def attribution(self) -> str:
        """Return who must be named beside what is not estimated; empty when nobody."""
        return self._roads.attribution()

    def close(self) -> None:
        """Leave the network to whoever opened it."""
