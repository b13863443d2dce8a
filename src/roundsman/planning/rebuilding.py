"""Taking near visits out of a route and putting each back where it costs least.

After Christiaens & Vanden Berghe (2020), who take out short strings of neighbours and insert
greedily. A route that is late is disturbed like this every other time, beginning with a late visit:
it gets in time only when several others give way at once, and no exchange of legs does that. While
nobody is late the double bridge alone was better when measured.
"""

from roundsman.planning.bookkeeping import MOVES, draw, enqueue
from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.construction import best_gap
from roundsman.planning.matrix import NEVER, Network
from roundsman.planning.tour import (
    HIGH,
    LATE,
    LOW,
    SOFT,
    Tour,
    first_part,
    renew_busy,
    renew_skew,
    renew_times,
)

FEWEST_TAKEN = 3
MOST_TAKEN = 14
TRIES_EACH = 4
SCAN = 24  # gaps that are looked at in the time of one move


@compiled
def rebuild(network: Network, tour: Tour) -> None:
    """Take some visits out and put them in again, which changes the route between LOW and HIGH."""
    size = len(tour.route)
    before = tour.busy[size - 1]
    taken = _take_out(network, tour)
    low, behind = _close_up(network, tour, taken)
    _shuffle(network, tour, taken)
    for done in range(taken):
        node = tour.scratch[done]
        length = size - taken + done
        gap = best_gap(network, first_part(tour, length), node)
        grown = first_part(tour, length + 1)
        for spot in range(length, gap + 1, -1):
            grown.route[spot] = grown.route[spot - 1]
            grown.latest[spot] = grown.latest[spot - 1]
        grown.route[gap + 1] = node
        grown.arrive[gap + 1 :] = NEVER
        renew_times(network, grown, gap, gap + 1)
        low, behind = min(low, gap), min(behind, length - 2 - gap)
    high = size - 1 - behind
    for spot in range(low, high + 1):
        tour.position[tour.route[spot]] = spot
    renew_skew(network, tour, low, high)
    renew_busy(network, tour, low, high)
    tour.state[SOFT] += tour.busy[size - 1] - before  # service is the same as before
    tour.state[MOVES] += taken * (2 + size // SCAN)
    tour.state[LOW], tour.state[HIGH] = min(tour.state[LOW], low), max(tour.state[HIGH], high)
    for done in range(taken):
        node = tour.scratch[done]
        spot = tour.position[node]
        enqueue(tour, node)
        enqueue(tour, tour.route[spot - 1])
        enqueue(tour, tour.route[spot + 1])


@inlined
def _take_out(network: Network, tour: Tour) -> int:
    """Mark near visits and list them on the scratch; return how many."""
    taken_out, marked = tour.scratch, tour.histogram
    inner, columns = len(tour.route) - 2, network.near_after.shape[1]
    wanted = min(FEWEST_TAKEN + draw(tour, MOST_TAKEN - FEWEST_TAKEN + 1), inner // 2)
    taken_out[0] = tour.route[_first_position(tour, inner)]
    marked[taken_out[0]] = 1
    taken, tries = 1, 0
    while taken < wanted and tries < TRIES_EACH * wanted:
        tries += 1
        node, way = taken_out[draw(tour, taken)], draw(tour, 4)
        if way == 0:
            node = tour.route[tour.position[node] + 1]
        elif way == 1:
            node = tour.route[tour.position[node] - 1]
        else:
            node = network.near_after[node, draw(tour, columns)]
        if 0 < node <= inner and not marked[node]:
            marked[node] = 1
            taken_out[taken] = node
            taken += 1
    return taken


@inlined
def _first_position(tour: Tour, inner: int) -> int:
    """Draw the place where to begin; in a late route the next one that is late."""
    position = 1 + draw(tour, inner)
    if tour.state[LATE] == 0:
        return position
    for _ in range(inner):
        if tour.late[position] > tour.late[position - 1]:
            break
        position = position + 1 if position < inner else 1
    return position


@inlined
def _close_up(network: Network, tour: Tour, taken: int) -> tuple[int, int]:
    """Close the gaps; return the last place as before, and how many lie behind the next one."""
    route, marked = tour.route, tour.histogram
    size = len(route)
    low, high, filled = size, 0, 0
    for spot in range(size):
        node = route[spot]
        if marked[node]:
            low, high = min(low, spot - 1), spot + 1
            enqueue(tour, route[spot - 1])
            enqueue(tour, route[spot + 1])
            continue
        route[filled] = node
        tour.latest[filled] = tour.latest[spot]
        filled += 1
    for done in range(taken):
        marked[tour.scratch[done]] = 0
    part = first_part(tour, filled)
    part.arrive[low + 1 :] = NEVER
    renew_times(network, part, low, filled - 1)
    return low, size - 1 - high


@inlined
def _shuffle(network: Network, tour: Tour, taken: int) -> None:
    """Decide who is put in first: anyone, or every other time whose last window closes first."""
    nodes = tour.scratch
    for spot in range(taken - 1, 0, -1):
        other = draw(tour, spot + 1)
        nodes[spot], nodes[other] = nodes[other], nodes[spot]
    if draw(tour, 2):
        return
    for spot in range(1, taken):
        node, to = nodes[spot], spot
        while to > 0 and network.last_close[nodes[to - 1]] > network.last_close[node]:
            nodes[to] = nodes[to - 1]
            to -= 1
        nodes[to] = node
