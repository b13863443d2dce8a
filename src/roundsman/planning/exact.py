"""Short routes to proven optimality: dynamic programming over sets of visits (Held & Karp 1962).

With windows a partial route is not better for being cheaper when it is later, so each set and
last visit keeps all labels of which none is both earlier and cheaper than another (Dumas et al.
1995). Cheaper is lexicographic: lateness so far, then inversions and travel. That comparison is
sound: for the same continuation the earlier label is never later, and what it saves in lateness
outweighs all else. Labels that cannot beat a known order are dropped.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.matrix import Int64, Network
from roundsman.planning.tour import begin, lateness_at

MOST_VISITS = 12
MOST_LABELS = 400_000
NOTHING = -1
RUNNING, PROVEN, OVERFULL = range(3)
NEXT_SET, USED, STATUS, BEST_LATE, BEST_SOFT, BEST_LABEL = range(6)


class Labels(NamedTuple):
    """A pool of labels, chained by set and last visit."""

    heads: NDArray[np.int32]
    """First label of each set (row) and last visit (column)."""
    chain: NDArray[np.int32]
    parent: NDArray[np.int32]
    node: NDArray[np.int32]
    clock: Int64
    late: Int64
    soft: Int64
    cheapest: Int64
    """For each node, the cheapest leg to it: a bound on what is still to be driven."""
    state: Int64


def new_labels(network: Network, late: int, soft: int) -> Labels:
    """Make an empty pool that looks for an order better than a known cost."""
    visits = len(network.service) - 2
    links = np.zeros((3, MOST_LABELS), dtype=np.int32)
    costs = np.zeros((3, MOST_LABELS), dtype=np.int64)
    durations = network.durations.astype(np.int64)
    np.fill_diagonal(durations, 2**40)
    return Labels(
        heads=np.full((1 << visits, visits + 1), NOTHING, dtype=np.int32),
        chain=links[0],
        parent=links[1],
        node=links[2],
        clock=costs[0],
        late=costs[1],
        soft=costs[2],
        cheapest=durations[:-1].min(axis=0),
        state=np.array([0, 0, RUNNING, late, soft, NOTHING], dtype=np.int64),
    )


def trace(labels: Labels, network: Network) -> Int64 | None:
    """Return the best path found, or none when nothing beat the known cost."""
    label = int(labels.state[BEST_LABEL])
    if label == NOTHING:
        return None
    nodes = [len(network.service) - 1]
    while label != NOTHING:
        nodes.append(int(labels.node[label]))
        label = int(labels.parent[label])
    return np.array([0, *reversed(nodes)], dtype=np.int64)


@compiled
def extend_labels(network: Network, labels: Labels, steps: int) -> None:
    """Work through sets in rising order until so many extensions are made or all are done."""
    state = labels.state
    visits = len(network.service) - 2
    everything = (1 << visits) - 1
    while steps > 0 and state[STATUS] == RUNNING:
        members = state[NEXT_SET]
        if members == 0:
            _extend_to_all(network, labels, NOTHING, 0)
        for last in range(1, visits + 1):
            label = labels.heads[members, last]
            while label != NOTHING:
                if members == everything:
                    _finish(network, labels, label)
                else:
                    _extend_to_all(network, labels, label, members)
                steps -= visits
                label = labels.chain[label]
        state[NEXT_SET] += 1
        if state[NEXT_SET] > everything and state[STATUS] == RUNNING:
            state[STATUS] = PROVEN


@inlined
def _extend_to_all(network: Network, labels: Labels, label: int, members: int) -> None:
    """Go on to every visit that is still missing."""
    for node in range(1, len(network.service) - 1):
        if not members >> (node - 1) & 1:
            _extend(network, labels, label, members, node)


@inlined
def _extend(network: Network, labels: Labels, label: int, members: int, node: int) -> None:
    """Go on to one more visit and keep the new label if nothing known is as good."""
    here, clock, late, soft = 0, network.leave, 0, 0
    if label != NOTHING:
        here, clock = labels.node[label], labels.clock[label]
        late, soft = labels.late[label], labels.soft[label]
    travel = network.durations[here, node]
    arrival = clock + travel
    late += lateness_at(network, node, arrival)
    soft += travel
    grown = members | 1 << (node - 1)
    bound = labels.cheapest[len(network.service) - 1]
    for other in range(1, len(network.service) - 1):
        if members >> (other - 1) & 1:
            soft += network.price * (network.rank[other] < network.rank[node])
        elif other != node:
            bound += labels.cheapest[other]
    if late > labels.state[BEST_LATE] or (
        late == labels.state[BEST_LATE] and soft + bound >= labels.state[BEST_SOFT]
    ):
        return
    clock = begin(network, node, arrival) + network.service[node]
    _store(labels, grown, node, label, clock, late, soft)


@compiled
def _store(  # noqa: PLR0913 -- a label's parts
    labels: Labels, members: int, node: int, parent: int, clock: int, late: int, soft: int
) -> None:
    """Add a label unless one dominates it; unchain those it dominates."""
    before, other = NOTHING, labels.heads[members, node]
    while other != NOTHING:
        follower = labels.chain[other]
        other_late, other_soft, other_clock = (
            labels.late[other],
            labels.soft[other],
            labels.clock[other],
        )
        if other_clock <= clock and (
            other_late < late or (other_late == late and other_soft <= soft)
        ):
            return
        if clock <= other_clock and (
            late < other_late or (late == other_late and soft <= other_soft)
        ):
            if before == NOTHING:
                labels.heads[members, node] = follower
            else:
                labels.chain[before] = follower
        else:
            before = other
        other = follower
    added = labels.state[USED]
    if added == MOST_LABELS:
        labels.state[STATUS] = OVERFULL
        return
    labels.state[USED] += 1
    labels.node[added], labels.parent[added] = node, parent
    labels.clock[added], labels.late[added], labels.soft[added] = clock, late, soft
    labels.chain[added] = labels.heads[members, node]
    labels.heads[members, node] = added


@inlined
def _finish(network: Network, labels: Labels, label: int) -> None:
    """Drive a whole route to its end and remember it if it is the best."""
    end = len(network.service) - 1
    travel = network.durations[labels.node[label], end]
    late = labels.late[label] + lateness_at(network, end, labels.clock[label] + travel)
    soft = labels.soft[label] + travel
    state = labels.state
    if late < state[BEST_LATE] or (late == state[BEST_LATE] and soft < state[BEST_SOFT]):
        state[BEST_LATE], state[BEST_SOFT], state[BEST_LABEL] = late, soft, label
