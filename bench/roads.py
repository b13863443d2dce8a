"""Road-like instances: stops on a jittered street grid, shortest paths, some streets one-way.

Nothing is read from disk: a seed makes the same town again. Three kinds: no windows; 30 % of the
stops with a two-hour window; half of them with narrow ones around a hidden tour that meets them
all.
"""

import heapq
import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from bench.instance import Instance
from roundsman.planning import Problem, optimize

type Streets = list[list[tuple[int, int]]]

ONE_WAY = 0.25
MISSING = 0.08
NO_ROAD = 10**6
SIZES = (20, 50, 100, 200, 400, 800, 1000)
KINDS = ("none", "broad", "narrow")


def road_instances(sizes: Sequence[int], kinds: Sequence[str], towns: int) -> Iterator[Instance]:
    """Yield so many towns of each size and kind, open routes and round trips in turn."""
    for size in sizes:
        for number, kind in enumerate(KINDS):
            if kind not in kinds:
                continue
            for town in range(towns):
                seed = 1000 * size + 100 * number + town
                yield road_instance(size, kind, is_open=town % 2 == 0, seed=seed)


def road_instance(size: int, kind: str, *, is_open: bool, seed: int) -> Instance:
    """Make one town with so many stops."""
    random = np.random.default_rng(seed)
    side = max(12, math.ceil(2 * math.sqrt(size)))
    streets = _streets(side, random)
    positions = random.choice(_joined(streets), size=size + 1, replace=False)
    times = [_times_from(streets, int(position))[positions] for position in positions]
    durations = np.array(times, dtype=np.int32)
    none = np.zeros(size + 1, dtype=np.int32)
    service = np.concatenate(([0], random.integers(120, 480, size, endpoint=True))).astype(np.int32)
    start, end = 0, None if is_open else 0
    free = Problem(durations, None, start, end, service, [()] * (size + 1), none, 28_800)
    windows = _windows(free, kind, random)
    problem = Problem(durations, None, start, end, service, windows, none, 28_800)
    ending = "open" if is_open else "round"
    return Instance(
        name=f"town-{size}-{kind}-{ending}-{seed}", group=f"roads {size} {kind}", problem=problem
    )


def _streets(side: int, random: np.random.Generator) -> Streets:
    """Lay a jittered grid of about 120 m blocks driven at 20 to 50 km/h."""
    where = np.indices((side, side)).reshape(2, -1).T * 120 + random.normal(0, 25, (side * side, 2))
    streets: Streets = [[] for _ in range(side * side)]
    for node in range(side * side):
        row, column = divmod(node, side)
        for other in ([node + 1] if column + 1 < side else []) + (
            [node + side] if row + 1 < side else []
        ):
            border = row in (0, side - 1) or column in (0, side - 1)
            if random.random() < MISSING and not border:
                continue
            metres = float(np.hypot(*(where[node] - where[other])))
            seconds = max(1, round(metres / random.uniform(5.5, 14)) + int(random.integers(0, 15)))
            kept = random.random()
            if border or kept > ONE_WAY / 2:
                streets[node].append((other, seconds))
            if border or kept > ONE_WAY or kept <= ONE_WAY / 2:
                streets[other].append((node, seconds))
    return streets


def _joined(streets: Streets) -> list[int]:
    """Return the crossings that can be reached and left again."""
    backwards: Streets = [[] for _ in streets]
    for node, legs in enumerate(streets):
        for other, seconds in legs:
            backwards[other].append((node, seconds))
    there, back = _times_from(streets, 0), _times_from(backwards, 0)
    return [node for node in range(len(streets)) if max(there[node], back[node]) < NO_ROAD]


def _times_from(streets: Streets, source: int) -> NDArray[np.int64]:
    """Return the shortest times from one crossing to all (Dijkstra 1959)."""
    times = np.full(len(streets), NO_ROAD, dtype=np.int64)
    times[source] = 0
    heap = [(0, source)]
    while heap:
        seconds, node = heapq.heappop(heap)
        if seconds > times[node]:
            continue
        for other, leg in streets[node]:
            if seconds + leg < times[other]:
                times[other] = seconds + leg
                heapq.heappush(heap, (seconds + leg, other))
    return times


def _windows(
    free: Problem, kind: str, random: np.random.Generator
) -> list[tuple[tuple[int, int], ...]]:
    """Lay windows over a hidden tour, so that meeting all of them is possible."""
    windows: list[tuple[tuple[int, int], ...]] = [()] * free.size
    if kind == "none":
        return windows
    hidden = optimize(free, seconds=5, moves=2_000_000, seed=1)
    share = 0.3 if kind == "broad" else 0.5
    for position, node in enumerate(hidden.order, 1):
        if random.random() >= share:
            continue
        reached = int(hidden.arrivals[position])
        if kind == "broad":
            opens = (reached + int(random.integers(-3600, 3600))) // 7200 * 7200
            opens = opens if opens <= reached <= opens + 7200 else reached // 7200 * 7200
            windows[node] = ((opens, opens + 7200),)
        else:
            opens = reached - int(random.integers(60, 900))
            windows[node] = ((opens, opens + int(random.integers(1000, 1800))),)
    return windows
