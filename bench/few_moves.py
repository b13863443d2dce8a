"""What orders that move few stops cost, and what they take: `python -m bench.few_moves`.

The order before is a good one of which some stops were put elsewhere, or none at all. Seconds are
processor seconds of one core.
"""

import time
from argparse import ArgumentParser
from collections.abc import Sequence

import numpy as np

from roundsman.planning import Problem, count_moved, moves_within, optimize, reorder, warm
from roundsman.routing.reoptimization import budget_for

MOST_MOVED: Sequence[int | None] = (0, 1, 2, 5, 20, None)
GENEROUS = 60.0


def town(stops: int, seed: int, *, windows: bool) -> Problem:
    """Scatter stops over a town; every third one has a window of an hour of a long day."""
    random = np.random.default_rng(seed)
    places = random.integers(0, 3000, (stops + 1, 2))
    gaps = places[:, None, :] - places[None, :, :]
    durations = np.hypot(gaps[..., 0], gaps[..., 1]).astype(np.int64)
    opens = random.integers(0, 200 * stops, stops + 1)
    spans = [
        [(int(at), int(at) + 7200)] if windows and node and node % 3 == 0 else []
        for node, at in enumerate(opens)
    ]
    zeros = np.zeros(stops + 1, dtype=np.int32)
    service = np.full(stops + 1, 120, dtype=np.int32)
    return Problem(
        durations=durations.astype(np.int32),
        distances=None,
        start=0,
        end=0,
        service=service,
        windows=spans,
        priority=zeros,
        departure=0,
    )


def order_before(problem: Problem, displaced: int, seed: int) -> list[int]:
    """Return a good order of which so many stops stand elsewhere."""
    random = np.random.default_rng(seed)
    order = list(optimize(problem, seconds=GENEROUS, moves=moves_within(0.5)).order)
    for _ in range(displaced):
        leaves, arrives = random.integers(0, len(order), 2)
        order.insert(int(arrives), order.pop(int(leaves)))
    return order


def measure(problem: Problem, order: Sequence[int], locks: int) -> None:
    """Print what each number of moves costs and takes, asked for alone."""
    budget = budget_for(len(order))
    locked = order[:: len(order) // locks] if locks else ()
    for most in MOST_MOVED:
        begun = time.process_time()
        [found] = reorder(
            problem, order, most_moved=[most], locked=locked, seconds=GENEROUS, moves=budget.moves
        )
        taken = time.process_time() - begun
        name = "any" if most is None else str(most)
        late, _, travel = found.schedule.cost
        moved = count_moved(order, found.order)
        print(f"  {name:>4} moves: {moved:4} moved, {late:7} s late, {travel:7} s, {taken:.2f} s")


def main() -> None:
    """Measure routes of some sizes."""
    parser = ArgumentParser(description=__doc__)
    parser.add_argument("--stops", type=int, nargs="+", default=[50, 200])
    given = parser.parse_args()
    warm()
    for stops in given.stops:
        for windows in (False, True):
            problem = town(stops, 1, windows=windows)
            for displaced, locks in ((8, 0), (stops, 0), (8, 5)):
                kind = "windows" if windows else "no windows"
                print(f"{stops} stops, {kind}, {displaced} displaced, {locks} locks")
                measure(problem, order_before(problem, displaced, 2), locks)


if __name__ == "__main__":
    main()
