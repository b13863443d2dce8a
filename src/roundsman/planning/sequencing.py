"""Iterated local search in slices: improve until nothing helps, disturb a little, keep or undo.

After Lourenço, Martin & Stützle (2003), with the acceptance of the large-step Markov chain
(Martin, Otto & Felten 1991): slightly worse is accepted now and then, less so towards the end of
the budget. The best order ever seen is kept aside.
"""

import math

from roundsman.planning.bookkeeping import MOVES, WAITING, dequeue, draw
from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.disturbance import disturb
from roundsman.planning.matrix import Network
from roundsman.planning.neighbourhood import improve_around
from roundsman.planning.rebuilding import rebuild
from roundsman.planning.tour import HIGH, LATE, LOW, SOFT, Tour, copy_row, copy_tour

FEWEST_NODES = 6  # fewer leave nothing to disturb


@compiled
def search(  # noqa: PLR0913 -- a kernel
    network: Network,
    tour: Tour,
    kept: Tour,
    best: Tour,
    until: int,
    temperature: float,
    borne: int,
) -> None:
    """Search until so many moves have been looked at since the beginning."""
    size = len(tour.route)
    while tour.state[MOVES] < until:
        if tour.state[WAITING] > 0:
            improve_around(network, tour, tour.move, dequeue(tour))
            continue
        _judge(network, tour, kept, best, temperature)
        if size < FEWEST_NODES:
            tour.state[MOVES] = until
            return
        if tour.state[LATE] > 0 and network.classes == 1 and draw(tour, 2):
            rebuild(network, tour)
            continue
        while not disturb(network, tour, borne) and tour.state[MOVES] < until:
            tour.state[MOVES] += 1  # hopeless


@inlined
def _undo(network: Network, tour: Tour, kept: Tour) -> None:
    """Go back to the route that was kept."""
    low, high = tour.state[LOW], tour.state[HIGH]
    tour.state[LOW], tour.state[HIGH] = len(tour.route), 0
    if low <= high:
        copy_tour(kept, tour, low, high, network.timed)


@compiled
def _judge(network: Network, tour: Tour, kept: Tour, best: Tour, temperature: float) -> None:
    """Keep the local optimum when it is no worse, or little worse by chance; else undo."""
    late, soft = tour.state[LATE], tour.state[SOFT]
    allowance = 0
    if temperature > 0:
        chance = (draw(tour, 2**30) + 1) / 2**30
        allowance = int(-math.log(chance) * temperature)
    if late > kept.state[LATE] or (
        late == kept.state[LATE] and soft > kept.state[SOFT] + allowance
    ):
        _undo(network, tour, kept)
        return
    low, high = tour.state[LOW], tour.state[HIGH]
    tour.state[LOW], tour.state[HIGH] = len(tour.route), 0
    if low > high:
        return
    copy_tour(tour, kept, low, high, network.timed)
    if late < best.state[LATE] or (late == best.state[LATE] and soft < best.state[SOFT]):
        copy_row(tour.route, best.route, 0)
        best.state[LATE], best.state[SOFT] = late, soft
