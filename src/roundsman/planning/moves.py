"""One move: pricing it exactly and making it. Where moves come from is `neighbourhood`'s business.

A move replaces the places after `low` up to `high` by one to three pieces of the same route, each
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
    renew_busy,
    renew_skew,
    renew_times,
)

NO_PIECE = -1
NOT_COUNTED = 2**40
SAVED_LATE, SAVED, AT, TO, FIRST_1, LAST_1, FIRST_2, LAST_2, FIRST_3, LAST_3 = range(10)
PIECES = 3


@compiled
def lateness_after(network: Network, tour: Tour, move: Int64, cutoff: int) -> int:
    """Return the route's lateness if the move were made, or anything above the cutoff.

    Drive the pieces, then the old route until the schedule meets the old one, or the old slack
    says that all windows behind are met.
    """
    low = move[AT]
    clock, late, here = tour.leave[low], tour.late[low], tour.route[low]
    if late <= cutoff:
        late += least_lateness(network, tour, move, clock, cutoff - late)
    if late > cutoff:
        return int(late)
    late = tour.late[low]
    for piece in range(PIECES):
        first, last = move[FIRST_1 + 2 * piece], move[LAST_1 + 2 * piece]
        if first == NO_PIECE:
            break
        clock, late = drive_piece(network, tour, first, last, here, clock, late, cutoff)
        if late > cutoff:
            return int(late)
        here = tour.route[last]
    return lateness_behind(network, tour, move[TO] + 1, here, clock, late, cutoff)


@inlined
def least_lateness(network: Network, tour: Tour, move: Int64, clock: int, borne: int) -> int:
    """Return how late the last piece gets at some visit at least, if more than is borne; else 0.

    That piece is the one that comes later than before. The prefix sums of `busy` say when each of
    its visits is reached at the earliest, were there no waiting at all: most moves that would
    make the route late are refused at the first tight window, before anything is driven.
    """
    route, busy, skew, service = tour.route, tour.busy, tour.skew, network.service
    here, first, last = route[move[AT]], move[FIRST_1], move[LAST_1]
    for piece in range(1, PIECES):
        if move[FIRST_1 + 2 * piece] == NO_PIECE:
            break
        clock += network.durations[here, route[first]]
        clock += abs(busy[last] - busy[first])
        if last < first:
            clock += skew[first] - skew[last] + service[route[first]]
        else:
            clock += service[route[last]]
        here = route[last]
        first, last = move[FIRST_1 + 2 * piece], move[LAST_1 + 2 * piece]
    clock += network.durations[here, route[first]]
    if first <= last:
        return _least_forwards(network, tour, first, last, clock, borne)
    return _least_backwards(network, tour, first, last, clock, borne)


@inlined
def _least_forwards(
    network: Network, tour: Tour, first: int, last: int, clock: int, borne: int
) -> int:
    route, busy = tour.route, tour.busy
    for spot in range(first, last + 1):
        arrival = clock + busy[spot] - busy[first]
        late = arrival - network.last_close[route[spot]]
        if late > borne:
            tour.state[MOVES] += (spot - first) // 16
            return int(late)
        if arrival <= tour.latest[spot]:
            break
    return 0


@inlined
def _least_backwards(
    network: Network, tour: Tour, first: int, last: int, clock: int, borne: int
) -> int:
    route, busy, skew, service = tour.route, tour.busy, tour.skew, network.service
    clock += busy[first] + skew[first] + service[route[first]]
    for spot in range(last, first + 1):
        node = route[spot]
        arrival = clock - busy[spot] - skew[spot] - service[node]
        late = arrival - network.last_close[node]
        if late > borne:
            tour.state[MOVES] += (spot - last) // 16
            return int(late)
        if arrival <= tour.arrive[spot]:
            break
    return 0


@inlined
def drive_piece(  # noqa: C901, PLR0913 -- the innermost loop: both ways, and what is known on arrival
    network: Network,
    tour: Tour,
    first: int,
    last: int,
    here: int,
    clock: int,
    late: int,
    cutoff: int,
) -> tuple[int, int]:
    """Drive one piece from elsewhere; return when it is left and how late all is by then.

    Forwards only the shift against the old schedule is carried along, so the roads are not looked
    up again, and a shift that waiting has used up ends the drive.
    """
    durations, route = network.durations, tour.route
    tour.state[MOVES] += abs(last - first) // 8
    if first <= last:
        shift = clock + durations[here, route[first]] - tour.arrive[first]
        for spot in range(first, last + 1):
            node = route[spot]
            arrival = tour.arrive[spot] + shift
            if arrival > network.last_close[node]:
                late += arrival - network.last_close[node]
                if late > cutoff:
                    break
            shift = begin(network, node, arrival) + network.service[node] - tour.leave[spot]
            if shift == 0:
                late += tour.late[last] - tour.late[spot]
                break
        return int(tour.leave[last] + shift), int(late)
    for spot in range(first, last - 1, -1):
        node = route[spot]
        arrival = clock + durations[here, node]
        if arrival > network.last_close[node]:
            late += arrival - network.last_close[node]
            if late > cutoff:
                break
        clock = begin(network, node, arrival) + network.service[node]
        here = node
    return int(clock), int(late)


@compiled
def lateness_behind(  # noqa: PLR0913 -- a kernel: what is known where the old route is met again
    network: Network, tour: Tour, spot: int, here: int, clock: int, late: int, cutoff: int
) -> int:
    """Return the whole lateness when the old route from a place on is reached from elsewhere."""
    total = tour.state[LATE]
    for position in range(spot, len(tour.route)):
        node = tour.route[position]
        arrival = clock + network.durations[here, node]
        if arrival <= tour.latest[position]:
            return int(late)
        if cutoff == 0:
            return 1  # the slack is exact: some window behind would be missed
        rest = total - tour.late[position - 1]
        if arrival == tour.arrive[position]:
            return int(late + rest)
        if arrival > tour.arrive[position] and late + rest > cutoff:
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
    filled = 0
    for piece in range(PIECES):
        first, last = move[FIRST_1 + 2 * piece], move[LAST_1 + 2 * piece]
        if first != NO_PIECE:
            filled = lay_out(tour, first, last, filled)
    replace_positions(network, tour, move[AT], move[TO])
    tour.state[SOFT] -= move[SAVED]


@inlined
def lay_out(tour: Tour, first: int, last: int, filled: int) -> int:
    """Put a piece behind those that are already on the scratch; return how much that holds."""
    route, scratch = tour.route, tour.scratch
    step = 1 if last >= first else -1
    enqueue(tour, route[first])
    enqueue(tour, route[last])
    for spot in range(first, last + step, step):
        scratch[filled] = route[spot]
        filled += 1
    return filled


@compiled
def replace_positions(network: Network, tour: Tour, low: int, high: int) -> None:
    """Make the scratch the part of the route after one place up to another."""
    route, scratch = tour.route, tour.scratch
    enqueue(tour, route[low])
    enqueue(tour, route[high + 1])
    for spot in range(low + 1, high + 1):
        node = scratch[spot - low - 1]
        route[spot] = node
        tour.position[node] = spot
    renew_skew(network, tour, low, high + 1)
    if network.timed:
        renew_busy(network, tour, low, high + 1)
        renew_times(network, tour, low, high)
    tour.state[MOVES] += 1 + (high - low) // 8
    if tour.state[LOW] > low:
        tour.state[LOW] = low
    if tour.state[HIGH] < high + 1:
        tour.state[HIGH] = high + 1
