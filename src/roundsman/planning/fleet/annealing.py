"""Steps of ruin and recreate, kept by simulated annealing; and plans as a whole.

A step remembers the routes that it touches, so that undoing it costs what it changed.
"""

import math
from typing import NamedTuple

from roundsman.planning.bookkeeping import draw
from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.fleet.pricing import has_room, price_insertion
from roundsman.planning.fleet.recreate import leave_out, recreate
from roundsman.planning.fleet.reloads import (
    drop_idle_reloads,
    has_trip_room,
    insert_with_reload,
    price_with_reload,
)
from roundsman.planning.fleet.routes import (
    ABSENT,
    AFTER,
    BEFORE,
    CLOSED,
    COUNT,
    HEAD_DRIVING,
    HEAD_DURATION,
    HEAD_EARLIEST,
    HEAD_LATEST,
    HEAD_METRES,
    MOVED,
    RELOADS,
    REMOVED,
    RICH,
    STEPS,
    TAIL_DURATION,
    TAIL_EARLIEST,
    TAIL_LATEST,
    TOTAL,
    TOUCHED,
    VAN,
    WORK,
    Routes,
    insert,
    join_spread,
    leave_spread,
    link,
    measure_spread,
    renew_route,
    unlink,
)
from roundsman.planning.fleet.ruin import FINE, ruin, touch
from roundsman.planning.fleet.rules import (
    END_BREAK,
    FIRST_BREAK,
    LATEST_LEAVE,
    LEAVES,
    LONG_AGO,
    MOST_RELOADS,
    MOST_STOPS,
    SHUTS,
    Float64,
    Int64,
    Rules,
)
from roundsman.planning.fleet.timing import NONE
from roundsman.planning.fleet.totals import count_moves, total_up

MOST_ABSENT_TRIED = 60
LEAST_GAIN = 1e-7


class Best(NamedTuple):
    """The best plan so far."""

    links: Int64
    cost: Float64


@compiled
def reset(rules: Rules, routes: Routes) -> None:
    """Empty every route."""
    stops, vehicles = rules.may.shape
    for stop in range(stops):
        routes.links[stop, VAN] = -1
    for van in range(vehicles):
        slot = stops + van
        routes.links[slot, AFTER] = slot
        routes.links[slot, BEFORE] = slot
        routes.times[slot, HEAD_DURATION] = 0
        routes.times[slot, HEAD_EARLIEST] = rules.van[van, LEAVES]
        routes.times[slot, HEAD_LATEST] = rules.van[van, LATEST_LEAVE]
        routes.times[slot, HEAD_DRIVING] = routes.times[slot, HEAD_METRES] = 0
        routes.times[slot, TAIL_DURATION] = 0
        routes.times[slot, TAIL_EARLIEST] = LONG_AGO
        routes.times[slot, TAIL_LATEST] = rules.van[van, SHUTS]
        routes.van[van, COUNT] = routes.van[van, RELOADS] = routes.van[van, WORK] = 0
        routes.van[van, RICH] = rules.van[van, END_BREAK] > rules.van[van, FIRST_BREAK]
        for load in range(rules.loads.shape[1]):
            routes.load[van, load] = 0
        renew_route(rules, routes, van)
    routes.state[ABSENT] = len(rules.near)
    for stop in range(len(rules.near)):
        routes.absent[stop] = stop
    count_moves(rules, routes)
    routes.totals[TOTAL] = total_up(rules, routes)


@compiled
def anneal(
    rules: Rules,
    routes: Routes,
    best: Best,
    steps: int,
    temperature: float,
    by_misses: bool,  # noqa: FBT001
) -> bool:
    """Take so many steps; by misses, stop once nothing is left out and say so."""
    for _ in range(steps):
        if not take_step(rules, routes, temperature, by_misses):
            continue
        if routes.totals[TOTAL] < best.cost[0] - LEAST_GAIN:
            keep_best(routes, best)
        if by_misses and routes.state[ABSENT] == 0:
            return True
    return False


@compiled
def take_step(  # noqa: C901, PLR0915 -- one kernel
    rules: Rules,
    routes: Routes,
    temperature: float,
    by_misses: bool,  # noqa: FBT001 -- a kernel
) -> bool:
    """Change the routes by one step and keep it or not; say whether it was kept.

    Worse is kept by the rule of simulated annealing; by misses, a step is also kept when the stops
    that it leaves out were left out less often before (section 5.2 of the paper).
    """
    state = routes.state
    state[STEPS] += 1
    state[TOUCHED] = 0
    state[REMOVED] = 0
    before = routes.totals[TOTAL]
    absent_before = state[ABSENT]
    moved_before = state[MOVED]
    for number in range(absent_before):
        routes.kept_absent[number] = routes.absent[number]
    ruin(rules, routes)
    drop_idle_reloads(rules, routes)
    is_possible = True
    for number in range(state[TOUCHED]):
        is_possible = renew_route(rules, routes, routes.touched[number]) and is_possible
    if is_possible:
        is_possible = recreate(rules, routes, MOST_ABSENT_TRIED)
    # Where a pin has put more stops out than may move, a step need not bring all of them back.
    if is_possible and state[MOVED] <= max(rules.most_moved, moved_before):
        cost = total_up(rules, routes)
        allowance = -temperature * math.log((draw(routes, FINE) + 1) / FINE)
        is_kept = cost < before + allowance
        if by_misses:
            missed = _misses(routes, routes.absent, state[ABSENT])
            is_kept = is_kept or missed < _misses(routes, routes.kept_absent, absent_before)
            for number in range(state[ABSENT]):
                routes.misses[routes.absent[number]] += 1
        if is_kept:
            routes.totals[TOTAL] = cost
            return True
    _undo(rules, routes)
    state[ABSENT] = absent_before
    state[MOVED] = moved_before
    for number in range(absent_before):
        routes.absent[number] = routes.kept_absent[number]
        routes.links[routes.absent[number], VAN] = -1
    routes.totals[TOTAL] = before
    return False


@inlined
def _misses(routes: Routes, stops: Int64, count: int) -> int:
    total = 0
    for number in range(count):
        total += routes.misses[stops[number]]
    return total


@compiled
def _undo(rules: Rules, routes: Routes) -> None:
    """Make the touched routes what they were."""
    stops = len(rules.stop)
    for number in range(routes.state[TOUCHED]):
        home = stops + routes.touched[number]
        stop = routes.links[home, AFTER]
        while stop != home:
            routes.links[stop, VAN] = -1
            stop = routes.links[stop, AFTER]
    for spot in range(routes.kept_first[routes.state[TOUCHED]]):
        routes.spread[routes.kept[spot]] = routes.kept_spread[spot]
    for number in range(routes.state[TOUCHED]):
        relink(rules, routes, routes.touched[number], routes.kept, routes.kept_first[number],
               routes.kept_first[number + 1])  # fmt: skip


@inlined
def relink(rules: Rules, routes: Routes, van: int, stops: Int64, begin: int, end: int) -> bool:
    """Make a route of the stops in a part of an array, whose spreads are right already."""
    home = len(rules.stop) + van
    routes.van[van, COUNT] = routes.van[van, RELOADS] = routes.van[van, WORK] = 0
    routes.van[van, RICH] = rules.van[van, END_BREAK] > rules.van[van, FIRST_BREAK]
    for load in range(rules.loads.shape[1]):
        routes.load[van, load] = 0
    routes.links[home, AFTER] = routes.links[home, BEFORE] = home
    for spot in range(begin, end):
        link(rules, routes, van, routes.links[home, BEFORE], stops[spot])
    return renew_route(rules, routes, van)


@inlined
def keep_best(routes: Routes, best: Best) -> None:
    """Take the present plan as the best one."""
    for slot in range(len(best.links)):
        best.links[slot, AFTER] = routes.links[slot, AFTER]
        best.links[slot, VAN] = routes.links[slot, VAN]
    best.cost[0] = routes.totals[TOTAL]


@compiled
def restore(rules: Rules, routes: Routes, best: Best) -> None:
    """Go back to the best plan."""
    stops, vehicles = rules.may.shape
    state = routes.state
    for stop in range(stops):
        routes.links[stop, VAN] = best.links[stop, VAN]
    for van in range(vehicles):
        home = stops + van
        count = 0
        stop = best.links[home, AFTER]
        while stop != home:
            routes.kept[count] = stop
            count += 1
            stop = best.links[stop, AFTER]
        relink(rules, routes, van, routes.kept, 0, count)
        if rules.spread_price > 0:
            measure_spread(rules, routes, van)
            renew_route(rules, routes, van)
    state[ABSENT] = 0
    for stop in range(len(rules.near)):
        if routes.links[stop, VAN] < 0:
            leave_out(routes, stop)
    count_moves(rules, routes)
    routes.totals[TOTAL] = total_up(rules, routes)


@compiled
def empty_route(rules: Rules, routes: Routes, van: int) -> None:
    """Take all stops off a vehicle and close it."""
    home = len(rules.stop) + van
    routes.van[van, CLOSED] = 1
    while routes.links[home, AFTER] != home:
        stop = routes.links[home, AFTER]
        if stop < len(rules.near):
            leave_spread(rules, routes, stop)
            leave_out(routes, stop)
        unlink(rules, routes, stop)
    renew_route(rules, routes, van)
    count_moves(rules, routes)
    routes.totals[TOTAL] = total_up(rules, routes)


@compiled
def build(rules: Rules, routes: Routes) -> None:
    """Put every stop that is on no route where it costs least."""
    state = routes.state
    state[STEPS] += 1
    state[TOUCHED] = state[REMOVED] = 0
    for van in range(len(rules.van)):
        touch(rules, routes, van)  # a stop has all places, also where it is near to none
    for number in range(state[ABSENT]):
        routes.kept_absent[number] = routes.absent[number]
    recreate(rules, routes, len(rules.near))
    routes.totals[TOTAL] = total_up(rules, routes)


@compiled
def lay_route(rules: Rules, routes: Routes, van: int, stops: Int64) -> None:
    """Put stops on an empty route in their order, leaving out what cannot be met that way.

    All at once where that is possible: a part of a route may be longer than the whole, for the way
    past a stop need not be a shortcut.
    """
    home = len(rules.stop) + van
    is_allowed = True
    for spot in range(len(stops)):
        is_allowed = is_allowed and rules.may[stops[spot], van] == 1
        link(rules, routes, van, routes.links[home, BEFORE], stops[spot])
    measure_spread(rules, routes, van)
    if not (is_allowed and _is_within(rules, routes, van) and renew_route(rules, routes, van)):
        for spot in range(len(stops)):
            unlink(rules, routes, stops[spot])
        renew_route(rules, routes, van)
        _lay_one_by_one(rules, routes, van, stops)
    routes.state[ABSENT] = 0
    for stop in range(len(rules.near)):
        if routes.links[stop, VAN] < 0:
            leave_out(routes, stop)
    count_moves(rules, routes)
    routes.totals[TOTAL] = total_up(rules, routes)


@inlined
def _lay_one_by_one(rules: Rules, routes: Routes, van: int, stops: Int64) -> None:
    home = len(rules.stop) + van
    for spot in range(len(stops)):
        stop = stops[spot]
        if not rules.may[stop, van]:
            continue
        if rules.has_reloads and rules.van[van, MOST_RELOADS]:
            _lay_last(rules, routes, van, stop)
            continue
        link(rules, routes, van, routes.links[home, BEFORE], stop)
        join_spread(rules, routes, stop)
        if not _is_within(rules, routes, van) or not renew_route(rules, routes, van):
            leave_spread(rules, routes, stop)
            unlink(rules, routes, stop)
            renew_route(rules, routes, van)


@compiled
def _lay_last(rules: Rules, routes: Routes, van: int, stop: int) -> None:
    """Put a stop at the end of a route where it fits, with a reload before it if need be."""
    last = routes.links[len(rules.stop) + van, BEFORE]
    if not has_room(rules, routes, van, stop):
        return
    if has_trip_room(rules, routes, van, last, stop):
        if price_insertion(rules, routes, van, last, stop, NONE) < NONE:
            insert(rules, routes, van, last, stop)
        return
    price, reload, comes_first = price_with_reload(rules, routes, van, last, stop, NONE)
    if price < NONE:
        insert_with_reload(rules, routes, van, last, stop, reload, comes_first)


@inlined
def _is_within(rules: Rules, routes: Routes, van: int) -> bool:
    """Say whether a route holds no more than its vehicle may."""
    is_within = routes.van[van, COUNT] <= rules.van[van, MOST_STOPS]
    for load in range(rules.loads.shape[1]):
        is_within = is_within and routes.load[van, load] <= rules.capacity[van, load]
    return bool(is_within)


@compiled
def reorder_route(rules: Rules, routes: Routes, best: Best, van: int, stops: Int64) -> bool:
    """Drive a route in another order if that costs less; say whether it does."""
    before = routes.totals[TOTAL]
    home = len(rules.stop) + van
    count = 0
    stop = routes.links[home, AFTER]
    while stop != home:
        routes.kept[count] = stop
        count += 1
        stop = routes.links[stop, AFTER]
    if relink(rules, routes, van, stops, 0, count):
        cost = total_up(rules, routes)
        if cost < before - LEAST_GAIN:
            routes.totals[TOTAL] = cost
            keep_best(routes, best)
            return True
    relink(rules, routes, van, routes.kept, 0, count)
    return False
