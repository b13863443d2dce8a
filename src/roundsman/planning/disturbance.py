"""How a local optimum is disturbed: four legs near each other are cut and joined otherwise.

The double bridge of Johnson & McGeoch (1997) joins them in the one way that neither reverses a
piece nor is a single move of the search. Without windows the pieces are neighbours along the route.
With windows the legs are found by short random walks over neighbour lists, so that the new ones
are near in place and time (Applegate, Cook & Rohe 2003); without windows that was worse when
measured. A disturbance that makes the route very late is mostly wasted work; how much is borne is
drawn anew each time, because now and then only a great one leads out.
"""

from roundsman.planning.bookkeeping import MOVES, draw
from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.matrix import Int64, Network
from roundsman.planning.moves import drive_piece, lateness_behind, lay_out, replace_positions
from roundsman.planning.tour import LATE, SOFT, Tour, count_inversions

WALK = 4
TRIES = 6
LONGEST_PIECE = 50
DOUBLINGS = 10  # the greatest lateness borne is 512 times the least


@compiled
def disturb(network: Network, tour: Tour, borne: int) -> bool:
    """Turn three pieces B C D of the route into D C B, unless that makes it too late to repair.

    Then nothing is changed. Lateness is looked at before anything is moved, since with narrow
    windows most disturbances are refused.
    """
    cuts = tour.best
    tries = 0 if network.timed else TRIES
    while tries < TRIES and not _cut_nearby(network, tour, cuts):
        tries += 1
    if tries == TRIES:
        _cut_anywhere(tour, cuts)
    low, first, second, high = cuts[0], cuts[1], cuts[2], cuts[3]
    tour.state[MOVES] += 1
    if network.timed:
        cutoff = tour.state[LATE] + (borne << draw(tour, DOUBLINGS))
        if _lateness_disturbed(network, tour, cuts, cutoff) > cutoff:
            return False
    durations, route = network.durations, tour.route
    added = durations[route[low], route[second + 1]] - durations[route[low], route[low + 1]]
    added += durations[route[high], route[first + 1]] - durations[route[first], route[first + 1]]
    added += durations[route[second], route[low + 1]] - durations[route[second], route[second + 1]]
    added += durations[route[first], route[high + 1]] - durations[route[high], route[high + 1]]
    if network.timed and network.classes > 1:
        tour.state[SOFT] -= network.price * count_inversions(network, tour)
    filled = lay_out(tour, second + 1, high, 0)
    filled = lay_out(tour, first + 1, second, filled)
    lay_out(tour, low + 1, first, filled)
    replace_positions(network, tour, low, high)
    tour.state[SOFT] += added
    if network.timed and network.classes > 1:
        tour.state[SOFT] += network.price * count_inversions(network, tour)
    return True


@inlined
def _lateness_disturbed(network: Network, tour: Tour, cuts: Int64, cutoff: int) -> int:
    """Return how late the disturbed route would be, or anything above the cutoff."""
    route = tour.route
    clock, late, here = tour.leave[cuts[0]], tour.late[cuts[0]], route[cuts[0]]
    for piece in range(2, -1, -1):
        if late <= cutoff:
            first, last = cuts[piece] + 1, cuts[piece + 1]
            clock, late = drive_piece(network, tour, first, last, here, clock, late, cutoff)
            here = route[last]
    if late > cutoff:
        return int(late)
    return lateness_behind(network, tour, cuts[3] + 1, here, clock, late, cutoff)


@inlined
def _cut_nearby(network: Network, tour: Tour, cuts: Int64) -> bool:
    """Choose four places in rising order, each before a leg to cut; say whether they differ."""
    origin = 1 + draw(tour, len(tour.route) - 2)
    columns = network.near_after.shape[1]
    for cut in range(4):
        node = origin
        for _ in range(WALK if cut else 0):
            node = network.near_after[node, 1 + draw(tour, columns - 1)]
        spot = tour.position[node] - draw(tour, 2)
        at = cut
        while at > 0 and cuts[at - 1] > spot:
            cuts[at] = cuts[at - 1]
            at -= 1
        cuts[at] = spot
    return bool(cuts[0] < cuts[1] < cuts[2] < cuts[3])


@inlined
def _cut_anywhere(tour: Tour, cuts: Int64) -> None:
    """Choose three short neighbouring pieces anywhere."""
    inner = len(tour.route) - 2
    longest = max(1, min(LONGEST_PIECE, inner // 3))
    first = 1 + draw(tour, longest)
    second = 1 + draw(tour, longest)
    third = 1 + draw(tour, longest)
    cuts[0] = draw(tour, inner - first - second - third + 1)
    cuts[1] = cuts[0] + first
    cuts[2] = cuts[1] + second
    cuts[3] = cuts[2] + third
