"""Why no order meets every window and limit, and the smallest single changes that would do.

Every change is solved again before it is offered, and the amount of each is the least that was
found to do, in whole minutes. Up to a dozen visits every window and visit is tried, and each trial
is a proof; beyond, the late ones and those that hold them up are.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial

from roundsman.planning.candidates import Candidates, all_candidates, some_candidates
from roundsman.planning.changes import (
    MINUTE,
    Case,
    Change,
    CloseLater,
    Depart,
    Drop,
    OpenEarlier,
    Raise,
    load_without,
    minutes_up,
    size_of,
    with_all,
    with_window,
    without,
)
from roundsman.planning.conflicts import Conflict, find_conflict
from roundsman.planning.constrained_solver import ConstrainedSolver, is_met, seconds_of
from roundsman.planning.problem import Problem
from roundsman.planning.schedule import Schedule, schedule
from roundsman.planning.violations import Violation, ViolationKind, check_limits

TRIED_WHOLE = 12
"""Visits up to which every window and every visit is tried."""

MOST_MINUTES = 24 * 60
"""By which a window is widened at most."""

MOST_TOGETHER = 10
"""Changes of a combination: more of them are another plan, not a change of this one."""


@dataclass(frozen=True, slots=True)
class ChangeAdvice:
    """What was found: each change alone is enough, and so is each of the combinations as a whole.

    Combinations are looked for only where no single change is enough.
    """

    changes: tuple[Change, ...]
    combinations: tuple[tuple[Change, ...], ...]
    conflict: Conflict | None


def advise(case: Case, plan: Schedule, resolver: ConstrainedSolver) -> ChangeAdvice:
    """Say what would make a case meetable whose best known schedule is `plan`."""
    order = plan.path[1:] if case.problem.end is None else plan.path[1:-1]
    candidates = _candidates(case, plan)
    by_load = case.broken_by_load()
    is_timely = plan.cost[0] == 0
    late = [node for node, behind in zip(plan.path, plan.lateness, strict=True) if behind]
    conflict = find_conflict(case.problem, late, resolver) if late else None
    found: list[Change] = []
    if not by_load:
        found += _widened(case, order, candidates, resolver)
        found += _departures(case, order, plan, resolver)
        found += _longer(case.problem, order, resolver)
    elif is_timely and len(by_load) == 1:
        found += _raised(by_load)
    found += _dropped(case, order, candidates, resolver)
    combinations = () if found else combine(case, plan, resolver)
    return ChangeAdvice(tuple(sorted(found, key=size_of)), combinations, conflict)


def _candidates(case: Case, plan: Schedule) -> Candidates:
    small = len(case.problem.visits) <= TRIED_WHOLE
    return all_candidates(case, plan) if small else some_candidates(case, plan)


def _widened(
    case: Case, order: Sequence[int], candidates: Candidates, resolver: ConstrainedSolver
) -> Iterator[Change]:
    for widen, windows in ((CloseLater, candidates.closings), (OpenEarlier, candidates.openings)):
        for node, window in windows:
            pose = partial(_wider, case.problem, widen, node, window)
            found = resolver.least_minutes(pose, MOST_MINUTES, order)
            if found is not None:
                yield widen(node, window, seconds_of(found[0]))


def _wider(
    problem: Problem,
    widen: type[CloseLater | OpenEarlier],
    node: int,
    window: int,
    minutes: int,
) -> Problem:
    return with_window(problem, widen(node, window, seconds_of(minutes)))


def _departures(
    case: Case, order: Sequence[int], plan: Schedule, resolver: ConstrainedSolver
) -> Iterator[Change]:
    """Earlier meets windows, later shortens a route that waits."""
    problem = case.problem
    unlimited = replace(problem, max_duration=None)
    earlier = (problem.departure - case.earliest) // MINUTE
    if earlier > 0 and plan.lateness_seconds:
        found = resolver.least_minutes(
            lambda minutes: with_all(unlimited, [Depart(-seconds_of(minutes))]), earlier, order
        )
        if found is not None:
            change = Depart(-seconds_of(found[0]))
            if resolver.meet(with_all(problem, [change]), found[1]) is not None:
                yield change
    later = min((case.latest - problem.departure) // MINUTE, minutes_up(int(plan.waiting.sum())))
    if later > 0 and plan.excess_seconds and not plan.lateness_seconds:
        yield from _later(problem, order, later)


def _later(problem: Problem, order: Sequence[int], most: int) -> Iterator[Change]:
    """Waiting shrinks with every minute, so the first that shortens the route enough is sought."""
    too_few, enough = 0, most
    while enough - too_few > 1:
        middle = (enough + too_few) // 2
        left = with_all(problem, [Depart(seconds_of(middle))])
        if schedule(left, order).excess_seconds:
            too_few = middle
        else:
            enough = middle
    change = Depart(seconds_of(enough))
    if is_met(with_all(problem, [change]), order):
        yield change


def _longer(
    problem: Problem, order: Sequence[int], resolver: ConstrainedSolver
) -> Iterator[Change]:
    """The duration that is needed is the one of the order that exceeds the limit least."""
    if problem.max_duration is None:
        return
    unlimited = replace(problem, max_duration=None)
    found = resolver.meet(unlimited, order)
    if found is None:
        return
    solution = resolver.solve(problem, found)
    candidates = [found] if solution is None else [found, solution.order]
    fits = [plan for plan in (schedule(unlimited, one) for one in candidates) if not plan.cost[0]]
    shortest = min(plan.duration_seconds for plan in fits)
    if shortest > problem.max_duration:
        yield Raise(ViolationKind.MAX_DURATION, seconds_of(minutes_up(shortest)))


def _raised(broken: Sequence[Violation]) -> Iterator[Change]:
    for violation in broken:
        yield Raise(violation.kind, violation.actual)


def _dropped(
    case: Case, order: Sequence[int], candidates: Candidates, resolver: ConstrainedSolver
) -> Iterator[Change]:
    for node in candidates.droppable:
        if check_limits(case.limits, load_without(case, [node])):
            continue
        rest = without(case.problem, [node])
        if resolver.meet(rest.problem, rest.order_here(order)) is not None:
            yield Drop(node)


def combine(
    case: Case, plan: Schedule, resolver: ConstrainedSolver
) -> tuple[tuple[Change, ...], ...]:
    """Return changes that are enough together: what is broken mended where it breaks, and visits.

    That of visits to leave out is as small as was found.
    """
    order = plan.path[1:] if case.problem.end is None else plan.path[1:-1]
    mended = _mended(case, plan)
    found: list[tuple[Change, ...]] = []
    if len(mended) <= MOST_TOGETHER and is_met(with_all(case.problem, mended), order):
        found.append(tuple(mended))
    dropped = _fewest_dropped(case, order, resolver)
    if dropped:
        found.append(tuple(Drop(node) for node in dropped))
    return tuple(found)


def _mended(case: Case, plan: Schedule) -> list[Change]:
    mended: list[Change] = list(_raised(case.broken_by_load()))
    for node, behind in zip(plan.path, plan.lateness, strict=True):
        if behind and node not in case.fixed_windows:
            last = len(case.problem.windows[node]) - 1
            mended.append(CloseLater(node, last, seconds_of(minutes_up(int(behind)))))
    if plan.excess_seconds:
        longest = seconds_of(minutes_up(plan.duration_seconds))
        mended.append(Raise(ViolationKind.MAX_DURATION, longest))
    return mended


def _fewest_dropped(case: Case, order: Sequence[int], resolver: ConstrainedSolver) -> list[int]:
    """Leave out the visit that helps most until all is met, then take back what can be."""
    dropped: list[int] = []
    for _ in range(MOST_TOGETHER):
        rest = without(case.problem, dropped)
        solution = resolver.solve(rest.problem, rest.order_here(order))
        if solution is None:
            return []
        if not solution.schedule.cost[0] and not check_limits(
            case.limits, load_without(case, dropped)
        ):
            return _taken_back(case, order, dropped, resolver)
        smaller = replace(case, problem=rest.problem, load=load_without(case, dropped))
        # The figures of each visit follow the visits that are left.
        smaller = replace(
            smaller,
            item_counts=tuple(case.item_counts[node] for node in rest.nodes),
            grams=tuple(case.grams[node] for node in rest.nodes),
            fixed_windows=frozenset(),
        )
        droppable = some_candidates(smaller, solution.schedule).droppable
        if not droppable:
            return []
        order = rest.order_there(solution.order)
        dropped.append(rest.nodes[droppable[0]])
    return []


def _taken_back(
    case: Case, order: Sequence[int], dropped: list[int], resolver: ConstrainedSolver
) -> list[int]:
    for node in list(dropped):
        fewer = [other for other in dropped if other != node]
        if check_limits(case.limits, load_without(case, fewer)):
            continue
        rest = without(case.problem, fewer)
        known = [*rest.order_here(order)]
        missing = set(rest.problem.visits) - set(known)
        if resolver.meet(rest.problem, [*known, *sorted(missing)]) is not None:
            dropped = fewer
    return dropped
