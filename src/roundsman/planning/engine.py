"""The searches by name: what they stand on is loaded when one is first asked for.

The compiler takes a fifth of the time that a server takes to start, and no request but a search
needs it. A server loads it beside its first requests; all else in this room is loaded with it.
"""

from collections.abc import Collection, Sequence

from roundsman.kit.loading import load
from roundsman.planning.availability import has_kernels, run_search
from roundsman.planning.budget import Cancelled
from roundsman.planning.fixed_route import FixedRoute, Insertions
from roundsman.planning.interpretation import interpret
from roundsman.planning.problem import Problem
from roundsman.planning.solution import Solution

OPTIMIZER = "roundsman.planning.optimizer"
REORDERING = "roundsman.planning.reordering"
INSERTION = "roundsman.planning.insertion"
_INTERPRETED_CELLS = 200_000
"""What a bound is worth that is not compiled: a second."""


def optimize(
    problem: Problem,
    *,
    seconds: float,
    seed: int = 0,
    moves: int | None = None,
    initial_order: Sequence[int] | None = None,
    cancelled: Cancelled | None = None,
) -> Solution:
    """Find the best order that the budget allows; cancelled, return the best so far."""
    found: Solution = run_search(
        f"{OPTIMIZER}:search_sequence",
        len(problem.visits),
        problem,
        seconds=seconds,
        seed=seed,
        moves=moves,
        initial_order=initial_order,
        cancelled=cancelled,
    )
    return found


def reorder(  # noqa: PLR0913 -- a problem, what restricts its orders, and a budget
    problem: Problem,
    order: Sequence[int],
    *,
    most_moved: Sequence[int | None],
    locked: Collection[int] = (),
    appended: Collection[int] = (),
    seconds: float,
    moves: int | None = None,
    cancelled: Cancelled | None = None,
) -> list[Solution]:
    """Find the best order for each number of moved visits; None is any number.

    Locked visits keep their index in the order; appended ones move for nothing.
    """
    found: list[Solution] = run_search(
        f"{REORDERING}:reorder_in_budgets",
        len(problem.visits),
        problem,
        order,
        most_moved=most_moved,
        locked=locked,
        appended=appended,
        seconds=seconds,
        moves=moves,
        cancelled=cancelled,
    )
    return found


def insert_everywhere(routes: Sequence[FixedRoute]) -> list[Insertions]:
    """Return what every place of every route means for one more visit."""
    place = f"{INSERTION}:try_insertions"
    found: list[Insertions] = load(place)(routes) if has_kernels() else interpret(place, routes)
    return found


def measure_gap(problem: Problem, found: Solution) -> Solution:
    """Add a lower bound on travel to a solution; a bound that is met is a proof."""
    place = f"{OPTIMIZER}:bound_gap"
    if found.lower_bound is not None:
        return found
    measured: Solution = (
        load(place)(problem, found)
        if has_kernels()
        else interpret(place, problem, found, cells=_INTERPRETED_CELLS)
    )
    return measured


def load_searches() -> None:
    """Load them, and compile nothing."""
    load(f"{OPTIMIZER}:search_sequence")
    load(f"{REORDERING}:reorder_in_budgets")
    load(f"{INSERTION}:try_insertions")


def warm() -> None:
    """Compile every kernel, or load it from the cache, so that no request has to wait for it."""
    load(f"{OPTIMIZER}:compile_searches")()
    load(f"{REORDERING}:compile_reorderings")()
    load(f"{INSERTION}:compile_insertions")()
