"""Which windows and visits are worth trying to change: all of a short problem, some of a long."""

from collections.abc import Iterable
from dataclasses import dataclass

from roundsman.planning.changes import Case
from roundsman.planning.schedule import Schedule
from roundsman.planning.violations import ViolationKind

type Windows = tuple[tuple[int, int], ...]
"""Windows, each named by its node and its place there."""

MOST_EACH = 6
"""Of each kind of suspect, in a long problem."""


@dataclass(frozen=True, slots=True)
class Suspects:
    """What to try, most promising first."""

    closings: Windows
    openings: Windows
    droppable: tuple[int, ...]


def suspect_all(case: Case, plan: Schedule) -> Suspects:
    """Suspect every window, if any is missed or costs time, and every visit."""
    windows = [
        (node, place)
        for node in case.problem.visits
        if node not in case.fixed_windows and plan.cost[0]
        for place in range(len(case.problem.windows[node]))
    ]
    return Suspects(tuple(windows), tuple(windows), _by_relief(case, plan, range(len(plan.path))))


def suspect_some(case: Case, plan: Schedule) -> Suspects:
    """Suspect what is late, and what the route does or waits for before that."""
    late = [place for place, behind in enumerate(plan.lateness) if behind]
    whole = range(1, len(plan.path))
    before = whole if plan.excess_seconds or not late else range(1, late[-1] + 1)
    windows = case.problem.windows
    movable = [
        place
        for place in before
        if windows[plan.path[place]] and plan.path[place] not in case.fixed_windows
    ]
    late_first = [place for place in late if place in movable][:MOST_EACH]
    held_up = [place for place in reversed(movable) if place not in late][:MOST_EACH]
    waits = [int(plan.waiting[place]) for place in range(len(plan.path))]
    longest = sorted((place for place in movable if waits[place]), key=lambda at: -waits[at])
    first = _by_relief(case, plan, late)[:MOST_EACH]
    droppable = tuple(dict.fromkeys((*first, *_by_relief(case, plan, before))))
    return Suspects(
        closings=tuple(_last_window(case, plan.path[place]) for place in late_first + held_up),
        openings=tuple(_awaited(case, plan, place) for place in longest[:MOST_EACH]),
        droppable=droppable[: 2 * MOST_EACH],
    )


def _last_window(case: Case, node: int) -> tuple[int, int]:
    return node, len(case.problem.windows[node]) - 1


def _awaited(case: Case, plan: Schedule, place: int) -> tuple[int, int]:
    """Return the window that the route waits for at a place of its path."""
    node, begins = plan.path[place], int(plan.service_starts[place])
    opened = [opens for opens, _ in case.problem.windows[node]]
    return node, opened.index(begins)


def _by_relief(case: Case, plan: Schedule, places: Iterable[int]) -> tuple[int, ...]:
    """Return the visits at these places: late and unimportant ones, and those that cost most time.

    Where the load is too much, those that weigh most come first.
    """
    too_much = _over_load(case)
    visits = set(case.problem.visits)

    def relief(place: int) -> tuple[float, bool, int, int, int]:
        node = plan.path[place]
        left = sum(max(0.0, 1 - held[node] / excess) for held, excess in too_much)
        urgent = int(case.problem.priority[node])
        return left, not plan.lateness[place], urgent, -_time_spent(case, plan, place), node

    return tuple(
        plan.path[place]
        for place in sorted((at for at in places if plan.path[at] in visits), key=relief)
    )


def _over_load(case: Case) -> list[tuple[tuple[int, ...], int]]:
    held = {
        ViolationKind.MAX_ITEM_COUNT: case.item_counts,
        ViolationKind.MAX_KILOGRAMS: case.grams,
    }
    broken = case.broken_by_load()
    return [(held[one.kind], one.excess) for one in broken if one.kind in held]


def _time_spent(case: Case, plan: Schedule, place: int) -> int:
    """Return what a visit costs: the way there and back to the path, waiting and service."""
    node, before = plan.path[place], plan.path[place - 1]
    durations = case.problem.durations
    spent = int(plan.departures[place]) - int(plan.departures[place - 1])
    if place + 1 == len(plan.path):
        return spent
    after = plan.path[place + 1]
    return spent + int(durations[node, after]) - int(durations[before, after])
