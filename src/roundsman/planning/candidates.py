"""The windows and visits that advice tries to change: all of a short problem, some of a long."""

from collections.abc import Iterable
from dataclasses import dataclass

from roundsman.planning.changes import Case
from roundsman.planning.schedule import Schedule
from roundsman.planning.violations import ViolationKind

type Windows = tuple[tuple[int, int], ...]
"""Windows, each given by its node and its index there."""

MOST_EACH = 6
"""Of each kind of candidate, in a long problem."""


@dataclass(frozen=True, slots=True)
class Candidates:
    """What to try, most promising first."""

    closings: Windows
    openings: Windows
    droppable: tuple[int, ...]


def all_candidates(case: Case, plan: Schedule) -> Candidates:
    """Return every window, if any is missed or costs time, and every visit."""
    windows = [
        (node, position)
        for node in case.problem.visits
        if node not in case.fixed_windows and plan.cost[0]
        for position in range(len(case.problem.windows[node]))
    ]
    return Candidates(tuple(windows), tuple(windows), _by_relief(case, plan, range(len(plan.path))))


def some_candidates(case: Case, plan: Schedule) -> Candidates:
    """Return what is late, and what the route does or waits for before that."""
    late = [position for position, behind in enumerate(plan.lateness) if behind]
    whole = range(1, len(plan.path))
    before = whole if plan.excess_seconds or not late else range(1, late[-1] + 1)
    windows = case.problem.windows
    movable = [
        position
        for position in before
        if windows[plan.path[position]] and plan.path[position] not in case.fixed_windows
    ]
    late_first = [position for position in late if position in movable][:MOST_EACH]
    held_up = [position for position in reversed(movable) if position not in late][:MOST_EACH]
    waits = [int(plan.waiting[position]) for position in range(len(plan.path))]
    longest = sorted(
        (position for position in movable if waits[position]), key=lambda at: -waits[at]
    )
    first = _by_relief(case, plan, late)[:MOST_EACH]
    droppable = tuple(dict.fromkeys((*first, *_by_relief(case, plan, before))))
    return Candidates(
        closings=tuple(
            _last_window(case, plan.path[position]) for position in late_first + held_up
        ),
        openings=tuple(_awaited(case, plan, position) for position in longest[:MOST_EACH]),
        droppable=droppable[: 2 * MOST_EACH],
    )


def _last_window(case: Case, node: int) -> tuple[int, int]:
    return node, len(case.problem.windows[node]) - 1


def _awaited(case: Case, plan: Schedule, position: int) -> tuple[int, int]:
    """Return the window that the route waits for at a position of its path."""
    node, begins = plan.path[position], int(plan.service_starts[position])
    opened = [opens for opens, _ in case.problem.windows[node]]
    return node, opened.index(begins)


def _by_relief(case: Case, plan: Schedule, positions: Iterable[int]) -> tuple[int, ...]:
    """Return the visits at these positions: late and unimportant ones first, then by time spent.

    Where the load is too much, those that weigh most come first.
    """
    too_much = _over_load(case)
    visits = set(case.problem.visits)

    def relief(position: int) -> tuple[float, bool, int, int, int]:
        node = plan.path[position]
        left = sum(max(0.0, 1 - held[node] / excess) for held, excess in too_much)
        urgent = int(case.problem.priority[node])
        return left, not plan.lateness[position], urgent, -_time_spent(case, plan, position), node

    return tuple(
        plan.path[position]
        for position in sorted((at for at in positions if plan.path[at] in visits), key=relief)
    )


def _over_load(case: Case) -> list[tuple[tuple[int, ...], int]]:
    held = {
        ViolationKind.MAX_ITEM_COUNT: case.item_counts,
        ViolationKind.MAX_KILOGRAMS: case.grams,
    }
    broken = case.broken_by_load()
    return [(held[one.kind], one.excess) for one in broken if one.kind in held]


def _time_spent(case: Case, plan: Schedule, position: int) -> int:
    """Return what a visit costs: the way there and back to the path, waiting and service."""
    node, before = plan.path[position], plan.path[position - 1]
    durations = case.problem.durations
    spent = int(plan.departures[position]) - int(plan.departures[position - 1])
    if position + 1 == len(plan.path):
        return spent
    after = plan.path[position + 1]
    return spent + int(durations[node, after]) - int(durations[before, after])
