"""How much shorter could any order be? A bound from below on the travel of every order in time.

A route is a spanning tree in which each visit is reached once and left once. The bound takes the
cheapest spanning tree, of which that is not asked, and puts prices on reaching and on leaving each
visit until the tree is nearly a route (Held & Karp 1970, 1971). Visits keep one price for either
direction, as if each were two nodes joined by a leg that is always taken (Jonker & Volgenant
1983), so one-way roads count as they are. Prices follow the subgradient with a step that shrinks
as the bound nears the travel known (Polyak 1969). All is whole numbers: equal input, equal bound.

Windows and priorities only tell which legs no order in time can hold; what they force beyond that
the bound does not see, so with many windows it stays well below.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.matrix import FAR, Int64, Network
from roundsman.planning.tour import begin

SCALE = 256  # prices are fractions of a second
FIRST_STEP = 2.0
LEAST_STEP = 0.004
MOST_IDLE_ROUNDS = 12  # rounds without a better bound before steps are halved


class Prices(NamedTuple):
    """What a round reads and renews; `leave` and `reach` are by node."""

    legs: Int64
    """Scaled travel, FAR where no order in time can go."""
    back: Int64
    """The same the other way round, so that both are read along rows."""
    leave: Int64
    reach: Int64
    left: Int64
    """How often the tree leaves each node, and below how often it reaches it."""
    reached: Int64
    last_left: Int64
    last_reached: Int64
    nearest: Int64
    joined_by: Int64
    """The node of the tree nearest to each node; negative when the leg goes towards the tree."""
    outside: Int64


def bound_travel(network: Network, travel: int, cells: int) -> int:
    """Return a bound for orders without lateness or inversions, given the travel of one of them.

    Work is limited to so many cells of the matrix, roughly a nanosecond or two each.
    """
    size = len(network.service)
    legs = network.durations.astype(np.int64)
    forbid_legs(network, legs)
    legs *= SCALE
    rows: list[NDArray[np.int64]] = [np.zeros(size, dtype=np.int64) for _ in range(9)]
    prices = Prices(legs, np.ascontiguousarray(legs.T), *rows)
    prices.reach[1:] = -legs[:-1, 1:].min(axis=0) // 2
    prices.leave[:-1] = -legs[:-1, 1:].min(axis=1) // 2
    best = 0
    step, waited, rounds = FIRST_STEP, 0, max(1, cells // size**2)
    for _ in range(rounds):
        value = grow_tree(prices)
        if value > best:
            best, waited = value, 0
        waited += 1
        if waited > MOST_IDLE_ROUNDS:
            step, waited = step / 2, 0
        if step < LEAST_STEP or best > (travel - 1) * SCALE:
            break
        if not change_prices(prices, travel * SCALE - value, step):
            break
    return min(travel, -(-best // SCALE))


@compiled
def forbid_legs(network: Network, legs: Int64) -> None:
    """Price out what no order without lateness or inversions can drive."""
    size = len(legs)
    for node in range(size):
        arrival = network.leave
        if node:
            cheapest = legs[0, node]
            for other in range(size - 1):
                if other != node:
                    cheapest = min(cheapest, legs[other, node])
            arrival += min(cheapest, FAR)
        done = begin(network, node, arrival) + network.service[node] if node else arrival
        for other in range(size):
            inner = 0 < node < size - 1 and 0 < other < size - 1
            closes = network.last_close[other]
            if other == size - 1:
                closes = min(closes, network.deadline)
            if (
                node in (other, size - 1)
                or other == 0
                or (network.timed and done + network.durations[node, other] > closes)
                or (inner and network.rank[node] < network.rank[other])
            ):
                legs[node, other] = FAR
    legs[0, size - 1] = FAR if size > 2 else legs[0, size - 1]


@compiled
def grow_tree(prices: Prices) -> int:
    """Grow the cheapest tree from the start (Prim 1957); return the bound that it gives."""
    size = len(prices.legs)
    prices.left[:] = 0
    prices.reached[:] = 0
    prices.outside[:] = 1
    prices.nearest[:] = 2**60
    total, node = 0, 0
    for joined in range(size):
        prices.outside[node] = 0
        if joined:
            total += prices.nearest[node]
            other = prices.joined_by[node]
            prices.left[other if other >= 0 else node] += 1
            prices.reached[node if other >= 0 else -1 - other] += 1
        node = _look_from(prices, node)
    for other in range(size):
        total -= (prices.leave[other] if other < size - 1 else 0) + prices.reach[other]
    return int(total + prices.reach[0])


@inlined
def _look_from(prices: Prices, node: int) -> int:
    """Renew the way from the tree to each node outside; return the nearest."""
    leave, reach = prices.leave[node], prices.reach[node]
    least, chosen = 2**61, 0
    for other in range(len(prices.legs)):
        if prices.outside[other] == 0:
            continue
        there = prices.legs[node, other] + leave + prices.reach[other]
        back = prices.back[node, other] + reach + prices.leave[other]
        if min(there, back) < prices.nearest[other]:
            prices.nearest[other] = min(there, back)
            prices.joined_by[other] = node if there <= back else -1 - node
        if prices.nearest[other] < least:
            least, chosen = prices.nearest[other], other
    return chosen


@compiled
def change_prices(prices: Prices, missing: int, step: float) -> bool:
    """Make dearer what the tree uses too often; say whether there is anything to change."""
    size = len(prices.legs)
    norm = 0
    for node in range(size):
        if node < size - 1:
            norm += (prices.left[node] - 1) ** 2
        if node:
            norm += (prices.reached[node] - 1) ** 2
    if norm == 0:
        return False
    length = step * max(missing, SCALE) / norm
    for node in range(size):
        if node < size - 1:
            now = prices.left[node] - 1
            prices.leave[node] += int(length * (0.7 * now + 0.3 * prices.last_left[node]))
            prices.last_left[node] = now
        if node:
            now = prices.reached[node] - 1
            prices.reach[node] += int(length * (0.7 * now + 0.3 * prices.last_reached[node]))
            prices.last_reached[node] = now
    return True
