"""Putting stops back into an order where they may go: what a search that moves few stops stands on.

Stops that count as moved are marked; the others stand in the order that they had before, so that
the marks are never fewer than the stops whose moving explains the change. A stop without a mark may
go back between its former neighbours for nothing, and elsewhere for a mark while there are any
left; appended stops need none. Locked stops are never taken out: they divide the route into
sections, and what is put back goes only where a section has room, so that every lock has its index
again when all are back.
"""

from typing import NamedTuple

import numpy as np

from roundsman.planning.bookkeeping import MOVES
from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.matrix import NEVER, Int64, Network
from roundsman.planning.moves import lateness_behind
from roundsman.planning.tour import (
    LATE,
    SOFT,
    Tour,
    begin,
    count_inversions,
    first_part,
    lateness_at,
    new_tour,
    renew_times,
)

NOWHERE = -1
HOPELESS = 2**60
SCAN = 4  # gaps that are looked at in the time of one move

(
    MOST, TAKEN, SECTIONS, USED, KEPT_USED, KEPT_LATE, KEPT_SOFT, BEST_USED, BEST_LATE, BEST_SOFT
) = range(10)  # fmt: skip


class Reordering(NamedTuple):
    """What may move, and the orders found; arrays by node unless said otherwise."""

    home: Int64
    """The place in the order before, from 1; 0 for appended stops and the ends."""
    locked: Int64
    is_movable: Int64
    movable: Int64
    """The nodes that may be taken out."""
    marks: Int64
    kept_marks: Int64
    position: Int64
    is_taken: Int64
    taken: Int64
    """The nodes that are out, by turn."""
    room: Int64
    """How many more stops each section between locked ones holds when it is full."""
    kept: Int64
    """The order that is being improved, by position."""
    best: Int64
    best_marks: Int64
    state: Int64


def new_reordering(
    network: Network, route: Int64, home: Int64, locked: Int64, most: int
) -> tuple[Tour, Reordering]:
    """Lay out a search that begins with a route and may mark so many stops."""
    size = len(network.service)
    inner = np.arange(size)
    inner = inner[(inner > 0) & (inner < size - 1) & (locked == 0)]
    if not most:
        inner = inner[home[inner] == 0]
    is_movable = np.zeros(size, dtype=np.int64)
    is_movable[inner] = 1
    state = np.zeros(10, dtype=np.int64)
    state[MOST], state[SECTIONS] = most, int(locked.sum()) + 1

    def row() -> Int64:
        return np.zeros(size, dtype=np.int64)

    order = Reordering(
        home, locked, is_movable, inner, row(), row(), row(), row(), row(), row(),
        route.copy(), route.copy(), row(), state,
    )  # fmt: skip
    tour = new_tour(route, 0)
    tour.leave[0] = tour.arrive[0] = network.leave
    return tour, order


@compiled
def begin_with(network: Network, tour: Tour, order: Reordering, used: int) -> None:
    """Take the route of the tour, whose marks are set, for the order that is kept and the best."""
    size = len(tour.route)
    order.state[USED] = used
    tour.state[LATE] = 0
    if network.timed:
        tour.arrive[1:] = NEVER
        renew_times(network, tour, 0, size - 1)
    _price(network, tour)
    order.state[BEST_LATE] = order.state[BEST_SOFT] = HOPELESS
    keep(tour, order)


@compiled
def put_back(network: Network, tour: Tour, order: Reordering) -> bool:
    """Make the tour the kept order with what is taken put back; say whether there is a way."""
    size = _close_up(network, tour, order)
    taken = order.state[TAKEN]
    tour.state[MOVES] += (1 + taken) * (2 + size // SCAN)
    for turn in range(taken):
        node = order.taken[turn]
        gap = _best_gap(network, first_part(tour, size), order, node)
        if gap == NOWHERE:
            return False
        size += 1
        grown = first_part(tour, size)
        for spot in range(size - 1, gap + 1, -1):
            grown.route[spot] = grown.route[spot - 1]
        grown.route[gap + 1] = node
        if network.timed:
            grown.arrive[gap + 1 :] = NEVER
            renew_times(network, grown, gap, size - 1)
    _price(network, tour)
    return True


@inlined
def _close_up(network: Network, tour: Tour, order: Reordering) -> int:
    """Leave out what is taken; return how many places the rest has."""
    order.state[USED] = order.state[KEPT_USED]
    size, section = 0, 0
    order.room[: order.state[SECTIONS]] = 0
    for spot in range(len(order.kept)):
        node = order.kept[spot]
        order.marks[node] = order.kept_marks[node]
        if order.is_taken[node]:
            order.room[section] += 1
            order.state[USED] -= order.marks[node]
            order.marks[node] = 0
            continue
        section += order.locked[node]
        tour.route[size] = node
        size += 1
    tour.state[LATE] = 0
    if network.timed:
        part = first_part(tour, size)
        part.arrive[1:] = NEVER
        renew_times(network, part, 0, size - 1)
    return size


@compiled
def _best_gap(network: Network, tour: Tour, order: Reordering, node: int) -> int:
    """Return after which place the node costs least of where it may go; mark it there if need be.

    Cost is lateness, then inversions and travel; of equal ones a place between its former
    neighbours is taken.
    """
    durations, route = network.durations, tour.route
    first, last = _former_gaps(tour, order, node)
    disorder = _disorder_at_end(network, tour, node)
    section, chosen_section = order.state[SECTIONS] - 1, 0
    chosen, least_late, least, is_former = NOWHERE, HOPELESS, HOPELESS, False
    for gap in range(len(route) - 2, -1, -1):
        left, right = route[gap], route[gap + 1]
        between = first <= gap <= last
        if order.room[section] > 0 and (between or order.state[USED] < order.state[MOST]):
            cost = int(durations[left, node]) + durations[node, right] - durations[left, right]
            cost += disorder * network.price
            is_less = cost < least or (cost == least and between and not is_former)
            if is_less or least_late > tour.state[LATE]:
                late = _late_in_gap(network, tour, gap, node, least_late)
                if late < least_late or (late == least_late and is_less):
                    chosen, least_late, least = gap, late, cost
                    is_former, chosen_section = between, section
        if gap and network.rank[left] != network.rank[node]:
            disorder += 1 if network.rank[left] > network.rank[node] else -1
        section -= order.locked[left]
    if chosen != NOWHERE:
        order.room[chosen_section] -= 1
        if not is_former:
            order.marks[node] = 1
            order.state[USED] += 1
    return chosen


@inlined
def _former_gaps(tour: Tour, order: Reordering, node: int) -> tuple[int, int]:
    """Return the first and last gap between those that stood before and behind the node."""
    first, last = 0, len(tour.route) - 2
    home = order.home[node]
    if home:
        for spot in range(1, len(tour.route) - 1):
            other = tour.route[spot]
            if order.home[other] and not order.marks[other]:
                if order.home[other] > home:
                    last = spot - 1
                    break
                first = spot
    return first, last


@inlined
def _disorder_at_end(network: Network, tour: Tour, node: int) -> int:
    """Return with how many visits the node is out of priority order behind all of them."""
    disorder = 0
    if network.classes > 1:
        for spot in range(1, len(tour.route) - 1):
            disorder += network.rank[tour.route[spot]] < network.rank[node]
    return disorder


@inlined
def _late_in_gap(network: Network, tour: Tour, gap: int, node: int, cutoff: int) -> int:
    """Return the whole lateness with the node in this gap, or anything above the cutoff."""
    if not network.timed:
        return 0
    arrival = tour.leave[gap] + network.durations[tour.route[gap], node]
    late = tour.late[gap] + lateness_at(network, node, arrival)
    if late > cutoff:
        return int(late)
    clock = begin(network, node, arrival) + network.service[node]
    return lateness_behind(network, tour, gap + 1, node, clock, late, cutoff)


@inlined
def _price(network: Network, tour: Tour) -> None:
    durations, route = network.durations, tour.route
    soft = 0
    for spot in range(1, len(route)):
        soft += durations[route[spot - 1], route[spot]]
    if network.classes > 1:
        soft += network.price * count_inversions(network, tour)
    tour.state[SOFT] = soft


@compiled
def keep_if_better(tour: Tour, order: Reordering, late_allowance: int, allowance: int) -> None:
    """Keep the tour when it is no worse, or not worse by more than is allowed."""
    late, kept_late = tour.state[LATE], order.state[KEPT_LATE]
    is_as_good = tour.state[SOFT] <= order.state[KEPT_SOFT] + allowance
    if (
        late < kept_late
        or (late == kept_late and is_as_good)
        or (0 < kept_late < late <= kept_late + late_allowance)
    ):
        keep(tour, order)


@compiled
def keep(tour: Tour, order: Reordering) -> None:
    """Keep the tour and its marks, also as the best when it is that."""
    state = order.state
    late, soft = tour.state[LATE], tour.state[SOFT]
    state[KEPT_LATE], state[KEPT_SOFT], state[KEPT_USED] = late, soft, state[USED]
    is_best = late < state[BEST_LATE] or (late == state[BEST_LATE] and soft < state[BEST_SOFT])
    if is_best:
        state[BEST_LATE], state[BEST_SOFT], state[BEST_USED] = late, soft, state[USED]
    for spot in range(len(tour.route)):
        node = tour.route[spot]
        order.kept[spot] = node
        order.position[node] = spot
        order.kept_marks[node] = order.marks[node]
        if is_best:
            order.best[spot] = node
            order.best_marks[node] = order.marks[node]


@inlined
def take_nothing(order: Reordering) -> None:
    for turn in range(order.state[TAKEN]):
        order.is_taken[order.taken[turn]] = 0
    order.state[TAKEN] = 0


@inlined
def take_out(order: Reordering, node: int) -> None:
    order.is_taken[node] = 1
    order.taken[order.state[TAKEN]] = node
    order.state[TAKEN] += 1


@inlined
def take_only(order: Reordering, node: int) -> None:
    take_nothing(order)
    take_out(order, node)
