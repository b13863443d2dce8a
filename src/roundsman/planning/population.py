"""Several routes at once, each as the legs that every node has: what is joined with one another.

Which way round a leg is driven is not written down; walking from the start tells.
"""

from typing import NamedTuple

import numpy as np

from roundsman.planning.bookkeeping import HEAD, WAITING, enqueue
from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.matrix import Int32, Int64
from roundsman.planning.route_arrays import BEST, COST, JOURNAL, KEPT, Roads, RouteArrays


class Population(NamedTuple):
    """Routes on the same roads."""

    links: Int32
    """For each route and node, the two nodes beside it; start and end are beside each other."""
    costs: Int64
    """For each route, its travel."""


def new_population(routes: int, size: int) -> Population:
    """Make room for so many routes of so many nodes."""
    return Population(
        links=np.zeros((routes, size, 2), dtype=np.int32), costs=np.zeros(routes, dtype=np.int64)
    )


@inlined
def next_on(links: Int32, before: int, here: int) -> int:
    """Walk on: return the node beside this one from which one did not come."""
    return int(links[here, 1] if links[here, 0] == before else links[here, 0])


@inlined
def exchange_link(links: Int32, node: int, old: int, new: int) -> None:
    """Put another node beside a node, in the place of one that is."""
    links[node, 0 if links[node, 0] == old else 1] = new


@compiled
def keep_route(population: Population, number: int, route: Int32, cost: int) -> None:
    """Write a route down under its number."""
    links, size = population.links[number], len(route)
    for spot in range(size):
        links[route[spot], 0] = route[spot - 1 if spot > 0 else size - 1]
        links[route[spot], 1] = route[spot + 1 if spot < size - 1 else 0]
    population.costs[number] = cost


@compiled
def lay_out_links(links: Int32, route: Int32) -> None:
    """Walk from start to end, and write down the nodes on the way."""
    before, here = len(route) - 1, 0
    for spot in range(len(route)):
        route[spot] = here
        before, here = here, next_on(links, before, here)


@compiled
def travel_of(roads: Roads, links: Int32) -> int:
    """Return what the route costs, driven from start to end."""
    durations, size = roads.durations, len(links)
    before, here, cost = size - 1, 0, 0
    for _ in range(size - 1):
        there = next_on(links, before, here)
        cost += durations[here, there]
        before, here = here, there
    return cost


@compiled
def lay_on_path(roads: Roads, path: RouteArrays, links: Int32, known: Int32, cost: int) -> None:
    """Begin a search at a route; nodes whose legs differ from a known one's wait for a look."""
    lay_out_links(links, path.route)
    durations, route, skew = roads.durations, path.route, path.skew
    skew[0] = 0
    for spot in range(len(route)):
        path.position[route[spot]] = spot
        path.best[spot] = route[spot]
        if spot > 0:
            here, there = route[spot - 1], route[spot]
            skew[spot] = skew[spot - 1] + durations[here, there] - durations[there, here]
    state = path.state
    state[COST] = state[KEPT] = state[BEST] = cost
    state[JOURNAL] = state[HEAD] = state[WAITING] = 0
    path.queued[:] = 0
    for node in range(len(links)):
        one, other = known[node, 0], known[node, 1]
        for side in range(2):
            there = links[node, side]
            if there not in (one, other):
                enqueue(path, node)
