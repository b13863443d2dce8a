"""Where improving moves come from: all that a node's near neighbours suggest.

A move is looked for from a node and a short new leg to or from it, so that only promising ones
are priced (Johnson & McGeoch 1997 on neighbour lists and the gain criterion). Four families:
swapping two adjacent pieces of any length, which is every 3-exchange without reversal (Or-3opt);
reversing a piece (2-opt); moving up to three visits elsewhere, turned round (Or-opt); and, where
there are windows, trading near visits that are driven at different times. A fifth repairs lateness
and inversions.
"""

from roundsman.planning.bookkeeping import MOVES, enqueue
from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.matrix import Int64, Network
from roundsman.planning.moves import (
    AT,
    FIRST_1,
    FIRST_2,
    FIRST_3,
    LAST_1,
    LAST_2,
    LAST_3,
    NO_PIECE,
    SAVED,
    SAVED_LATE,
    TO,
    consider,
    inversions_added,
    make_move,
)
from roundsman.planning.tour import LATE, SOFT, Tour

REPAIR_REACH = 40
LONGEST_SHIFT = 3
LONGEST_TRADE = 2
LOOK = 40  # moves that are refused by their gain, before anything else is known of them


@compiled
def improve_around(network: Network, tour: Tour, move: Int64, node: int) -> bool:
    """Make the best improving move found from this node; say whether there was one."""
    tour.best[:] = 0
    tour.state[MOVES] += LOOK
    _swaps(network, tour, move, node)
    _reversals(network, tour, move, node)
    _shifts(network, tour, move, node)
    if network.timed and network.classes == 1:
        _trades(network, tour, move, node)
    if tour.state[LATE] > 0 or (network.timed and tour.state[SOFT] >= network.price):
        _repairs(network, tour, move, node)
    if tour.best[SAVED_LATE] == 0 and tour.best[SAVED] <= 0:
        return False
    make_move(network, tour, tour.best)
    enqueue(tour, node)
    return True


@inlined
def set_swap(move: Int64, low: int, middle: int, high: int) -> None:
    """Describe the swap of the places after `low` up to `middle` with those up to `high`."""
    move[AT], move[TO] = low, high
    move[FIRST_1], move[LAST_1] = middle + 1, high
    move[FIRST_2], move[LAST_2] = low + 1, middle
    move[FIRST_3] = NO_PIECE


@compiled
def price_swap(network: Network, tour: Tour, move: Int64) -> None:
    """Fill in what a swap saves in soft cost, wherever it came from."""
    durations, route = network.durations, tour.route
    before, after = route[move[AT]], route[move[TO] + 1]
    first, middle = route[move[FIRST_2]], route[move[LAST_2]]
    start, last = route[move[FIRST_1]], route[move[LAST_1]]
    old = durations[before, first] + durations[middle, start] + durations[last, after]
    new = durations[before, start] + durations[last, first] + durations[middle, after]
    saved = int(old) - int(new)
    if network.timed and network.classes > 1:
        saved -= network.price * inversions_added(network, tour, move)
    move[SAVED] = saved


@inlined
def _swaps(network: Network, tour: Tour, move: Int64, node: int) -> None:
    """Try all swaps of adjacent pieces that give the node a nearer successor."""
    durations, route, position = network.durations, tour.route, tour.position
    at = position[node]
    if at == len(route) - 1:
        return
    follower = route[at + 1]
    old = durations[node, follower]
    for column in range(network.near_after.shape[1]):
        other = network.near_after[node, column]
        gain = old - durations[node, other]
        if gain <= 0:
            if column:
                break
            continue
        spot = position[other]
        if spot != at + 1:
            _close_swaps(network, tour, move, node, other, int(gain))


@inlined
def _close_swaps(
    network: Network, tour: Tour, move: Int64, node: int, other: int, gain: int
) -> None:
    """Given the new leg from node to other, try each second one that makes it a swap.

    The route is cut behind three places; that is a swap if they follow each other round the cycle.
    """
    durations, route, position = network.durations, tour.route, tour.position
    at, split = position[node], position[other] - 1
    follower, left = route[at + 1], route[split]
    gain += durations[left, other]
    for column in range(network.near_after.shape[1]):
        third = network.near_after[left, column]
        partial = gain - durations[left, third]
        if partial <= 0:
            if column:
                break
            continue
        cut = position[third] - 1
        if not (at < split < cut or cut < at < split or split < cut < at):
            continue
        before = route[cut]
        saved = partial + durations[before, third] - durations[before, follower]
        tour.state[MOVES] += 1
        if saved > tour.best[SAVED] or tour.state[LATE] > 0:
            low, high = min(at, split, cut), max(at, split, cut)
            set_swap(move, low, at + split + cut - low - high, high)
            consider(network, tour, move, saved)


@inlined
def _reversals(  # noqa: C901 -- four kinds of reversal, side by side
    network: Network, tour: Tour, move: Int64, node: int
) -> None:
    """Try all reversals that join the node with a near neighbour."""
    durations, route, position = network.durations, tour.route, tour.position
    at, last = position[node], len(route) - 1
    for column in range(network.near_after.shape[1]):
        other = network.near_after[node, column]
        spot = position[other]
        if spot <= at:
            continue
        new = durations[node, other]
        if spot < last and durations[node, route[at + 1]] > new:
            _reversal(network, tour, move, at + 1, spot)
        if at > 0 and durations[route[spot - 1], other] > new:
            _reversal(network, tour, move, at, spot - 1)
    for column in range(network.near_before.shape[1]):
        other = network.near_before[node, column]
        spot = position[other]
        if spot >= at:
            continue
        new = durations[other, node]
        if at < last and durations[other, route[spot + 1]] > new:
            _reversal(network, tour, move, spot + 1, at)
        if spot > 0 and durations[route[at - 1], node] > new:
            _reversal(network, tour, move, spot, at - 1)


@inlined
def _reversal(network: Network, tour: Tour, move: Int64, first: int, last: int) -> None:
    """Price the reversal of the places from first to last."""
    if first >= last:
        return
    durations, route = network.durations, tour.route
    before, after = route[first - 1], route[last + 1]
    old = durations[before, route[first]] + durations[route[last], after]
    new = durations[before, route[last]] + durations[route[first], after]
    saved = int(old) - int(new) - (tour.skew[last] - tour.skew[first])
    tour.state[MOVES] += 1
    if saved <= tour.best[SAVED] and tour.state[LATE] == 0:
        return
    move[AT], move[TO] = first - 1, last
    move[FIRST_1], move[LAST_1] = last, first
    move[FIRST_2] = move[FIRST_3] = NO_PIECE
    consider(network, tour, move, saved)


@inlined
def _shifts(network: Network, tour: Tour, move: Int64, node: int) -> None:
    """Try moving up to three visits, turned round, next to a near neighbour of the node."""
    route, position = tour.route, tour.position
    at, last = position[node], len(route) - 1
    if at in (0, last):
        return
    durations = network.durations
    for column in range(network.near_before.shape[1]):
        other = network.near_before[node, column]
        gap = position[other]
        new = durations[other, node]
        if (
            gap < last
            and max(durations[node, route[at + 1]], durations[other, route[gap + 1]]) > new
        ):
            for length in range(1, min(LONGEST_SHIFT, at) + 1):
                _shift(network, tour, move, at - length + 1, at, gap)
    for column in range(network.near_after.shape[1]):
        other = network.near_after[node, column]
        gap = position[other] - 1
        new = durations[node, other]
        if max(durations[route[at - 1], node], durations[route[gap], other]) > new:
            for length in range(1, min(LONGEST_SHIFT, last - at) + 1):
                _shift(network, tour, move, at, at + length - 1, gap)


@inlined
def _shift(network: Network, tour: Tour, move: Int64, first: int, last: int, gap: int) -> None:
    """Price moving the places from first to last, turned round, into the gap after a place."""
    durations, route = network.durations, tour.route
    if first - 1 <= gap <= last or gap == len(route) - 1:
        return
    before, after = route[first - 1], route[last + 1]
    left, right = route[gap], route[gap + 1]
    old = durations[before, route[first]] + durations[route[last], after] + durations[left, right]
    new = durations[left, route[last]] + durations[route[first], right] + durations[before, after]
    saved = int(old) - int(new) - (tour.skew[last] - tour.skew[first])
    tour.state[MOVES] += 1
    if saved <= tour.best[SAVED] and tour.state[LATE] == 0:
        return
    move[FIRST_3] = NO_PIECE
    if gap > last:
        move[AT], move[TO] = first - 1, gap
        move[FIRST_1], move[LAST_1] = last + 1, gap
        move[FIRST_2], move[LAST_2] = last, first
    else:
        move[AT], move[TO] = gap, last
        move[FIRST_1], move[LAST_1] = last, first
        move[FIRST_2], move[LAST_2] = gap + 1, first - 1
    consider(network, tour, move, saved)


@inlined
def _trades(network: Network, tour: Tour, move: Int64, node: int) -> None:
    """Try trading one or two visits for one or two near ones driven at another time.

    Where the schedule is full a visit finds room only where another one leaves it (the exchange of
    Taillard et al. 1997).
    """
    position, last = tour.position, len(tour.route) - 1
    at = position[node]
    if at in (0, last):
        return
    for column in range(1, network.near_after.shape[1]):
        spot = position[network.near_after[node, column]]
        if spot > at:
            for first in range(spot - 1, spot + 1):
                _trade(network, tour, move, at, first)
        else:
            for first in range(max(1, spot - 1), spot + 1):
                _trade(network, tour, move, first, at)


@inlined
def _trade(network: Network, tour: Tour, move: Int64, low: int, high: int) -> None:
    """Price the trades of the one or two visits from each of two places on."""
    durations, route = network.durations, tour.route
    before = route[low - 1]
    for length in range(1, LONGEST_TRADE + 1):
        for width in range(1, LONGEST_TRADE + 1):
            one, two = low + length - 1, high + width - 1
            if one + 1 >= high or two + 1 >= len(route):
                continue
            inner, outer = route[one + 1], route[high - 1]
            start, stop = route[low], route[one]
            begins, ends, after = route[high], route[two], route[two + 1]
            old = durations[before, start] + durations[stop, inner]
            old += durations[outer, begins] + durations[ends, after]
            new = durations[before, begins] + durations[ends, inner]
            new += durations[outer, start] + durations[stop, after]
            saved = int(old) - int(new)
            tour.state[MOVES] += 1
            if saved <= tour.best[SAVED]:
                continue
            move[AT], move[TO] = low - 1, two
            move[FIRST_1], move[LAST_1] = high, two
            move[FIRST_2], move[LAST_2] = one + 1, high - 1
            move[FIRST_3], move[LAST_3] = low, one
            consider(network, tour, move, saved)


@compiled
def _repairs(network: Network, tour: Tour, move: Int64, node: int) -> None:
    """Try moving up to three visits anywhere in reach, whatever it does to travel.

    Later only past somebody who is late, and earlier only if late themselves: what saves travel
    has been looked at before, and nothing else makes a route less late.
    """
    at, last = tour.position[node], len(tour.route) - 1
    if at in (0, last):
        return
    late, ranked = tour.late, network.classes > 1
    before = late[at - 1]
    for length in range(1, min(LONGEST_SHIFT, last - at) + 1):
        final = at + length - 1
        if ranked or late[final] > before:
            for gap in range(max(0, at - 1 - REPAIR_REACH), at - 1):
                _relocate(network, tour, move, gap, at - 1, final)
        furthest = min(last, final + 1 + REPAIR_REACH)
        if ranked or late[furthest - 1] > late[final]:
            for gap in range(final + 1, furthest):
                if ranked or late[gap] > late[final]:
                    _relocate(network, tour, move, at - 1, final, gap)


@compiled
def _relocate(network: Network, tour: Tour, move: Int64, low: int, middle: int, high: int) -> None:
    """Consider the swap of two adjacent pieces, whatever it does to travel."""
    set_swap(move, low, middle, high)
    route, durations = tour.route, network.durations
    old = durations[route[low], route[low + 1]] + durations[route[middle], route[middle + 1]]
    old += durations[route[high], route[high + 1]]
    new = durations[route[low], route[middle + 1]] + durations[route[high], route[low + 1]]
    new += durations[route[middle], route[high + 1]]
    consider(network, tour, move, int(old) - int(new))
