"""Short routes of which few stops may move, or some not at all: every allowed order is tried.

Depth first, in the manner of a branch and bound. The longest increasing subsequence of the places
that the stops had before (Schensted 1961) is carried along: what it leaves out of the stops so far
can only grow, so that an order that moves too many is given up as soon as it does.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roundsman.planning.compiled import compiled
from roundsman.planning.matrix import Int64, Network
from roundsman.planning.tour import begin, lateness_at

MOST_VISITS = 9

LATE, SOFT = range(2)


class Depths(NamedTuple):
    """What is known of the part of an order, one row a depth; row 0 is the start."""

    node: Int64
    clock: Int64
    late: Int64
    soft: Int64
    rest: Int64
    """The least travel to all visits that are not in yet."""
    placed: Int64
    """Of how many visits there is a place in the order before."""
    length: Int64
    """How many of them are in that order at most."""
    tails: NDArray[np.int64]
    """The least place on which an increasing subsequence of each length can end."""
    is_in: Int64
    best: Int64
    cheapest: Int64
    cost: Int64


def try_orders(
    network: Network, home: Int64, locked: Int64, most: int, route: Int64, cost: tuple[int, int]
) -> Int64:
    """Return the best route that is allowed; the given one, of known cost, where none is better.

    `home` is the place before of each node, from 1, or 0 for appended ones; locked nodes keep the
    place that they have in the given route.
    """
    size = len(network.service)
    fixed = np.where(locked[route] == 1, route, 0)
    durations = network.durations.astype(np.int64)
    np.fill_diagonal(durations, 2**40)
    cheapest = durations[:-1].min(axis=0)

    def row() -> Int64:
        return np.zeros(size, dtype=np.int64)

    depths = Depths(
        row(), row(), row(), row(), row(), row(), row(), np.zeros((size, size), dtype=np.int64),
        row(), route.copy(), cheapest, np.array(cost, dtype=np.int64),
    )  # fmt: skip
    depths.clock[0] = network.leave
    depths.rest[0] = cheapest[1:].sum()
    _try_all(network, depths, home, locked, fixed, most)
    return depths.best


@compiled
def _try_all(
    network: Network, depths: Depths, home: Int64, locked: Int64, fixed: Int64, most: int
) -> None:
    visits = len(network.service) - 2
    depth = 1
    while depth > 0:
        node = depths.node[depth] + 1
        while node <= visits and (
            depths.is_in[node]
            or (fixed[depth] and fixed[depth] != node)
            or (locked[node] and fixed[depth] != node)
        ):
            node += 1
        depths.node[depth] = node
        if node > visits:
            depth -= 1
            depths.is_in[depths.node[depth]] = 0
        elif _extend(network, depths, home, depth, most):
            if depth == visits:
                _finish(network, depths, visits)
            else:
                depths.is_in[node] = 1
                depth += 1
                depths.node[depth] = 0


@compiled
def _extend(network: Network, depths: Depths, home: Int64, depth: int, most: int) -> bool:
    """Put a node at a depth; say whether that may still become the best order."""
    node, before = depths.node[depth], depth - 1
    here = depths.node[before]
    travel = network.durations[here, node]
    arrival = depths.clock[before] + travel
    late = depths.late[before] + lateness_at(network, node, arrival)
    soft = depths.soft[before] + travel
    for other in range(1, len(network.service) - 1):
        if other != node and not depths.is_in[other]:
            soft += network.price * (network.rank[other] > network.rank[node])
    depths.rest[depth] = depths.rest[before] - depths.cheapest[node]
    if late > depths.cost[LATE] or (
        late == depths.cost[LATE] and soft + depths.rest[depth] >= depths.cost[SOFT]
    ):
        return False
    length, placed = depths.length[before], depths.placed[before]
    for spot in range(length):
        depths.tails[depth, spot] = depths.tails[before, spot]
    if home[node]:
        placed += 1
        spot = 0
        while spot < length and depths.tails[depth, spot] < home[node]:
            spot += 1
        depths.tails[depth, spot] = home[node]
        length = max(length, spot + 1)
    depths.length[depth], depths.placed[depth] = length, placed
    depths.late[depth], depths.soft[depth] = late, soft
    depths.clock[depth] = begin(network, node, arrival) + network.service[node]
    return bool(placed - length <= most)


@compiled
def _finish(network: Network, depths: Depths, visits: int) -> None:
    """Drive a whole order to its end, and remember it if it is the best."""
    end = visits + 1
    travel = network.durations[depths.node[visits], end]
    late = depths.late[visits] + lateness_at(network, end, depths.clock[visits] + travel)
    soft = depths.soft[visits] + travel
    if late < depths.cost[LATE] or (late == depths.cost[LATE] and soft < depths.cost[SOFT]):
        depths.cost[LATE], depths.cost[SOFT] = late, soft
        for depth in range(1, visits + 1):
            depths.best[depth] = depths.node[depth]
