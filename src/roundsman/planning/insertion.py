"""Every place where one more visit could go on many routes, each worked out exactly.

A visit delays whatever comes after it. Windows may be several and may be missed, so the delay is
followed to the end of each route: for all routes and all places at once, one position of the routes
after another, as array operations. The rules are those of `schedule`; the tests hold the two
together.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from roundsman.planning.problem import Seconds

type Windows = Sequence[tuple[int, int]]
"""Sorted and apart; none is always open."""

_OPEN = (-(2**40), 2**40)


@dataclass(frozen=True, kw_only=True, eq=False, slots=True)
class FixedRoute:
    """A route in its order, and one more visit, which could go before each visit or behind all.

    Time counts from the departure; every sequence has one entry more than there are visits, but
    those of the visits themselves.
    """

    legs: Sequence[int]
    """To each visit, then to the end; 0 without an end."""

    to_new: Sequence[int]
    """From the start, then from each visit, to the new one."""

    from_new: Sequence[int]
    """From the new visit to each visit, then to the end; 0 without an end."""

    service: Sequence[int]
    windows: Sequence[Windows]
    new_service: int
    new_windows: Windows


@dataclass(frozen=True, kw_only=True, eq=False, slots=True)
class Insertions:
    """What each place of one route means; arrays run along the places."""

    extra_travel: Seconds
    extra_lateness: Seconds
    late_visits: Seconds
    """How many visits are late, the new one included."""

    durations: Seconds
    """From the departure to the end, or to the last departure where there is no end."""


def insert_everywhere(routes: Sequence[FixedRoute]) -> list[Insertions]:
    """Return what every place of every route means."""
    if not routes:
        return []
    counts = [len(route.service) for route in routes]
    width = max(counts)
    legs, to_new, from_new = (
        _pack([getattr(route, name) for route in routes], width + 1)
        for name in ("legs", "to_new", "from_new")
    )
    service = _pack([route.service for route in routes], width)
    windows = _pack_windows([route.windows for route in routes], width)
    new_windows = _pack_windows([[route.new_windows] for route in routes], 1)
    is_visit = np.arange(width) < np.array(counts)[:, np.newaxis]

    leaves = np.zeros((len(routes), width + 1), np.int64)
    late_before = np.zeros((len(routes), width + 1), np.int64)
    missed_before = np.zeros((len(routes), width + 1), np.int64)
    for visit in range(width):
        start, late = _begin(leaves[:, visit] + legs[:, visit], windows[:, visit])
        late = np.where(is_visit[:, visit], late, 0)
        leaves[:, visit + 1] = start + service[:, visit]
        late_before[:, visit + 1] = late_before[:, visit] + late
        missed_before[:, visit + 1] = missed_before[:, visit] + (late > 0)

    start, late = _begin(leaves + to_new, new_windows)
    time = start + np.array([route.new_service for route in routes])[:, np.newaxis]
    lateness, missed = late_before + late, missed_before + (late > 0)
    for visit in range(width):
        behind = np.s_[:, : visit + 1]  # the places before this visit, which is reached from them
        leg = np.broadcast_to(legs[:, visit, np.newaxis], time[behind].shape).copy()
        leg[:, visit] = from_new[:, visit]
        start, late = _begin(time[behind] + leg, windows[:, visit, np.newaxis])
        is_here = is_visit[:, visit, np.newaxis]
        time[behind] = np.where(is_here, start + service[:, visit, np.newaxis], time[behind])
        late = np.where(is_here, late, 0)
        lateness[behind] += late
        missed[behind] += late > 0

    extra_travel = to_new + from_new - legs
    return [
        Insertions(
            extra_travel=extra_travel[row, : count + 1],
            extra_lateness=lateness[row, : count + 1] - late_before[row, count],
            late_visits=missed[row, : count + 1],
            durations=time[row, : count + 1]
            + np.array([legs[row, count]] * count + [from_new[row, count]]),
        )
        for row, count in enumerate(counts)
    ]


def _begin(arrival: Seconds, windows: Seconds) -> tuple[Seconds, Seconds]:
    """Return starts of service and how late they are; as `begin_service`, for many at once."""
    start = arrival
    for window in reversed(range(windows.shape[-2])):
        opens, closes = windows[..., window, 0], windows[..., window, 1]
        start = np.where(arrival <= closes, np.maximum(arrival, opens), start)
    return start, np.maximum(arrival - windows[..., -1, 1], 0)


def _pack(rows: Sequence[Sequence[int]], width: int) -> Seconds:
    packed = np.zeros((len(rows), width), np.int64)
    for packed_row, row in zip(packed, rows, strict=True):
        packed_row[: len(row)] = row
    return packed


def _pack_windows(rows: Sequence[Sequence[Windows]], width: int) -> NDArray[np.int64]:
    """Return opening and closing by route, visit and window; the last window fills the rest."""
    most = max((len(windows) for row in rows for windows in row), default=1) or 1
    packed = np.empty((len(rows), width, most, 2), np.int64)
    packed[...] = _OPEN
    for at_route, row in enumerate(rows):
        for at_visit, windows in enumerate(row):
            if windows:
                packed[at_route, at_visit] = [*windows, *[windows[-1]] * (most - len(windows))]
    return packed
