"""The best order for a route, or why there is none (specification, POST /routes/{id}/reoptimize).

Decides whether the order that a route has is still the best, and how much search it is worth.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime

from msgspec.structs import replace as replace_struct

from roundsman.domain.advice import Advice
from roundsman.domain.errors import Aborted, FailedPrecondition, PreconditionViolation
from roundsman.domain.model import UNSET
from roundsman.domain.reoptimization import Keep, ReoptimizeOptions, Tradeoff
from roundsman.domain.route import Route
from roundsman.planning import Solution, count_moved, measure_gap, moves_within
from roundsman.roads.network import RoadNetwork
from roundsman.routing.advice import advised, explain_violations
from roundsman.routing.ordering import (
    CachedRoads,
    MoveLimit,
    PlannedRoute,
    SearchBudget,
    plan_route,
)
from roundsman.routing.timing import time_route
from roundsman.routing.wording import Wording

COMPARED = (0, 1, 2, 5, None)
"""The numbers of moves whose gain is shown; None is any number."""

_LARGER = (1, 2, 5, 10, 20, 50, None)
"""The numbers of moves that are tried when a smaller one was not enough."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Reoptimized:
    """A route in its best order, how many stops that moved, and what other numbers would gain."""

    route: Route
    moved: int = 0
    tradeoffs: tuple[Tradeoff, ...] = ()


def reoptimize(
    route: Route,
    options: ReoptimizeOptions,
    *,
    roads: RoadNetwork,
    now: datetime,
    cancelled: Callable[[], bool] | None = None,
) -> Reoptimized:
    """Return the route with its stops in the best order, or as it is when its order is current.

    Its order is not current any more when it was found with other options, or on estimates where
    there are roads now.
    """
    _require_done_stops_stay(route, options)
    is_current = _is_current(route, options) and not _is_driven_otherwise(route, roads)
    if is_current and not options.tradeoffs:
        return Reoptimized(route=route)
    if not is_current:
        route.require_not_archived()
    if not route.stops:
        return Reoptimized(route=route.with_order_computed(most_moved=options.most_moved))
    cached = CachedRoads(roads)
    asked = MoveLimit(most=options.most_moved)

    def plan(changed: Route, limit: MoveLimit = asked) -> PlannedRoute:
        return plan_route(
            changed,
            roads=cached,
            departure=changed.departure(),
            budget=replace(budget_for(len(changed.stops)), cancelled=cancelled),
            now=now,
            limit=limit,
        )

    planned = plan(route, replace(asked, compared=COMPARED) if options.tradeoffs else asked)
    _require_waited_for(cancelled)
    tradeoffs = _compare(planned, route) if options.tradeoffs else ()
    if is_current:
        return Reoptimized(route=route, tradeoffs=tradeoffs)
    if planned.violations and not options.ignore_routing_constraints:
        _refuse_for_few_moves(planned, options, plan)
        wording = Wording()
        advice = explain_violations(planned, plan, now=now, wording=wording, cancelled=cancelled)
        _require_waited_for(cancelled)
        raise _unmet(planned, advice)
    measured = measure_gap(planned.solved.problem, planned.solved.solution)
    ordered = planned.route.with_order_computed(
        measured.gap,
        ignores_constraints=options.ignore_routing_constraints,
        most_moved=options.most_moved,
    )
    if route.optimized and route.order_is_current and _looks_the_same(route, ordered):
        return Reoptimized(route=route, tradeoffs=tradeoffs)
    before = [stop.id for stop in route.placed_stops()]
    moved = count_moved(before, [stop.id for stop in ordered.open_stops()])
    return Reoptimized(route=ordered, moved=moved, tradeoffs=tradeoffs)


def _looks_the_same(route: Route, ordered: Route) -> bool:
    """Say whether other options alone led to the order that the route has already."""
    return route == replace_struct(
        ordered,
        order_ignores_constraints=route.order_ignores_constraints,
        order_most_moved=route.order_most_moved,
        travel_gap=route.travel_gap,
    )


def _compare(planned: PlannedRoute, route: Route) -> tuple[Tradeoff, ...]:
    """Say what the best order within each number of moves costs."""
    solved = planned.solved
    placed = {stop.id for stop in route.placed_stops()}
    before = [node for node, stop in enumerate(solved.trip.stops, 1) if stop.id in placed]

    def show(most: int | None, found: Solution) -> Tradeoff:
        late, inversions, travel = found.schedule.cost
        return Tradeoff(
            max_moves=UNSET if most is None else most,
            moved=count_moved(before, found.order),
            lateness_seconds=late,
            priority_inversions=inversions,
            travel_seconds=travel,
        )

    return tuple(show(most, solved.tradeoffs[most]) for most in COMPARED)


def _refuse_for_few_moves(
    planned: PlannedRoute,
    options: ReoptimizeOptions,
    plan: Callable[[Route, MoveLimit], PlannedRoute],
) -> None:
    """Refuse the request where nothing but the number of moves forbids an order that is in time."""
    most = options.most_moved
    if most is None or not planned.solved.schedule.cost[0]:
        return
    larger = tuple(number for number in _LARGER if number is None or number > most)
    solutions = plan(planned.given, MoveLimit(most=None, compared=larger)).solved.tradeoffs
    enough = [number for number in larger if not solutions[number].schedule.cost[0]]
    if not enough:
        return
    field = "keep" if options.keep is Keep.ORDER else "maxMoves"
    does = "one that may move any number does"
    if enough[0] is not None:
        does = f"one that moves {enough[0]} at most does"
    violation = PreconditionViolation(
        type=field,
        subject=planned.given.id,
        description=f"no order that moves {most} stops at most meets this; {does}",
    )
    first = planned.violations[0].description
    raise FailedPrecondition(
        f"no order within {field} meets every limit: {first}; {does}",
        (*planned.violations, violation),
    )


def _require_done_stops_stay(route: Route, options: ReoptimizeOptions) -> None:
    if options.ignore_completed_stops is not False or not route.is_started():
        return
    violation = PreconditionViolation(
        type="ignoreCompletedStops",
        subject=route.id,
        description="must be true or absent on a started route: what is done stays in front",
    )
    raise FailedPrecondition("stops that are done cannot be ordered again", [violation])


def _is_current(route: Route, options: ReoptimizeOptions) -> bool:
    is_computed = route.optimized and route.order_is_current
    most_moved = UNSET if options.most_moved is None else options.most_moved
    is_same = route.order_most_moved == most_moved
    ignores = options.ignore_routing_constraints
    return is_computed and is_same and route.order_ignores_constraints == ignores


def _is_driven_otherwise(route: Route, roads: RoadNetwork) -> bool:
    """Tell whether what was estimated of a route is known better now, or worse."""
    if not route.has_estimates or isinstance(route.archived_at, datetime):
        return False
    return time_route(route, roads).route.leg_lengths() != route.leg_lengths()


def _require_waited_for(cancelled: Callable[[], bool] | None) -> None:
    if cancelled is not None and cancelled():
        raise Aborted("the request was cancelled; nothing was changed")


def _unmet(planned: PlannedRoute, advice: Advice) -> FailedPrecondition:
    violations = advised(planned.violations, advice)
    more = len(violations) - 1
    others = f"; {more} more {'reason' if more == 1 else 'reasons'} in details" if more else ""
    return FailedPrecondition(
        f"no order of the stops meets every limit: {violations[0].description}{others}",
        violations,
        advice,
    )


def budget_for(stops: int) -> SearchBudget:
    """Return how much search a route of so many stops is worth.

    Counted in moves, so that equal input gives equal output on any load: measured in processor
    seconds, at most 0.15 for 100 stops, 0.65 for 400 and 2.1 for 800, less with windows. The clock
    only guards against a machine that is far slower.
    """
    slow_seconds = 0.1 + 0.0018 * stops + 1.4e-6 * stops**2
    return SearchBudget(seconds=3 * slow_seconds, moves=moves_within(slow_seconds))
