"""Iterated local search in slices: improve until nothing helps, disturb a little, keep or undo.

After Lourenço, Martin & Stützle (2003), with the local double bridge of Johnson & McGeoch (1997)
and the large-step Markov chain's acceptance (Martin, Otto & Felten 1991): slightly worse is
accepted now and then, less so towards the end of the budget. The best order ever seen is kept
aside.
"""

import math

from roundsman.planning.compiled import compiled
from roundsman.planning.matrix import Int64, Network
from roundsman.planning.moves import make_move
from roundsman.planning.neighbourhood import improve_around, price_swap, set_swap
from roundsman.planning.tour import (
    HIGH,
    LATE,
    LOW,
    MOVES,
    SOFT,
    WAITING,
    Tour,
    copy_row,
    copy_tour,
    dequeue,
    draw,
)

LONGEST_PIECE = 50
FEWEST_NODES = 6  # fewer leave nothing to disturb


@compiled
def search(
    network: Network, tour: Tour, kept: Tour, best: Tour, until: int, temperature: float
) -> None:
    """Search until so many moves have been looked at since the beginning."""
    size = len(tour.route)
    move = tour.move
    while tour.state[MOVES] < until:
        if tour.state[WAITING] > 0:
            improve_around(network, tour, move, dequeue(tour))
            continue
        _judge(network, tour, kept, best, temperature)
        if size < FEWEST_NODES:
            tour.state[MOVES] = until
            return
        _kick(network, tour, move)


@compiled
def _judge(network: Network, tour: Tour, kept: Tour, best: Tour, temperature: float) -> None:
    """Keep the local optimum when it is no worse, or little worse by chance; else undo."""
    size = len(tour.route)
    low, high = tour.state[LOW], tour.state[HIGH]
    tour.state[LOW], tour.state[HIGH] = size, 0
    if low > high:
        return
    late, soft = tour.state[LATE], tour.state[SOFT]
    allowance = 0
    if temperature > 0:
        chance = (draw(tour, 2**30) + 1) / 2**30
        allowance = int(-math.log(chance) * temperature)
    if late < kept.state[LATE] or (
        late == kept.state[LATE] and soft <= kept.state[SOFT] + allowance
    ):
        copy_tour(tour, kept, low, high, network.timed)
        if late < best.state[LATE] or (late == best.state[LATE] and soft < best.state[SOFT]):
            copy_row(tour.route, best.route, 0)
            best.state[LATE], best.state[SOFT] = late, soft
    else:
        copy_tour(kept, tour, low, high, network.timed)


@compiled
def _kick(network: Network, tour: Tour, move: Int64) -> None:
    """Turn three short pieces B C D into D C B: a double bridge, which no single move undoes."""
    inner = len(tour.route) - 2
    longest = max(1, min(LONGEST_PIECE, inner // 3))
    first = 1 + draw(tour, longest)
    second = 1 + draw(tour, longest)
    third = 1 + draw(tour, longest)
    low = draw(tour, inner - first - second - third + 1)
    set_swap(move, low, low + first, low + first + second + third)
    price_swap(network, tour, move)
    make_move(network, tour, move)
    set_swap(move, low, low + second, low + second + third)
    price_swap(network, tour, move)
    make_move(network, tour, move)
