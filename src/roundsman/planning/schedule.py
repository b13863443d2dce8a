"""The one place that says when things happen: arrival, waiting, service, departure, lateness.

Plan mode: it takes an order as given and never changes it. All arrays run along the full path:
the start first, then the visits in driving order, then the end when there is one. The search
keeps its own running copy of these rules for speed (`timing`); the tests hold the two together.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from roundsman.planning.problem import Problem, Seconds


@dataclass(frozen=True, eq=False, slots=True)
class Schedule:
    """What driving one order means; every array is indexed along `path`."""

    path: tuple[int, ...]
    """Start, visits in driving order, end if any."""
    arrivals: Seconds
    service_starts: Seconds
    departures: Seconds
    lateness: Seconds
    """Seconds after the last window's closing, by position along the path."""
    travel_seconds: int
    duration_seconds: int
    """From departure to the end's arrival, or to the last departure when the route is open."""
    excess_seconds: int
    """How far the duration exceeds the problem's `max_duration`."""
    inversions: int
    """Pairs of visits of which the later one has the higher priority."""
    distance_meters: int | None

    @property
    def lateness_seconds(self) -> int:
        """Return the sum of all lateness, without the excess duration."""
        return int(self.lateness.sum())

    @property
    def waiting(self) -> Seconds:
        """Return the seconds between arrival and start of service along the path."""
        return self.service_starts - self.arrivals

    @property
    def cost(self) -> tuple[int, int, int]:
        """Return what is minimised, first things first: lateness and excess, inversions, travel."""
        return self.lateness_seconds + self.excess_seconds, self.inversions, self.travel_seconds


def schedule(problem: Problem, order: Sequence[int]) -> Schedule:
    """Say what happens when the visits are driven in this order."""
    path = problem.path(problem.check_order("order", order))
    legs = [int(problem.durations[here, there]) for here, there in pairwise(path)]
    arrivals, starts, departures, lateness = [problem.departure], [problem.departure], [], [0]
    departures.append(problem.departure + int(problem.service[problem.start]))
    for node, leg in zip(path[1:], legs, strict=True):
        arrival = departures[-1] + leg
        start, late = begin_service(problem.windows[node], arrival)
        arrivals.append(arrival)
        starts.append(start)
        lateness.append(late)
        departures.append(start + int(problem.service[node]))
    if problem.end is not None:
        departures[-1] = starts[-1]  # the route is over: nothing is served at its end
    duration = (departures[-1] if problem.end is None else arrivals[-1]) - problem.departure
    limit = duration if problem.max_duration is None else problem.max_duration
    return Schedule(
        path=tuple(path),
        arrivals=np.array(arrivals, dtype=np.int64),
        service_starts=np.array(starts, dtype=np.int64),
        departures=np.array(departures, dtype=np.int64),
        lateness=np.array(lateness, dtype=np.int64),
        travel_seconds=sum(legs),
        duration_seconds=duration,
        excess_seconds=max(0, duration - limit),
        inversions=count_priority_inversions(problem, order),
        distance_meters=_distance(problem, path),
    )


def begin_service(windows: Sequence[tuple[int, int]], arrival: int) -> tuple[int, int]:
    """Return when service starts for an arrival, and how late that is; windows are sorted."""
    for opens, closes in windows:
        if arrival <= closes:
            return max(arrival, opens), 0
    return arrival, arrival - windows[-1][1] if windows else 0


def count_priority_inversions(problem: Problem, order: Sequence[int]) -> int:
    """Count the pairs in which a visit precedes one of higher priority."""
    ranks = problem.priority[np.asarray(order, dtype=np.int64)]
    return sum(int((ranks[position + 1 :] > rank).sum()) for position, rank in enumerate(ranks))


def _distance(problem: Problem, path: Sequence[int]) -> int | None:
    if problem.distances is None:
        return None
    return sum(int(problem.distances[here, there]) for here, there in pairwise(path))
