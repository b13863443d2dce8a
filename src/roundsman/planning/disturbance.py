"""How a local optimum is disturbed: four legs near each other are cut and joined otherwise.

The double bridge of Johnson & McGeoch (1997) joins them in the one way that neither reverses a
piece nor is a single move of the search. Without windows the pieces are neighbours along the route.
With windows the legs are found by short random walks over neighbour lists, so that the new ones
are near in place and time (Applegate, Cook & Rohe 2003); without windows that was worse when
measured. A disturbance that makes the route very late is mostly wasted work; how much is borne is
drawn anew each time, because now and then only a great one leads out.
"""

from roundsman.planning.bookkeeping import draw
from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.matrix import Int64, Network
from roundsman.planning.moves import make_move
from roundsman.planning.neighbourhood import price_swap, set_swap
from roundsman.planning.tour import LATE, Tour

WALK = 4
TRIES = 6
LONGEST_PIECE = 50
DOUBLINGS = 10  # the greatest lateness borne is 512 times the least


@compiled
def disturb(network: Network, tour: Tour, move: Int64) -> None:
    """Turn three pieces B C D of the route into D C B."""
    cuts = tour.best
    tries = 0 if network.timed else TRIES
    while tries < TRIES and not _cut_nearby(network, tour, cuts):
        tries += 1
    if tries == TRIES:
        _cut_anywhere(tour, cuts)
    low, first, second, high = cuts[0], cuts[1], cuts[2], cuts[3]
    set_swap(move, low, first, high)
    price_swap(network, tour, move)
    make_move(network, tour, move)
    set_swap(move, low, low + second - first, low + high - first)
    price_swap(network, tour, move)
    make_move(network, tour, move)


@inlined
def _cut_nearby(network: Network, tour: Tour, cuts: Int64) -> bool:
    """Choose four places in rising order, each before a leg to cut; say whether they differ."""
    origin = 1 + draw(tour, len(tour.route) - 2)
    columns = network.near_after.shape[1]
    for cut in range(4):
        node = origin
        for _ in range(WALK if cut else 0):
            node = network.near_after[node, 1 + draw(tour, columns - 1)]
        spot = tour.place[node] - draw(tour, 2)
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


@inlined
def is_hopeless(network: Network, tour: Tour, kept: Tour, borne: int) -> bool:
    """Whether the disturbed route is later than is worth repairing this time."""
    if not network.timed:
        return False
    return bool(tour.state[LATE] > kept.state[LATE] + (borne << draw(tour, DOUBLINGS)))
