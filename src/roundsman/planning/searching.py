"""The interface to both searches: one keeps a schedule, the other prices travel alone."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np

from roundsman.planning.bookkeeping import MOVES, enqueue
from roundsman.planning.budget import SLICE, Budget
from roundsman.planning.free_search import search_free
from roundsman.planning.matrix import Int64, Network, take_square
from roundsman.planning.route_arrays import BEST, Roads, new_path, new_roads
from roundsman.planning.sequencing import search
from roundsman.planning.tour import LATE, SOFT, Tour, new_tour, renew

HEAT = 0.6  # how much worse, in mean legs, is readily accepted at the beginning
HEAT_WITH_WINDOWS = 1.0
LEAST_BORNE = 5  # mean legs of lateness by a disturbance that are worth repairing at least

type Cost = tuple[int, int]
"""Lateness, then travel with the price of inversions."""


class RouteSearch(Protocol):
    """A route that is being improved."""

    @property
    def best(self) -> Int64:
        """Return the best route so far."""
        ...

    @property
    def cost(self) -> Cost:
        """Return what the best route found by this search costs."""
        ...

    def adopt(self, route: Int64) -> None:
        """Take a route that is known to be better as the best one."""
        ...

    def advance(self, moves: int, warmth: float) -> int:
        """Look at so many moves, or a few more; return how many.

        With warmth 1 worse routes are readily accepted, with 0 none is.
        """
        ...

    def anew(self, start: Int64, seed: int) -> "RouteSearch":
        """Set out from another route on the same roads."""
        ...


def improve(under: RouteSearch, budget: Budget, moves: int, warmest: float = 1.0) -> None:
    """Search in slices for so many moves, or until the budget is over; cool down meanwhile."""
    spent = 0
    while not budget.is_over and spent < moves:
        warmth = warmest * min(budget.left, 1 - spent / moves)
        looked = under.advance(min(SLICE, moves - spent), warmth)
        spent += looked
        budget.spent += looked


def begin_search(network: Network, starts: Sequence[Int64], seed: int) -> RouteSearch:
    """Set out from the best of some routes."""
    tours = [new_tour(start, seed) for start in starts]
    for tour in tours:
        renew(network, tour)
    best = min(tours, key=_cost)
    if network.free:
        return FreeSearch(Numbering(network, best.route), best.route, seed)
    return WindowSearch(network, best, seed)


class WindowSearch:
    """The search that keeps a schedule, where there are windows."""

    def __init__(self, network: Network, best: Tour, seed: int) -> None:
        self._network = network
        self._best = best
        self._tour, self._kept = new_tour(best.route, seed), new_tour(best.route, seed)
        renew(network, self._tour)
        renew(network, self._kept)
        for node in best.route:
            enqueue(self._tour, int(node))
        leg = _cost(best)[1] % network.price / len(best.route)
        self._heat = (HEAT_WITH_WINDOWS if network.timed else HEAT) * leg
        self._borne = 1 + int(LEAST_BORNE * leg)

    @property
    def best(self) -> Int64:
        """Return the best route so far."""
        return self._best.route

    @property
    def cost(self) -> Cost:
        """Return what the best route costs."""
        return _cost(self._best)

    def adopt(self, route: Int64) -> None:
        """Take a route that is known to be better as the best one."""
        self._best.route[:] = route
        renew(self._network, self._best)

    def advance(self, moves: int, warmth: float) -> int:
        """Look at so many moves, or a few more."""
        tour = self._tour
        before = int(tour.state[MOVES])
        heat = self._heat * warmth
        search(self._network, tour, self._kept, self._best, before + moves, heat, self._borne)
        return int(tour.state[MOVES]) - before

    def anew(self, start: Int64, seed: int) -> "WindowSearch":
        """Set out from another route on the same roads."""
        tour = new_tour(start, seed)
        renew(self._network, tour)
        return WindowSearch(self._network, tour, seed)


class Numbering:
    """Roads whose nodes are numbered along a route, so that near in town is near in memory.

    On 800 stops the search looks at a fifth to a quarter more moves a second for it.
    """

    def __init__(self, network: Network, route: Int64) -> None:
        self.names = route.copy()
        self.numbers = np.empty_like(route)
        self.numbers[route] = np.arange(len(route))
        durations = np.empty_like(network.durations)
        take_square(network.durations, route, durations)
        self.roads: Roads = new_roads(durations)


class FreeSearch:
    """The search that looks at travel alone."""

    def __init__(self, numbering: Numbering, start: Int64, seed: int) -> None:
        self.numbering = numbering
        self.path = new_path(numbering.roads, numbering.numbers[start], seed)
        self._heat = HEAT * int(self.path.state[BEST]) / len(start)

    @property
    def best(self) -> Int64:
        """Return the best route so far."""
        return self.numbering.names[self.path.best]

    @property
    def cost(self) -> Cost:
        """Return what the best route costs."""
        return 0, int(self.path.state[BEST])

    def adopt(self, route: Int64) -> None:
        """Take a route that is known to be better as the best one."""
        best, durations = self.path.best, self.numbering.roads.durations
        best[:] = self.numbering.numbers[route]
        self.path.state[BEST] = durations[best[:-1], best[1:]].sum(dtype=np.int64)

    def advance(self, moves: int, warmth: float) -> int:
        """Look at so many moves, or a few more."""
        before = int(self.path.state[MOVES])
        search_free(self.numbering.roads, self.path, before + moves, self._heat * warmth)
        return int(self.path.state[MOVES]) - before

    def anew(self, start: Int64, seed: int) -> "FreeSearch":
        """Set out from another route on the same roads."""
        return FreeSearch(self.numbering, start, seed)


def _cost(tour: Tour) -> Cost:
    return int(tour.state[LATE]), int(tour.state[SOFT])
