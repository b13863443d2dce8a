"""Every place where one more visit could go on a route, each worked out exactly.

A visit delays whatever comes after it. Windows may be several and may be missed, so the route is
driven to its end with the visit at each place. The rules are those of `schedule`; the tests hold
the two together.
"""

from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

import numpy as np

from roundsman.kit.mapped_code import unmap_code
from roundsman.planning.compiled import (
    COMPILER,
    compiled,
    compiling_alone,
    inlined,
    is_interpreting,
)
from roundsman.planning.fixed_route import FixedRoute, Insertions
from roundsman.planning.matrix import Int64


class _Visits(NamedTuple):
    """A fixed route as the kernel reads it, the new visit behind those of the route."""

    legs: Int64
    to_new: Int64
    from_new: Int64
    service: Int64
    first_window: Int64
    """By visit, and one more for the end of the last."""
    opens: Int64
    closes: Int64


class _Driven(NamedTuple):
    """What the kernel writes; arrays by place."""

    lateness: Int64
    late_visits: Int64
    durations: Int64


def try_insertions(routes: Sequence[FixedRoute]) -> list[Insertions]:
    """Return what every place of every route means."""
    compile_insertions()
    return [_insert(route) for route in routes]


@cache
def compile_insertions() -> None:
    """Compile the kernel, or load it from the cache."""
    if is_interpreting():
        return
    with compiling_alone():
        _insert(
            FixedRoute(
                legs=[1, 1],
                to_new=[1, 1],
                from_new=[1, 1],
                service=[1],
                windows=[[(0, 1)]],
                new_service=1,
                new_windows=[],
            )
        )
    unmap_code(COMPILER)


def _insert(route: FixedRoute) -> Insertions:
    windows = [*route.windows, route.new_windows]
    visits = _Visits(
        legs=np.array(route.legs, np.int64),
        to_new=np.array(route.to_new, np.int64),
        from_new=np.array(route.from_new, np.int64),
        service=np.array([*route.service, route.new_service], np.int64),
        first_window=np.cumsum([0, *map(len, windows)], dtype=np.int64),
        opens=np.array([opens for own in windows for opens, _ in own], np.int64),
        closes=np.array([closes for own in windows for _, closes in own], np.int64),
    )
    driven = _Driven(*(np.zeros_like(visits.legs) for _ in range(3)))
    late_without = _drive_each(visits, driven)
    return Insertions(
        extra_travel=visits.to_new + visits.from_new - visits.legs,
        extra_lateness=driven.lateness - late_without,
        late_visits=driven.late_visits,
        durations=driven.durations,
    )


@compiled
def _drive_each(route: _Visits, driven: _Driven) -> int:
    """Drive the route with the new visit at each place; return how late it is without it."""
    new = len(route.service) - 1
    leaves, late_before, missed_before = 0, 0, 0
    for place in range(new + 1):
        now, late = _serve(route, new, leaves + route.to_new[place])
        lateness, missed = late_before + late, missed_before + (late > 0)
        leg = route.from_new[place]
        for visit in range(place, new):
            now, late = _serve(route, visit, now + leg)
            lateness += late
            missed += late > 0
            leg = route.legs[visit + 1]
        driven.lateness[place] = lateness
        driven.late_visits[place] = missed
        driven.durations[place] = now + leg
        if place < new:
            leaves, late = _serve(route, place, leaves + route.legs[place])
            late_before += late
            missed_before += late > 0
    return late_before


@inlined
def _serve(route: _Visits, visit: int, arrival: int) -> tuple[int, int]:
    """Return when a visit is left, and how late its service begins; as `begin_service`."""
    start, late = arrival, 0
    first, behind = route.first_window[visit], route.first_window[visit + 1]
    if first < behind:
        late = max(0, arrival - route.closes[behind - 1])
    for window in range(first, behind):
        if arrival <= route.closes[window]:
            start = max(arrival, route.opens[window])
            break
    return start + route.service[visit], late
