"""The route under search as arrays, and what must be renewed when a part of it changes.

A piece of the route that is driven backwards costs what the prefix sums in `skew` say, so that
reversals are priced at once even where the roads are one-way. For windows the tour keeps when
each visit is reached and left, the lateness so far, and the latest arrival from which the rest of
the route still meets every window (Savelsbergh 1992).
"""

from typing import NamedTuple

import numpy as np

from roundsman.planning.bookkeeping import OWN, new_state
from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.matrix import NEVER, Int64, Network

LATE, SOFT, LOW, HIGH = range(OWN, OWN + 4)


class Tour(NamedTuple):
    """Arrays by position along the route, save `position` and `queued`, which are by node."""

    route: Int64
    position: Int64
    skew: Int64
    """Up to each position, how much dearer the route is backwards than forwards."""
    busy: Int64
    """Up to each position, travel and service, as if nobody ever waited."""
    arrive: Int64
    leave: Int64
    late: Int64
    """Lateness up to and with this position."""
    latest: Int64
    scratch: Int64
    queue: Int64
    queued: Int64
    state: Int64
    """Current lateness and soft cost, counters, the random state: see the names above."""
    best: Int64
    """The move found so far: lateness saved, cost saved, and the pieces."""
    histogram: Int64
    move: Int64
    """The move being priced."""


def new_tour(route: Int64, seed: int) -> Tour:
    """Lay out the arrays for a route; `renew` fills them."""
    size = len(route)

    def row() -> Int64:
        return np.zeros(size, dtype=np.int64)

    state = new_state(seed)
    state[LOW] = size
    best = np.zeros(10, dtype=np.int64)
    return Tour(
        route.copy(),
        row(),
        row(),
        row(),
        row(),
        row(),
        row(),
        row(),
        row(),
        row(),
        row(),
        state,
        best,
        row(),
        best.copy(),
    )


@compiled
def first_part(tour: Tour, size: int) -> Tour:
    """Return a view of the first positions of a tour."""
    return Tour(
        tour.route[:size],
        tour.position,
        tour.skew,
        tour.busy,
        tour.arrive[:size],
        tour.leave[:size],
        tour.late[:size],
        tour.latest[:size],
        tour.scratch,
        tour.queue,
        tour.queued,
        tour.state,
        tour.best,
        tour.histogram,
        tour.move,
    )


@compiled
def renew(network: Network, tour: Tour) -> None:
    """Compute everything that follows from the route."""
    size = len(tour.route)
    durations, route = network.durations, tour.route
    travel = 0
    for spot in range(size):
        tour.position[route[spot]] = spot
        if spot:
            travel += durations[route[spot - 1], route[spot]]
    renew_skew(network, tour, 0, size - 1)
    tour.state[LATE] = 0
    tour.state[SOFT] = travel
    if network.timed:
        tour.leave[0] = network.leave
        tour.arrive[0] = network.leave
        tour.late[0] = 0
        tour.arrive[1:] = NEVER
        tour.latest[:] = NEVER
        renew_busy(network, tour, 0, size - 1)
        renew_times(network, tour, 0, size - 1)
        if network.classes > 1:
            tour.state[SOFT] += network.price * count_inversions(network, tour)


@compiled
def count_inversions(network: Network, tour: Tour) -> int:
    """Count the pairs of which the later visit has the higher rank."""
    seen = tour.histogram
    seen[:] = 0
    found = 0
    for spot in range(1, len(tour.route) - 1):
        rank = network.rank[tour.route[spot]]
        for lower in range(rank):
            found += seen[lower]
        seen[rank] += 1
    return found


@inlined
def renew_skew(network: Network, tour: Tour, low: int, high: int) -> None:
    """Renew the backward prices between two positions, and shift those behind them."""
    if network.symmetric:
        return
    durations, route, skew = network.durations, tour.route, tour.skew
    before = skew[high]
    total = skew[low]
    for spot in range(low + 1, high + 1):
        here, there = route[spot - 1], route[spot]
        total += durations[there, here] - durations[here, there]
        skew[spot] = total
    shift = total - before
    if shift:
        for spot in range(high + 1, len(route)):
            skew[spot] += shift


@inlined
def renew_busy(network: Network, tour: Tour, low: int, high: int) -> None:
    """Renew what lies between two positions without waiting, and shift what lies behind them."""
    durations, route, busy = network.durations, tour.route, tour.busy
    before = busy[high]
    total = busy[low]
    for spot in range(low + 1, high + 1):
        here = route[spot - 1]
        total += durations[here, route[spot]] + network.service[here]
        busy[spot] = total
    shift = total - before
    if shift:
        for spot in range(high + 1, len(route)):
            busy[spot] += shift


@inlined
def begin(network: Network, node: int, arrival: int) -> int:
    """Return when service starts for an arrival: now, or when the next window opens."""
    if arrival >= network.last_open[node]:
        return arrival
    for window in range(network.first_window[node], network.first_window[node + 1]):
        if arrival <= network.closes[window]:
            return int(max(arrival, network.opens[window]))
    return arrival


@inlined
def lateness_at(network: Network, node: int, arrival: int) -> int:
    """Return how late an arrival is; at the route's end the longest duration counts as well."""
    late = max(0, arrival - network.last_close[node])
    if node == len(network.service) - 1:
        late += max(0, arrival - network.deadline)
    return int(late)


@compiled
def renew_times(network: Network, tour: Tour, low: int, high: int) -> None:
    """Renew the schedule from `low` on, until it meets the old one behind `high`, and backwards."""
    durations, route = network.durations, tour.route
    last = len(route) - 1
    for spot in range(low + 1, last + 1):
        node = route[spot]
        arrival = tour.leave[spot - 1] + durations[route[spot - 1], node]
        late = tour.late[spot - 1] + lateness_at(network, node, arrival)
        if spot > high + 1 and arrival == tour.arrive[spot] and late == tour.late[spot]:
            break
        tour.arrive[spot] = arrival
        tour.late[spot] = late
        tour.leave[spot] = begin(network, node, arrival) + network.service[node]
    tour.state[LATE] = tour.late[last]
    tour.latest[last] = min(network.last_close[route[last]], network.deadline)
    for spot in range(min(high, last - 1), 0, -1):
        node = route[spot]
        bound = tour.latest[spot + 1] - durations[node, route[spot + 1]] - network.service[node]
        latest = _latest_arrival(network, node, bound)
        if spot < low and latest == tour.latest[spot]:
            break
        tour.latest[spot] = latest


@inlined
def _latest_arrival(network: Network, node: int, bound: int) -> int:
    """Return the latest arrival that lets service start in a window and by `bound`."""
    for window in range(network.first_window[node + 1] - 1, network.first_window[node] - 1, -1):
        if network.opens[window] <= bound:
            return int(min(bound, network.closes[window]))
    return NEVER


@compiled
def copy_tour(source: Tour, target: Tour, low: int, high: int, timed: bool) -> None:  # noqa: FBT001 -- a kernel
    """Make the target equal to the source, whose route differs between two positions only."""
    for spot in range(low, high + 1):
        node = source.route[spot]
        target.route[spot] = node
        target.position[node] = spot
    copy_row(source.skew, target.skew, low)
    if timed:
        copy_row(source.busy, target.busy, low)
        copy_row(source.arrive, target.arrive, low)
        copy_row(source.leave, target.leave, low)
        copy_row(source.late, target.late, low)
        copy_row(source.latest, target.latest, 0)
    target.state[LATE] = source.state[LATE]
    target.state[SOFT] = source.state[SOFT]


@inlined
def copy_row(source: Int64, target: Int64, low: int) -> None:
    """Copy an array from a position on; slices would allocate."""
    for spot in range(low, len(source)):
        target[spot] = source[spot]
