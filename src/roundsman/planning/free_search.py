"""Iterated local search over a route without windows, which undoes by journal.

After Lourenço, Martin & Stützle (2003): improve until nothing helps, disturb three short parts,
keep or undo. Slightly worse is kept now and then, less so towards the end (Martin, Otto & Felten
1991).
"""

import math

from roundsman.planning.bookkeeping import MOVES, WAITING, dequeue, draw, enqueue
from roundsman.planning.compiled import compiled
from roundsman.planning.exchanges import improve_path
from roundsman.planning.route_arrays import (
    BEST,
    COST,
    JOURNAL,
    JOURNAL_SPARE,
    KEPT,
    Roads,
    RouteArrays,
    turn_back,
    turn_positions,
)

LONGEST_PART = 20
LONGEST_SYMMETRIC_PART = 50
FEWEST_NODES = 6  # fewer leave nothing to disturb


@compiled
def search_free(roads: Roads, path: RouteArrays, until: int, temperature: float) -> None:
    """Search until so many moves have been looked at since the beginning."""
    state = path.state
    while state[MOVES] < until:
        state[JOURNAL] = 0
        state[COST] = state[KEPT]
        if state[WAITING] == 0:
            if len(path.route) < FEWEST_NODES:
                state[MOVES] = until
                return
            _disturb(roads, path)
        _improve(roads, path)
        allowance = 0
        if temperature > 0:
            chance = (draw(path, 2**30) + 1) / 2**30
            allowance = int(-math.log(chance) * temperature)
        if state[COST] > state[KEPT] + allowance:
            turn_back(roads, path, 0)
            continue
        state[KEPT] = state[COST]
        if state[COST] < state[BEST]:
            state[BEST] = state[COST]
            for spot in range(len(path.route)):
                path.best[spot] = path.route[spot]


@compiled
def _improve(roads: Roads, path: RouteArrays) -> None:
    """Improve around all nodes that wait, until none does or the journal is nearly full."""
    state, route, journal = path.state, path.route, path.journal
    while state[WAITING] > 0 and state[JOURNAL] < len(journal) - JOURNAL_SPARE:
        node = dequeue(path)
        while state[JOURNAL] < len(journal) - JOURNAL_SPARE:
            begun = state[JOURNAL]
            gained = improve_path(roads, path, node)
            if gained == 0:
                break
            state[COST] -= gained
            for entry in range(begun, state[JOURNAL]):
                first, last = journal[entry, 0], journal[entry, 1]
                enqueue(path, route[first - 1])
                enqueue(path, route[first])
                enqueue(path, route[last])
                enqueue(path, route[last + 1])
        state[MOVES] += 1


@compiled
def _disturb(roads: Roads, path: RouteArrays) -> None:
    """Turn three short parts B C D of the route into D C B (the double bridge of Martin et al.)."""
    durations, route = roads.durations, path.route
    inner = len(route) - 2
    longest = LONGEST_SYMMETRIC_PART if roads.symmetric else LONGEST_PART
    longest = max(1, min(longest, inner // 3))
    first, second, third = (
        1 + draw(path, longest),
        1 + draw(path, longest),
        1 + draw(path, longest),
    )
    low = draw(path, inner - first - second - third + 1)
    high = low + first + second + third
    cost = 0
    for spot in (low, low + first, low + first + second, high):
        cost -= durations[route[spot], route[spot + 1]]
        enqueue(path, route[spot])
        enqueue(path, route[spot + 1])
    turn_positions(roads, path, low + 1, high)
    turn_positions(roads, path, low + 1, low + third)
    turn_positions(roads, path, low + third + 1, low + third + second)
    turn_positions(roads, path, low + third + second + 1, high)
    for spot in (low, low + third, low + third + second, high):
        cost += durations[route[spot], route[spot + 1]]
    path.state[COST] += cost
