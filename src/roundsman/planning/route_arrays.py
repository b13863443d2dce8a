"""A route without windows as one array, changed by reversals that can be undone.

Start and end stay at the two ends, so every change is a few reversals of inner parts. Each reversal
is written into a journal: undoing a trial costs what the trial cost, not the length of the route
(Johnson & McGeoch 1997 on reversals and arrays). Prefix sums in `skew` give the cost of driving a
part backwards, so that one-way roads are priced exactly.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roundsman.planning.bookkeeping import MOVES, OWN, WAITING, new_state
from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.matrix import NO_LIMIT, Int32, Int64, sum_differences

JOURNAL, COST, KEPT, BEST = range(OWN, OWN + 4)
JOURNAL_ROOM = 50_000
JOURNAL_SPARE = 200  # what one step of the search writes at most
NEIGHBOURS = 8


class Roads(NamedTuple):
    """What the search reads and never writes."""

    durations: Int32
    """Start and end cost as much backwards as forwards: they are only ever driven one way."""
    both: Int32
    """There and back."""
    near: Int32
    """For each node, the others by there and back, nearest first."""
    near_both: Int32
    """There and back to them; a small table, where the whole one is larger than a cache."""
    after: Int32
    """For each node, who may well follow it, nearest first; on symmetric roads never asked."""
    symmetric: bool


class RouteArrays(NamedTuple):
    """The route under search, by position; `position` and `queued` are by node."""

    route: Int32
    position: Int32
    skew: Int64
    """Up to each position, how much dearer the route is forwards than backwards."""
    journal: Int32
    """First and last position of each reversal since the route was last kept."""
    queue: Int32
    queued: NDArray[np.int8]
    best: Int32
    """The best route so far."""
    move: Int64
    """The exchange that is being looked for: see `exchanges`."""
    added: Int32
    """The legs that the exchange has put in so far."""
    state: Int64
    """Counters, the random state and the costs: see the names above."""


def new_roads(durations: Int32, neighbours: int = NEIGHBOURS) -> Roads:
    """Lay out roads from a table of its own, whose end is only reached and start only left."""
    durations[1:-1, 0] = durations[0, 1:-1]
    durations[-1, :] = durations[:, -1]
    durations[0, -1] = durations[-1, 0] = durations[0, 0] = durations[-1, -1] = 0
    symmetric = sum_differences(durations) == 0
    both = durations + (durations if symmetric else durations.T)
    size, count = len(durations), max(1, min(neighbours, len(durations) - 2))
    near = np.zeros((size, count), dtype=np.int32)
    list_nearest(both, near, 0)
    after = near
    if not symmetric:
        after = np.zeros((size, count), dtype=np.int32)
        list_nearest(durations, after, 1)
    near_both = np.take_along_axis(both, near, axis=1)
    return Roads(durations, both, near, near_both, after, symmetric)


def new_path(roads: Roads, route: Int64, seed: int) -> RouteArrays:
    """Lay out the arrays for a route, with every node waiting to be looked at."""
    size = len(route)
    here = route.astype(np.int32)
    position = np.empty(size, dtype=np.int32)
    position[here] = np.arange(size, dtype=np.int32)
    there, back = roads.durations[here[:-1], here[1:]], roads.durations[here[1:], here[:-1]]
    skew = np.zeros(size, dtype=np.int64)
    skew[1:] = np.cumsum(there.astype(np.int64) - back)
    state = new_state(seed)
    state[COST] = state[KEPT] = state[BEST] = there.sum(dtype=np.int64)
    state[WAITING] = size
    return RouteArrays(
        route=here,
        position=position,
        skew=skew,
        journal=np.zeros((JOURNAL_ROOM, 2), dtype=np.int32),
        queue=here.copy(),
        queued=np.ones(size, dtype=np.int8),
        best=here.copy(),
        move=np.zeros(16, dtype=np.int64),
        added=np.zeros((16, 2), dtype=np.int32),
        state=state,
    )


@compiled
def list_nearest(costs: Int32, chosen: Int32, first: int) -> None:
    """Pick for each node the cheapest others from node `first` on; the two ends never meet."""
    size, count = costs.shape[0], chosen.shape[1]
    for node in range(size):
        held, worst = 0, NO_LIMIT
        own = costs[node]
        for other in range(first, size):
            cost = own[other]
            if cost >= worst or other == node:
                continue
            if node + other == size - 1 and (node == 0 or other == 0):
                continue
            held = min(held + 1, count)
            spot = held - 1
            while spot > 0 and own[chosen[node, spot - 1]] > cost:
                chosen[node, spot] = chosen[node, spot - 1]
                spot -= 1
            chosen[node, spot] = other
            if held == count:
                worst = own[chosen[node, held - 1]]
        for spot in range(held, count):
            chosen[node, spot] = chosen[node, 0]


@inlined
def turn(roads: Roads, path: RouteArrays, first: int, last: int) -> None:
    """Reverse the inner positions from first to last."""
    _reverse_positions(path.route, path.position, first, last)
    if not roads.symmetric:
        _turn_skew(roads.durations, path.route, path.skew, first, last)
    path.state[MOVES] += 1 + (last - first) // 8


@compiled
def _reverse_positions(route: Int32, position: Int32, first: int, last: int) -> None:
    """Reverse a part of the route."""
    while first < last:
        left, right = route[first], route[last]
        route[first] = right
        position[right] = first
        route[last] = left
        position[left] = last
        first += 1
        last -= 1


@compiled
def _turn_skew(durations: Int32, route: Int32, skew: Int64, first: int, last: int) -> None:
    """Turn the prefix sums of a part that was reversed, and shift those behind it."""
    before, here = route[first - 1], route[first]
    shift = skew[first - 1] + durations[before, here] - durations[here, before] - skew[last]
    low, high = first, last
    while low < high:
        left = skew[low]
        skew[low] = skew[high] + shift
        skew[high] = left + shift
        low += 1
        high -= 1
    if low == high:
        skew[low] += shift
    here, behind = route[last], route[last + 1]
    shift = skew[last] + durations[here, behind] - durations[behind, here] - skew[last + 1]
    if shift != 0:
        for spot in range(last + 1, len(skew)):
            skew[spot] += shift


@inlined
def turn_positions(roads: Roads, path: RouteArrays, first: int, last: int) -> None:
    """Reverse the positions from first to last, if there are two, and write the journal."""
    if first >= last:
        return
    turn(roads, path, first, last)
    entry = path.state[JOURNAL]
    path.journal[entry, 0] = first
    path.journal[entry, 1] = last
    path.state[JOURNAL] = entry + 1


@inlined
def turn_between(roads: Roads, path: RouteArrays, outside: int, one: int, other: int) -> None:
    """Reverse the part from one node to the other that does not hold the node outside.

    Round the cycle through end and start, that is; where that part holds the two ends, its
    complement is reversed, which gives the same cycle.
    """
    first, last, spot = path.position[one], path.position[other], path.position[outside]
    holds = first <= spot <= last if first <= last else spot >= first or spot <= last
    if holds:
        first, last = last, first
    if first > last:
        first, last = last + 1, first - 1
    turn_positions(roads, path, first, last)


@compiled
def turn_back(roads: Roads, path: RouteArrays, entry: int) -> None:
    """Undo everything in the journal from an entry on."""
    for done in range(path.state[JOURNAL] - 1, entry - 1, -1):
        turn(roads, path, path.journal[done, 0], path.journal[done, 1])
    path.state[JOURNAL] = entry


@inlined
def next_on_cycle(path: RouteArrays, node: int, backwards: bool) -> int:  # noqa: FBT001 -- a kernel
    """Return the next node round the cycle of the route, in which the end leads to the start."""
    spot = path.position[node]
    last = len(path.route) - 1
    if backwards:
        return int(path.route[spot - 1 if spot > 0 else last])
    return int(path.route[spot + 1 if spot < last else 0])


@inlined
def is_closing(path: RouteArrays, one: int, other: int) -> bool:
    """Whether this is the leg from end to start, which is none and always stays."""
    return bool(one + other == len(path.route) - 1 and (one == 0 or other == 0))
