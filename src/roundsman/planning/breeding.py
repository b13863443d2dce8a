"""The search that joins routes where there are no windows: generation after generation.

Short searches from different beginnings end in different places, and each is as good as can be
somewhere. So each route in turn is joined with another, and the best child, searched on from where
it is new, takes its place (edge assembly: Nagata & Kobayashi 2013; searching on from children:
Moscato 1989). Joining does what the search does worst, changing distant parts at once; searching
on brings in legs that no route of the population had. When a generation finds nothing, all have
become much alike, and the best goes on into a new population.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from roundsman.planning.bookkeeping import MOVES
from roundsman.planning.budget import SLICE, Budget
from roundsman.planning.edge_assembly import assemble_edges, new_edge_room
from roundsman.planning.free_search import search_free
from roundsman.planning.leg_assembly import assemble_legs, new_leg_room
from roundsman.planning.matrix import Int64, Network
from roundsman.planning.population import (
    keep_route,
    lay_on_path,
    lay_out_links,
    new_population,
)
from roundsman.planning.route_arrays import BEST, RouteArrays
from roundsman.planning.searching import FreeSearch, Numbering, RouteSearch, improve

MOST_ROUTES = 20
POLISHING = 30  # moves of a child's search, for each node
SETTING_OUT = 10_000
JOINING = 1_000
"""What a route, and a pair, cost in time beside the moves looked at, in moves."""
SLACK = 2.5  # mean legs that a ring of legs may lose; one-way roads make it a guess


class _Recipe(NamedTuple):
    """What a population needs; moves are for each pair of nodes."""

    least_routes: int
    """Fewer are worse than searching alone."""
    settling: float
    """Moves of a route's own search before it is joined with others."""
    each: float
    """Moves for each route until all are alike."""


_TOWN = _Recipe(least_routes=8, settling=0.4, each=2.5)
_SYMMETRIC = _Recipe(least_routes=20, settling=0.4, each=1.5)
_ONE_WAY = _Recipe(least_routes=8, settling=1.5, each=4)

type Build = Callable[[int], Int64]
"""Makes a first route with a seed."""


def affordable_routes(under: RouteSearch, budget: Budget) -> int:
    """Return how large a population the budget can breed; 0 where searching alone does better."""
    recipe = _recipe(under)
    routes = int(budget.moves_left / (2 * SETTING_OUT + recipe.each * len(under.best) ** 2))
    if budget.is_over or routes < recipe.least_routes:
        return 0
    return min(routes, MOST_ROUTES)


def breed(
    network: Network, under: RouteSearch, build: Build, budget: Budget, seed: int
) -> RouteSearch:
    """Search on with one population after the other until the budget ends; return the best.

    The network has no windows: costs are travel alone.
    """
    numbering = under.numbering if isinstance(under, FreeSearch) else Numbering(network, under.best)
    while routes := affordable_routes(under, budget):
        population = _Breeding(numbering, routes, budget, seed)
        population.add(under)
        while not (population.is_full or budget.is_over):
            seed += 1
            population.add(under.anew(build(seed), seed))
        while not budget.is_over and population.find_better():
            pass
        under = under.anew(population.best, seed)
    while not budget.is_over:
        improve(under, budget, budget.moves_left + SLICE)
    return under


def _recipe(under: RouteSearch) -> _Recipe:
    if isinstance(under, FreeSearch):
        return _SYMMETRIC if under.numbering.roads.symmetric else _TOWN
    return _ONE_WAY


class _Breeding:
    """One population and what it is bred with."""

    def __init__(self, numbering: Numbering, routes: int, budget: Budget, seed: int) -> None:
        size = len(numbering.names)
        self._numbering = numbering
        self._budget = budget
        self._path: RouteArrays | None = None
        self._routes = new_population(routes, size)
        self._edges, self._legs = new_edge_room(size, seed), new_leg_room(size)
        self._random = np.random.default_rng(seed)
        self._held = 0

    @property
    def is_full(self) -> bool:
        """Whether all routes are there."""
        return self._held == len(self._routes.costs)

    @property
    def best(self) -> Int64:
        """Return the best route."""
        route = np.zeros_like(self._numbering.names, dtype=np.int32)
        lay_out_links(self._routes.links[self._routes.costs[: self._held].argmin()], route)
        return self._numbering.names[route]

    def add(self, search: RouteSearch) -> None:
        """Let a search settle, and take its best route in."""
        self._path = search.path if isinstance(search, FreeSearch) else None
        self._budget.spent += SETTING_OUT
        settling = _recipe(search).settling * len(self._numbering.names) ** 2
        improve(search, self._budget, int(settling), warmest=0)
        route = self._numbering.numbers[search.best].astype(np.int32)
        keep_route(self._routes, self._held, route, search.cost[1])
        self._held += 1

    def find_better(self) -> bool:
        """Join each route with another; say whether a better one took the place of any."""
        found = False
        order = self._random.permutation(self._held)
        for position in range(self._held):
            if self._budget.is_over:
                break
            found |= self._join(int(order[position - 1]), int(order[position]))
        return found

    def _join(self, first: int, second: int) -> bool:
        """Replace the first route by its best child with the second, if that is better."""
        roads, routes, child = self._numbering.roads, self._routes, self._edges.chosen
        before = int(self._edges.state[MOVES] + self._legs.state[MOVES])
        known = travel = int(routes.costs[first])
        if self._path is not None:  # else roads are one-way, and turned parts seldom worth a look
            slack = 0 if roads.symmetric else int(SLACK * known / len(child))
            travel = assemble_edges(roads, routes, self._edges, first, second, slack)
        if not roads.symmetric:
            travel = assemble_legs(roads, routes, self._legs, first, second, travel, child)
        looked = int(self._edges.state[MOVES] + self._legs.state[MOVES]) - before
        self._budget.spent += JOINING + looked
        if travel < known:
            self._take_child(first, travel)
        return travel < known

    def _take_child(self, number: int, travel: int) -> None:
        """Put the child in the place of a route, searched on where that can begin anywhere."""
        routes, child, path = self._routes, self._edges.chosen, self._path
        if path is None:
            routes.links[number], routes.costs[number] = child, travel
            return
        roads, before = self._numbering.roads, int(path.state[MOVES])
        lay_on_path(roads, path, child, routes.links[number], travel)
        search_free(roads, path, before + POLISHING * len(child), 0.0)
        keep_route(routes, number, path.best, path.state[BEST])
        self._budget.spent += int(path.state[MOVES]) - before
