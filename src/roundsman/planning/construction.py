"""A first order to improve on: visits inserted one by one where they cost least.

Visits with windows come first, by closing time, so that the tight skeleton stands before the
others fill it; the others in random order, which on the average is better than nearest first
(Rosenkrantz et al. 1977).
"""

import numpy as np

from roundsman.planning.bookkeeping import MOVES
from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.matrix import ALWAYS, Int64, Network
from roundsman.planning.moves import lateness_behind
from roundsman.planning.tour import LATE, Tour, begin, first_part, lateness_at, renew_times

HOPELESS = 2**60


def insertion_sequence(network: Network, seed: int) -> Int64:
    """Return the inner nodes in the order in which they are to be inserted."""
    inner = np.arange(1, len(network.service) - 1)
    shuffled = np.random.default_rng(seed).permutation(inner)
    return shuffled[np.argsort(network.last_close[shuffled], kind="stable")].astype(np.int64)


def open_tour(network: Network, tour: Tour) -> None:
    """Make the tour an empty path of start and end, ready for insertions."""
    tour.route[:2] = 0, len(network.service) - 1
    if network.timed:
        tour.leave[0] = tour.arrive[0] = network.leave
        tour.late[0] = 0
        renew_times(network, first_part(tour, 2), 0, 1)


@compiled
def insert_visits(network: Network, tour: Tour, sequence: Int64, done: int, until: int) -> int:
    """Insert visits from `done` on until so many gaps were looked at; return how many are in."""
    while done < len(sequence) and tour.state[MOVES] < until:
        size = done + 2
        part = first_part(tour, size)
        gap = best_gap(network, part, sequence[done])
        tour.state[MOVES] += size
        grown = first_part(tour, size + 1)
        for spot in range(size, gap + 1, -1):
            grown.route[spot] = grown.route[spot - 1]
        grown.route[gap + 1] = sequence[done]
        if network.timed:
            grown.arrive[gap + 1 :] = ALWAYS[0][0]
            renew_times(network, grown, gap, size)
        done += 1
    return done


@compiled
def best_gap(network: Network, tour: Tour, node: int) -> int:
    """Return the position after which the node costs least lateness, then inversions and travel."""
    durations, route = network.durations, tour.route
    disorder = 0
    for spot in range(1, len(route) - 1):
        disorder += network.rank[route[spot]] < network.rank[node]
    chosen, least_late, least = 0, HOPELESS, HOPELESS
    known_late = tour.state[LATE] if network.timed else HOPELESS
    for gap in range(len(route) - 2, -1, -1):  # visits come by closing time: the end fits best
        left, right = route[gap], route[gap + 1]
        added = durations[left, node] + durations[node, right] - durations[left, right]
        cost = int(added) + (disorder * network.price if network.timed else 0)
        if least_late <= known_late and cost >= least:
            if network.rank[left] != network.rank[node]:
                disorder += 1 if network.rank[left] > network.rank[node] else -1
            continue
        late = _late_in_gap(network, tour, gap, node, least_late) if network.timed else 0
        if late < least_late or (late == least_late and cost < least):
            chosen, least_late, least = gap, late, cost
        if network.rank[left] != network.rank[node]:
            disorder += 1 if network.rank[left] > network.rank[node] else -1
    return chosen


@inlined
def _late_in_gap(network: Network, tour: Tour, gap: int, node: int, cutoff: int) -> int:
    """Return the whole lateness with the node in this gap, or anything above the cutoff."""
    arrival = tour.leave[gap] + network.durations[tour.route[gap], node]
    late = tour.late[gap] + lateness_at(network, node, arrival)
    if late > cutoff:
        return int(late)
    clock = begin(network, node, arrival) + network.service[node]
    return lateness_behind(network, tour, gap + 1, node, clock, late, cutoff)
