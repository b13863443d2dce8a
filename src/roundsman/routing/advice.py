"""Why no order of a route's stops meets every window and limit, and what to change.

Each change is tried before it is offered: the changed route is planned again exactly as it will be
when the planner has made the change, and what still breaks anything is not offered. Work is bounded
by moves, so the same route gets the same advice: a look around that is worth about one solved, and
one search for each change that is offered, fewer on long routes.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime, timedelta

from msgspec.structs import replace

from roundsman.domain.advice import Advice, Combination, WindowConflict
from roundsman.domain.errors import PreconditionViolation
from roundsman.domain.model import UnsetType
from roundsman.domain.route import Route
from roundsman.planning import (
    Case,
    Change,
    Conflict,
    ConstrainedSolver,
    advise,
    combine,
    moves_within,
)
from roundsman.routing.ordering import PlannedRoute, SolvedTrip
from roundsman.routing.route_problem import zone_of
from roundsman.routing.suggestions import Suggestion, suggest
from roundsman.routing.violations import limits_of, load_of
from roundsman.routing.wording import Wording, describe_duration, describe_windows

LOOK_SECONDS = 0.6
"""Of searching for what would help, on a slow core; counted in moves."""

_MOST_OF_A_KIND = 2
_MOST_NAMED = 3
_TRIES = ((12, 8), (60, 6), (200, 4), (500, 3), (10**9, 2))
"""Up to so many stops, so many changes are tried; a dozen stops take no time at all."""

_DAY = timedelta(days=1)

type Replan = Callable[[Route], PlannedRoute]
"""Plans a changed route as it would be planned when somebody had changed it."""


def explain_violations(
    planned: PlannedRoute,
    replan: Replan,
    *,
    now: datetime,
    wording: Wording,
    cancelled: Callable[[], bool] | None = None,
) -> Advice:
    """Return what to change about a route that was planned and breaks windows or limits."""
    solved = planned.solved
    resolver = ConstrainedSolver(
        moves=moves_within(LOOK_SECONDS), seconds=5 * LOOK_SECONDS, cancelled=cancelled
    )
    case = _case_of(planned, now, wording)
    found = advise(case, solved.schedule, resolver)
    tries = _tries_for(len(planned.route.stops))

    def hold(changes: Sequence[Change]) -> list[Suggestion] | None:
        made = list(_make(planned.given, changes, solved, wording))
        if len(made) < len(changes) or (cancelled is not None and cancelled()):
            return None
        return None if replan(made[-1].route).violations else made

    singles = list(_hold_each(found.changes, hold, tries))
    combinations = found.combinations
    if found.changes and not singles:
        combinations = combine(case, solved.schedule, resolver)
    together = [hold(changes) for changes in combinations]
    return Advice(
        changes=tuple(suggestion.change for suggestion in singles),
        combinations=tuple(
            Combination(changes=tuple(suggestion.change for suggestion in made))
            for made in together
            if made
        ),
        conflicts=() if found.conflict is None else (_describe(found.conflict, solved, wording),),
    )


def advised(
    violations: Sequence[PreconditionViolation], advice: Advice
) -> tuple[PreconditionViolation, ...]:
    """Say with each violation what it conflicts with and what would mend it."""
    return tuple(
        replace(violation, description="; ".join(_with_advice(violation, advice)))
        for violation in violations
    )


def _with_advice(violation: PreconditionViolation, advice: Advice) -> Iterator[str]:
    """A change of the very thing comes first, and only one of each kind is named."""
    yield violation.description
    for conflict in advice.conflicts:
        if violation.subject in conflict.subjects:
            yield conflict.description
    nearest = sorted(advice.changes, key=lambda change: change.subject != violation.subject)
    named = {change.kind: change.description for change in reversed(nearest)}
    chosen = [change for change in advice.changes if change.description in named.values()]
    if chosen:
        words = [change.description for change in chosen[:_MOST_NAMED]]
        yield f"to meet everything, {' or '.join(words)}"
    elif advice.combinations:
        together = [change.description for change in advice.combinations[0].changes]
        yield f"no single change is enough, but together: {', and '.join(together)}"
    else:
        yield "no single change that was tried is enough"


def _tries_for(stops: int) -> int:
    """Return how many changes are tried, each of which costs as much as the search before."""
    return next(tries for most, tries in _TRIES if stops <= most)


def _hold_each(
    changes: Sequence[Change],
    hold: Callable[[Sequence[Change]], list[Suggestion] | None],
    tries: int,
) -> Iterator[Suggestion]:
    """Yield what holds of a few changes, smallest first and at most two of the same kind."""
    held: dict[int, Suggestion] = {}
    of_a_kind: Counter[type[Change]] = Counter()
    for index in _varied(changes)[:tries]:
        if of_a_kind[type(changes[index])] == _MOST_OF_A_KIND:
            continue
        made = hold([changes[index]])
        if made:
            of_a_kind[type(changes[index])] += 1
            held[index] = made[0]
    for index in sorted(held):
        yield held[index]


def _varied(changes: Sequence[Change]) -> list[int]:
    """Return the indexes of changes: the first of every kind, then the second of every kind."""
    seen: Counter[type[Change]] = Counter()
    turns = []
    for index, change in enumerate(changes):
        turns.append((seen[type(change)], index))
        seen[type(change)] += 1
    return [index for _, index in sorted(turns)]


def _make(
    route: Route, changes: Iterable[Change], solved: SolvedTrip, wording: Wording
) -> Iterator[Suggestion]:
    """Make changes one after another; end before the first that cannot be made."""
    for change in changes:
        made = suggest(route, change, solved, wording)
        if made is None:
            return
        route = made.route
        yield made


def _case_of(planned: PlannedRoute, now: datetime, wording: Wording) -> Case:
    solved = planned.solved
    ahead = solved.trip.stops
    nothing = (0,) * (solved.problem.size - 1 - len(ahead))
    earliest, latest = _departures(planned, now)
    return Case(
        problem=solved.problem,
        limits=limits_of(planned.route),
        load=load_of(planned.route),
        item_counts=(0, *(stop.total_quantity() for stop in ahead), *nothing),
        grams=(0, *(stop.total_grams() for stop in ahead), *nothing),
        fixed_windows=frozenset(
            node for node, stop in enumerate(ahead, 1) if not wording.may_widen(stop)
        ),
        earliest=earliest,
        latest=latest,
    )


def _departures(planned: PlannedRoute, now: datetime) -> tuple[int, int]:
    """Return the first and last departure, on the problem's axis, that leave windows on their day.

    Who has left cannot leave at another time, and nobody leaves in the past, unless the whole plan
    is of the past.
    """
    trip, route = planned.solved.trip, planned.given
    if route.is_started():
        return 0, 0
    first, last = trip.departure - _DAY, trip.departure + _DAY
    for stop in trip.stops:
        if stop.time_windows and isinstance(stop.delivery_date, UnsetType):
            local = trip.day_of.astimezone(zone_of(stop.planned_coordinates))
            midnight = local.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)
            first, last = max(first, midnight), min(last, midnight + _DAY - timedelta(seconds=1))
    if trip.departure > now:
        first = max(first, now)
    return tuple(  # type: ignore[return-value] # two of them
        round((instant - trip.departure).total_seconds()) for instant in (first, last)
    )


def _describe(conflict: Conflict, solved: SolvedTrip, wording: Wording) -> WindowConflict:
    stops = [solved.stop_at(node) for node in conflict.nodes]
    names = [f"{wording.stop(stop)} ({describe_windows(stop)})" for stop in stops]
    late = [describe_duration(seconds) for seconds in conflict.late_seconds]
    if len(stops) == 1:
        words = (
            f"this window cannot be met: {names[0]}; going there first, the vehicle is {late[0]} "
            "late"
        )
    elif len(stops) == 2:
        one, other = (wording.stop(stop) for stop in stops)
        words = (
            f"these two windows cannot both be met: {names[0]} and {names[1]}; with {one} first "
            f"the vehicle is {late[0]} late at {other}, with {other} first {late[1]} late at {one}"
        )
    else:
        words = f"these {len(stops)} windows cannot all be met: {', '.join(names)}"
    return WindowConflict(subjects=tuple(stop.id for stop in stops), description=words)
