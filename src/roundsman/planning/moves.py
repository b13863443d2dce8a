"""One move: pricing it exactly and making it. Where moves come from is `neighbourhood`'s business.

A move replaces the places after `low` up to `high` by one or two pieces of the same route, each
given by its first and last place; a piece whose last place lies before its first is driven
backwards.
"""

from roundsman.planning.bookkeeping import MOVES, enqueue
from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.matrix import Int64, Network
from roundsman.planning.tour import (
    HIGH,
    LATE,
    LOW,
    SOFT,
    Tour,
    begin,
    copy_row,
    lateness_at,
    renew_skew,
    renew_times,
)

NO_PIECE = -1
NOT_COUNTED = 2**40
SAVED_LATE, SAVED, AT, TO, FIRST_1, LAST_1, FIRST_2, LAST_2 = range(8)


@compiled
def lateness_after(network: Network, tour: Tour, move: Int64, cutoff: int) -> int:
    """Return the route's lateness if the move were made, or anything above the cutoff.

    Long because it is the innermost loop: drive the pieces, then the old route until the schedule
    meets the old one, or the old slack says that all windows behind are met.
    """
    durations, route = network.durations, tour.route
    low, high = move[AT], move[TO]
    clock, late, here = tour.leave[low], tour.late[low], route[low]
    if late > cutoff:
        return int(late)
    for piece in range(2):
        spot, last = move[FIRST_1 + 2 * piece], move[LAST_1 + 2 * piece]
        if spot == NO_PIECE:
            continue
        step = 1 if last >= spot else -1
        tour.state[MOVES] += abs(last - spot) // 4
        while True:
            node = route[spot]
            arrival = clock + durations[here, node]
            if arrival > network.last_close[node]:
                late += arrival - network.last_close[node]
                if late > cutoff:
                    return int(late)
            clock = begin(network, node, arrival) + network.service[node]
            here = node
            if spot == last:
                break
            spot += step
    return lateness_behind(network, tour, high + 1, here, clock, late, cutoff)


@compiled
def lateness_behind(  # noqa: PLR0913 -- a kernel: what is known where the old route is met again
    network: Network, tour: Tour, spot: int, here: int, clock: int, late: int, cutoff: int
) -> int:
    """Return the whole lateness when the old route from a place on is reached from elsewhere."""
    total = tour.state[LATE]
    for place in range(spot, len(tour.route)):
        node = tour.route[place]
        arrival = clock + network.durations[here, node]
        if arrival <= tour.latest[place]:
            return int(late)
        if cutoff == 0:
            return 1  # the slack is exact: some window behind would be missed
        rest = total - tour.late[place - 1]
        if arrival == tour.arrive[place]:
            return int(late + rest)
        if arrival > tour.arrive[place] and late + rest > cutoff:
            return int(late + rest)
        late += lateness_at(network, node, arrival)
        if late > cutoff:
            return int(late)
        clock = begin(network, node, arrival) + network.service[node]
        here = node
        tour.state[MOVES] += 1
    return int(late)


@inlined
def _turns_mixed_ranks(network: Network, tour: Tour, move: Int64) -> bool:
    route, rank = tour.route, network.rank
    for piece in range(2):
        first, last = move[FIRST_1 + 2 * piece], move[LAST_1 + 2 * piece]
        if first != NO_PIECE and last < first:
            for spot in range(last, first):
                if rank[route[spot]] != rank[route[first]]:
                    return True
    return False


@compiled
def inversions_added(network: Network, tour: Tour, move: Int64) -> int:
    """Count how many more pairs would be out of order; mixed ranks are not turned round."""
    route, rank = tour.route, network.rank
    if _turns_mixed_ranks(network, tour, move):
        return NOT_COUNTED
    if move[FIRST_2] == NO_PIECE:
        return 0
    ranks = tour.histogram
    ranks[: network.classes] = 0
    for spot in range(min(move[FIRST_1], move[LAST_1]), max(move[FIRST_1], move[LAST_1]) + 1):
        ranks[rank[route[spot]]] += 1
    below = 0
    for number in range(network.classes):
        count = ranks[number]
        ranks[number] = below
        below += count
    added = 0
    for spot in range(min(move[FIRST_2], move[LAST_2]), max(move[FIRST_2], move[LAST_2]) + 1):
        own = rank[route[spot]]
        lower = ranks[own]
        higher = below - (ranks[own + 1] if own + 1 < network.classes else below)
        added += lower - higher
    return int(added)


@inlined
def consider(network: Network, tour: Tour, move: Int64, saved: int) -> None:
    """Keep the move if it is the best yet: less lateness first, then more soft cost saved."""
    best = tour.best
    tour.state[MOVES] += 1
    if not network.timed:
        if saved > best[SAVED]:
            copy_row(move, best, 0)
            best[SAVED_LATE] = 0
            best[SAVED] = saved
        return
    if network.classes > 1:
        added = inversions_added(network, tour, move)
        if added == NOT_COUNTED:
            return
        saved -= network.price * added
    late = tour.state[LATE]
    allowed = late - best[SAVED_LATE]
    if saved <= best[SAVED]:
        if allowed == 0:
            return
        allowed -= 1
    after = lateness_after(network, tour, move, allowed)
    if after <= allowed:
        copy_row(move, best, 0)
        best[SAVED_LATE] = late - after
        best[SAVED] = saved


@compiled
def make_move(network: Network, tour: Tour, move: Int64) -> None:
    """Change the route and all that follows from it, and enqueue the ends of the changed legs."""
    route, scratch = tour.route, tour.scratch
    low, high = move[AT], move[TO]
    filled = 0
    for piece in range(2):
        spot, last = move[FIRST_1 + 2 * piece], move[LAST_1 + 2 * piece]
        if spot == NO_PIECE:
            continue
        step = 1 if last >= spot else -1
        enqueue(tour, route[spot])
        enqueue(tour, route[last])
        for _ in range(abs(last - spot) + 1):
            scratch[filled] = route[spot]
            filled += 1
            spot += step
    enqueue(tour, route[low])
    enqueue(tour, route[high + 1])
    for offset in range(filled):
        node = scratch[offset]
        route[low + 1 + offset] = node
        tour.place[node] = low + 1 + offset
    renew_skew(network, tour, low, high + 1)
    if network.timed:
        renew_times(network, tour, low, high)
    tour.state[SOFT] -= move[SAVED]
    tour.state[MOVES] += 1 + filled // 8
    if tour.state[LOW] > low:
        tour.state[LOW] = low
    if tour.state[HIGH] < high + 1:
        tour.state[HIGH] = high + 1
