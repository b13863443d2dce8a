"""What could be changed about a problem that no order meets, and the problem after the change.

A change is a value in the problem's own terms: nodes, seconds on its axis, units of its limits.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np

from roundsman.planning.problem import Problem
from roundsman.planning.violations import Limits, Load, Violation, ViolationKind, check_limits

MINUTE = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """A problem with all that a route's limits look at; tuples have one value a node.

    The duration is limited by the problem alone, so `limits` need not repeat it.
    """

    problem: Problem
    limits: Limits
    load: Load
    item_counts: tuple[int, ...]
    grams: tuple[int, ...]
    fixed_windows: frozenset[int] = frozenset()
    """Nodes whose windows nobody may change."""
    earliest: int
    """The first departure that could be chosen; the present one when it is settled."""
    latest: int

    def broken_by_load(self) -> list[Violation]:
        """List the limits that no order of these stops meets."""
        return check_limits(self.limits, self.load)


@dataclass(frozen=True, slots=True)
class CloseLater:
    """Let a window of a visit close later; `window` is its index among the node's windows."""

    node: int
    window: int
    seconds: int


@dataclass(frozen=True, slots=True)
class OpenEarlier:
    """Let a window of a visit open earlier."""

    node: int
    window: int
    seconds: int


@dataclass(frozen=True, slots=True)
class Depart:
    """Leave so many seconds later, or earlier when negative."""

    seconds: int


@dataclass(frozen=True, slots=True)
class Drop:
    """Leave a visit out."""

    node: int


@dataclass(frozen=True, slots=True)
class Raise:
    """Raise a limit; `to` is in its own unit: stops, items, grams, seconds of the problem."""

    kind: ViolationKind
    to: int


type Change = CloseLater | OpenEarlier | Depart | Drop | Raise


def size_of(change: Change) -> tuple[bool, int]:
    """Return what to sort changes by: seconds first, then what cannot be compared with them."""
    match change:
        case CloseLater() | OpenEarlier() | Depart():
            return False, abs(change.seconds)
        case Raise():
            return False, 0
        case Drop():
            return True, 0


def with_window(problem: Problem, change: CloseLater | OpenEarlier) -> Problem:
    """Return the problem with one window widened."""
    windows = list(problem.windows[change.node])
    opens, closes = windows[change.window]
    if isinstance(change, CloseLater):
        windows[change.window] = opens, closes + change.seconds
    else:
        windows[change.window] = opens - change.seconds, closes
    changed = list(problem.windows)
    changed[change.node] = tuple(windows)
    return replace(problem, windows=changed)


def with_all(problem: Problem, changes: Iterable[Change]) -> Problem:
    """Return the problem after several changes, none of which leaves a visit out."""
    for change in changes:
        match change:
            case CloseLater() | OpenEarlier():
                problem = with_window(problem, change)
            case Depart():
                problem = replace(problem, departure=problem.departure + change.seconds)
            case Raise(kind=ViolationKind.MAX_DURATION):
                problem = replace(problem, max_duration=change.to)
    return problem


@dataclass(frozen=True, slots=True)
class Remainder:
    """A problem without some of its visits; `nodes` are the caller's, by the remainder's own."""

    problem: Problem
    nodes: tuple[int, ...]

    def order_here(self, order: Sequence[int]) -> list[int]:
        """Translate an order of the whole problem, skipping what was left out."""
        here = {node: position for position, node in enumerate(self.nodes)}
        return [here[node] for node in order if node in here]

    def order_there(self, order: Sequence[int]) -> list[int]:
        """Translate an order of the remainder back."""
        return [self.nodes[node] for node in order]


def without(problem: Problem, dropped: Iterable[int]) -> Remainder:
    """Leave visits out of a problem."""
    gone = frozenset(dropped)
    kept = [node for node in range(problem.size) if node not in gone]
    cells = np.ix_(kept, kept)
    here = {node: position for position, node in enumerate(kept)}
    smaller = replace(
        problem,
        durations=problem.durations[cells],
        distances=None,
        start=here[problem.start],
        end=None if problem.end is None else here[problem.end],
        service=problem.service[kept],
        windows=[problem.windows[node] for node in kept],
        priority=problem.priority[kept],
    )
    return Remainder(smaller, tuple(kept))


def load_without(case: Case, dropped: Iterable[int]) -> Load:
    """Return what the route holds when visits are left out."""
    gone = frozenset(dropped)
    return Load(
        stops=case.load.stops - len(gone),
        item_count=case.load.item_count - sum(case.item_counts[node] for node in gone),
        grams=case.load.grams - sum(case.grams[node] for node in gone),
    )


def minutes_up(seconds: int) -> int:
    """Return seconds in whole minutes, rounded up."""
    return -(-seconds // MINUTE)
