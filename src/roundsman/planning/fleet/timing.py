"""When what happens on one route: segments that join in constant time, and an exact walk.

A *segment* is a run of stops as (duration, earliest, latest): started between earliest and latest
it takes its duration, which is the least possible; started sooner it waits, later it cannot be.
Joining two takes constant time (Vidal et al. 2013, section 4.2, without penalties), and the
duration of a whole route is the one of its latest free departure.

Breaks, several windows and lateness at a price do not join. There the segments still bound from
below, and a walk along the route decides. It keeps, for each number of breaks taken so far, the
segment that is done soonest.
"""

from typing import NamedTuple

import numpy as np

from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.fleet.rules import (
    END,
    END_BREAK,
    END_WINDOW,
    FIRST_BREAK,
    FIRST_WINDOW,
    LATE,
    LATEST_LEAVE,
    LEAVES,
    LEAVES_TO_NEXT,
    LONG_AGO,
    MOST_LATE,
    MOST_SECONDS,
    NEXT_STOP,
    NODE,
    OPENS,
    PER_SECOND,
    PROFILE,
    SERVICE,
    SHUTS,
    START,
    Float64,
    Int64,
    Rules,
)

NONE = 1e18
"""Dearer than anything: not possible."""

MOST_BREAKS = 3


class Walk(NamedTuple):
    """Room for one walk: segments by breaks taken, and what is told of them."""

    path: Int64
    """The stops and reloads of the route under the walk."""

    duration: Int64
    earliest: Int64
    latest: Int64
    lateness: Float64
    is_open: Int64
    """1 where so many breaks are possible here."""

    took_break: Int64
    """By position and breaks taken: how many of them before leaving the position before."""

    result: Int64
    """Duration, departure, end, the number of breaks taken."""


def new_walk(stops: int) -> Walk:
    """Return room for routes of so many stops."""
    states = MOST_BREAKS + 1
    return Walk(
        path=np.zeros(stops + 1, np.int64),
        duration=np.zeros(states, np.int64),
        earliest=np.zeros(states, np.int64),
        latest=np.zeros(states, np.int64),
        lateness=np.zeros(states, np.float64),
        is_open=np.zeros(states, np.int64),
        took_break=np.zeros((stops + 2, states), np.int64),
        result=np.zeros(4, np.int64),
    )


@inlined
def node_of(rules: Rules, stop: int) -> int:
    """Return the node of a stop or a reload."""
    return int(stop if stop < len(rules.near) else rules.stop[stop, NODE])


@compiled
def walk_route(rules: Rules, walk: Walk, van: int, count: int) -> float:
    """Time the route in `walk.path`; return the price of its lateness, or NONE if not possible."""
    begin_walk(rules, walk, van, walk.path[0])
    legs, profile = rules.legs, rules.van[van, PROFILE]
    here = rules.van[van, START]
    is_on_its_way = walk.path[0] == rules.van[van, NEXT_STOP]
    for position in range(count):
        stop = walk.path[position]
        if position or not is_on_its_way:
            take_breaks(rules, walk, van, position)
        node = node_of(rules, stop)
        if not _serve(
            rules, walk, stop, legs[profile, here, node, 0], rules.van_price[van, PER_SECOND]
        ):
            return NONE
        here = node
    take_breaks(rules, walk, van, count)
    return _end(rules, walk, van, legs[profile, here, rules.van[van, END], 0])


@inlined
def begin_walk(rules: Rules, walk: Walk, van: int, first: int) -> None:
    """Stand at the start: with all breaks ahead, or leave when the windows of some are past."""
    breaks = rules.van[van, END_BREAK] - rules.van[van, FIRST_BREAK]
    leaves = (
        rules.van[van, LEAVES_TO_NEXT]
        if first == rules.van[van, NEXT_STOP]
        else rules.van[van, LEAVES]
    )
    latest = leaves if leaves < rules.van[van, LEAVES] else rules.van[van, LATEST_LEAVE]
    for taken in range(MOST_BREAKS + 1):
        walk.is_open[taken] = 0
    walk.is_open[0] = 1
    walk.duration[0], walk.earliest[0], walk.latest[0] = 0, leaves, latest
    walk.lateness[0] = 0.0
    for taken in range(1, breaks + 1):
        closes = rules.breaks[rules.van[van, FIRST_BREAK] + taken - 1, 1]
        leaves = max(leaves, closes + 1)
        if leaves > latest:
            break
        walk.is_open[taken] = 1
        walk.duration[taken], walk.earliest[taken], walk.latest[taken] = 0, leaves, latest
        walk.lateness[taken] = 0.0


@inlined
def take_breaks(rules: Rules, walk: Walk, van: int, position: int) -> None:
    """Take breaks where the vehicle stands, wherever that is the sooner way to have had them."""
    first = rules.van[van, FIRST_BREAK]
    breaks = rules.van[van, END_BREAK] - first
    for taken in range(breaks + 1):
        walk.took_break[position, taken] = 0
    for taken in range(1, breaks + 1):
        before = taken - 1
        if not walk.is_open[before]:
            continue
        rest = first + before
        done = walk.earliest[before] + walk.duration[before]
        begins = max(done, rules.breaks[rest, 0])
        if begins > rules.breaks[rest, 1]:
            continue
        if walk.is_open[taken] and (
            walk.earliest[taken] + walk.duration[taken] <= begins + rules.breaks[rest, 2]
        ):
            continue
        walk.duration[taken] = walk.duration[before]
        walk.earliest[taken] = walk.earliest[before]
        walk.latest[taken] = walk.latest[before]
        walk.lateness[taken] = walk.lateness[before]
        walk.is_open[taken] = 1
        walk.took_break[position, taken] = walk.took_break[position, before] + 1
        _join(walk, taken, 0, rules.breaks[rest, 0], rules.breaks[rest, 1], rules.breaks[rest, 2])


@inlined
def _join(walk: Walk, taken: int, travel: int, opens: int, closes: int, duration: int) -> None:
    """Go on to something that begins in a window, which is known to be possible."""
    reach = walk.duration[taken] + travel
    waits = max(0, opens - reach - walk.latest[taken])
    walk.earliest[taken] = max(opens - reach, walk.earliest[taken]) - waits
    walk.latest[taken] = min(closes - reach, walk.latest[taken])
    walk.duration[taken] = reach + duration + waits


@inlined
def _serve(rules: Rules, walk: Walk, stop: int, travel: int, waiting_price: float) -> bool:
    """Go on to a stop in every state; say whether any state can."""
    can = False
    for taken in range(MOST_BREAKS + 1):
        if not walk.is_open[taken]:
            continue
        arrives = walk.earliest[taken] + walk.duration[taken] + travel
        begins, closes = choose_window(rules, stop, arrives, waiting_price)
        if begins > closes:
            walk.is_open[taken] = 0
            continue
        late = begins - closes_on_time(rules, stop, begins)
        if late > 0:
            walk.lateness[taken] += late * rules.stop_price[stop, LATE]
        _join(walk, taken, travel, min(begins, opens_of(rules, stop, begins)), closes,
              rules.stop[stop, SERVICE])  # fmt: skip
        can = True
    return can


@inlined
def choose_window(rules: Rules, stop: int, arrives: int, waiting_price: float) -> tuple[int, int]:
    """Return when service begins, and until when it might at no more cost; never if that is sooner.

    Who comes between two windows is late for one or waits for the other, whichever costs less.
    """
    begin = rules.stop[stop, FIRST_WINDOW]
    end = rules.stop[stop, END_WINDOW]
    # Where all windows are past, the one that is left opens now and has closed.
    arrives = max(arrives, rules.stop[stop, OPENS])
    late_closes = LONG_AGO
    for number in range(begin, end):
        opens, closes = rules.windows[number, 0], rules.windows[number, 1]
        if arrives <= closes:
            if arrives >= opens:
                return arrives, closes
            if number > begin:
                late = arrives - rules.windows[number - 1, 1]
                if (
                    late <= rules.stop[stop, MOST_LATE]
                    and late * rules.stop_price[stop, LATE] < (opens - arrives) * waiting_price
                ):
                    return arrives, arrives
            return opens, closes
        late_closes = closes
    if arrives - late_closes <= rules.stop[stop, MOST_LATE]:
        return arrives, arrives
    return arrives, arrives - 1


@inlined
def closes_on_time(rules: Rules, stop: int, begins: int) -> int:
    """Return the last moment on time for the window that a service belongs to."""
    closes = begins
    for number in range(rules.stop[stop, FIRST_WINDOW], rules.stop[stop, END_WINDOW]):
        if rules.windows[number, 0] > begins:
            break
        closes = rules.windows[number, 1]
    return closes


@inlined
def opens_of(rules: Rules, stop: int, begins: int) -> int:
    """Return when the window opens that a service belongs to; a late one has no other moment."""
    opens = begins
    for number in range(rules.stop[stop, FIRST_WINDOW], rules.stop[stop, END_WINDOW]):
        if rules.windows[number, 0] <= begins <= rules.windows[number, 1]:
            opens = rules.windows[number, 0]
    return opens


@inlined
def _leave(rules: Rules, walk: Walk, van: int, taken: int, duration: int) -> int:
    """Return a departure that owes no break; when the shift is over where there is none.

    Who leaves as late as costs nothing may leave when the windows of breaks have just closed.
    """
    rests = range(rules.van[van, FIRST_BREAK] + taken, rules.van[van, END_BREAK])
    departure = walk.earliest[taken]
    for rest in rests:
        closes = rules.breaks[rest, 1]
        if departure <= closes <= departure + duration:
            departure = max(departure, min(closes + 1, walk.latest[taken]))
    for rest in rests:
        if departure <= rules.breaks[rest, 1] <= departure + duration:
            return int(rules.van[van, SHUTS] + 1)
    return int(departure)


@inlined
def _end(rules: Rules, walk: Walk, van: int, travel: int) -> float:
    """End the route in the cheapest state that owes no break; return the price of lateness."""
    breaks = rules.van[van, END_BREAK] - rules.van[van, FIRST_BREAK]
    best, found, leaves = NONE, -1, 0
    for taken in range(breaks + 1):
        if not walk.is_open[taken]:
            continue
        duration = walk.duration[taken] + travel
        departure = _leave(rules, walk, van, taken, duration)
        if departure + duration > rules.van[van, SHUTS] or duration > rules.van[van, MOST_SECONDS]:
            continue
        price = walk.lateness[taken] + rules.van_price[van, PER_SECOND] * duration
        if price < best:
            best, found, leaves = price, taken, departure
    if found < 0:
        return NONE
    walk.result[0] = walk.duration[found] + travel
    walk.result[1] = leaves
    walk.result[2] = walk.result[0] + walk.result[1]
    walk.result[3] = found
    return float(walk.lateness[found])
