"""A search that moves few stops: it takes some out of the order and puts each back where it may go.

Ruin and recreate (Schrimpf et al. 2000), with short strings of neighbours taken out (Christiaens &
Vanden Berghe 2020). The trick is that the budget holds in every step (`limited_insertion`), so that
nothing is found that would have to be cut down afterwards. Where the budget is used up, stops that
have moved are taken out as well, and what they leave free may be spent on others.
"""

import numpy as np

from roundsman.planning.bookkeeping import MOVES, draw
from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.limited_insertion import (
    BEST_LATE,
    BEST_SOFT,
    HOPELESS,
    KEPT_LATE,
    KEPT_SOFT,
    KEPT_USED,
    MOST,
    NOWHERE,
    TAKEN,
    Reordering,
    keep,
    keep_if_better,
    put_back,
    take_nothing,
    take_only,
    take_out,
)
from roundsman.planning.matrix import Network
from roundsman.planning.tour import LATE, SOFT, Tour

LONGEST_STRING = 8


@compiled
def improve_singly(network: Network, tour: Tour, order: Reordering) -> bool:
    """Move the one stop that helps most; say whether any does."""
    late, soft = order.state[KEPT_LATE], order.state[KEPT_SOFT]
    chosen = NOWHERE
    for number in range(len(order.movable)):
        take_only(order, order.movable[number])
        if put_back(network, tour, order) and (
            tour.state[LATE] < late or (tour.state[LATE] == late and tour.state[SOFT] < soft)
        ):
            late, soft = tour.state[LATE], tour.state[SOFT]
            chosen = order.movable[number]
    if chosen == NOWHERE:
        return False
    take_only(order, chosen)
    put_back(network, tour, order)
    keep(tour, order)
    return True


@compiled
def put_appended_back(network: Network, tour: Tour, order: Reordering) -> None:
    """Take all appended stops out, and put each back where it costs least."""
    take_nothing(order)
    for number in range(len(order.movable)):
        if order.home[order.movable[number]] == 0:
            take_out(order, order.movable[number])
    if put_back(network, tour, order):
        keep_if_better(tour, order, 0, 0)


@compiled
def give_marks_back(network: Network, tour: Tour, order: Reordering, tries: int) -> bool:
    """Put marked stops back between their former neighbours until no more are marked than may be.

    Of a few that are drawn each time, that one goes which costs least.
    """
    while order.state[KEPT_USED] > order.state[MOST]:
        late, soft, chosen = HOPELESS, HOPELESS, NOWHERE
        for _ in range(tries):
            node = _draw_marked(tour, order)
            if node == NOWHERE:
                return False
            take_only(order, node)
            if put_back(network, tour, order) and (
                tour.state[LATE] < late or (tour.state[LATE] == late and tour.state[SOFT] < soft)
            ):
                late, soft, chosen = tour.state[LATE], tour.state[SOFT], node
        if chosen == NOWHERE:
            return False
        take_only(order, chosen)
        put_back(network, tour, order)
        order.state[BEST_LATE] = order.state[BEST_SOFT] = HOPELESS  # what was best is not allowed
        keep(tour, order)
    return True


@compiled
def search_few_moves(
    network: Network, tour: Tour, order: Reordering, until: int, heat: float, late_heat: float
) -> None:
    """Take out and put back until so many moves have been looked at since the beginning.

    What is a little worse is accepted now and then; a route that is late may get later for it.
    """
    while tour.state[MOVES] < until:
        _choose(network, tour, order)
        _shuffle(tour, order)
        if put_back(network, tour, order):
            chance = (draw(tour, 2**30) + 1) / 2**30
            warmer = -np.log(chance)
            keep_if_better(tour, order, int(warmer * late_heat), int(warmer * heat))


@compiled
def _choose(network: Network, tour: Tour, order: Reordering) -> None:
    """Choose one or two strings of neighbours, and moved stops where the budget is used up."""
    take_nothing(order)
    longest = min(LONGEST_STRING, len(order.movable))
    node = order.movable[draw(tour, len(order.movable))]
    _take_string(tour, order, node, 1 + draw(tour, longest))
    near = network.near_after[node, draw(tour, network.near_after.shape[1])]
    if order.is_movable[near] and draw(tour, 2):
        _take_string(tour, order, near, 1 + draw(tour, longest))
    if order.state[MOST] > 0:
        _take_marked(tour, order)


@inlined
def _take_marked(tour: Tour, order: Reordering) -> None:
    used = order.state[KEPT_USED]
    for turn in range(order.state[TAKEN]):
        used -= order.kept_marks[order.taken[turn]]
    wanted = 0
    if used >= order.state[MOST]:
        wanted = 1 + draw(tour, 3)
    for _ in range(wanted):
        node = _draw_marked(tour, order)
        if node != NOWHERE and not order.is_taken[node]:
            take_out(order, node)


@compiled
def _draw_marked(tour: Tour, order: Reordering) -> int:
    count = len(order.movable)
    if count == 0:
        return NOWHERE
    number = draw(tour, count)
    for _ in range(count):
        if order.kept_marks[order.movable[number]]:
            return int(order.movable[number])
        number = number + 1 if number + 1 < count else 0
    return NOWHERE


@compiled
def _take_string(tour: Tour, order: Reordering, node: int, length: int) -> None:
    """Take out so many neighbours around a node, as far as they may move."""
    first = max(1, order.position[node] - draw(tour, length))
    for spot in range(first, min(first + length, len(order.kept) - 1)):
        other = order.kept[spot]
        if order.is_movable[other] and not order.is_taken[other]:
            take_out(order, other)


@inlined
def _shuffle(tour: Tour, order: Reordering) -> None:
    for turn in range(order.state[TAKEN] - 1, 0, -1):
        other = draw(tour, turn + 1)
        held = order.taken[turn]
        order.taken[turn] = order.taken[other]
        order.taken[other] = held
