"""The routes under search: who follows whom, what each route carries, takes and costs.

Routes are linked lists over slots (stops, reloads, and one slot a vehicle for its ends). Each stop
knows the segment of all before it (`heads`) and of all behind it (`tails`), itself included, so
that a place for one more stop is timed in constant time.
"""

from typing import NamedTuple

import numpy as np

from roundsman.planning.bookkeeping import new_state
from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.fleet.rules import (
    CLOSES,
    END,
    FIXED,
    IS_RICH,
    IS_UNDER_WAY,
    LEAVES_TO_NEXT,
    MOST_METRES,
    MOST_RELOADS,
    MOST_SECONDS,
    NEXT_STOP,
    OPENS,
    PER_METRE,
    PER_SECOND,
    PER_STOP,
    PER_TRAVEL_SECOND,
    PRIORITY,
    PROFILE,
    SERVICE,
    SHUTS,
    START,
    Float64,
    Int64,
    Rules,
)
from roundsman.planning.fleet.timing import NONE, Walk, new_walk, node_of, walk_route

AFTER, BEFORE, VAN, TRIED, LEG_SECONDS, LEG_METRES = range(6)
"""Columns of `Routes.links`: who comes after and before a slot, a stop's vehicle (-1 on no route),
the last search for a place that looked behind the slot, and the leg from it to whoever comes after
(kept here because it is looked at with the others)."""

(
    HEAD_DURATION, HEAD_EARLIEST, HEAD_LATEST, HEAD_DRIVING, HEAD_METRES,
    TAIL_DURATION, TAIL_EARLIEST, TAIL_LATEST,
) = range(8)  # fmt: skip
"""Columns of `Routes.times`: the segment from the start through a stop, with what is driven until
there, and the segment from the stop to the end."""

(
    COUNT, SECONDS, DRIVING, METRES, WORK, SLACK, RICH, CLOSED, TOUCHED_IN, TRIED_KIND, ROOM,
    MEDOID, RELOADS,
) = range(13)  # fmt: skip
"""Columns of `Routes.van`. COUNT is of stops, RELOADS of reloads. WORK is the service at all of
them, SLACK waiting and breaks: so much of the duration may go before it must grow. RICH counts the
stops that need a walk, and 1 more where the vehicle has breaks. CLOSED vehicles may not be used
now. ROOM says whether one more stop may come: twice the number of the search for a place that asked
last, and 1 if it may. MEDOID is the stop with the shortest ways to all others of the route, -1
where there is none."""

COST, LATENESS = range(2)
"""Columns of `Routes.van_cost`: of the whole route, and the part of it that lateness is."""

ABSENT, MOVED, STEPS, TOUCHED, REMOVED, STAMP, BLINK, PENDING = range(4, 12)
"""Counters in `Routes.state`, behind those of the generator of random numbers."""

TOTAL, LONGEST = range(2)
"""Places of `Routes.totals`: what the plan costs, and the seconds or stops of its longest route."""


class Routes(NamedTuple):
    """What the search changes: few arrays, for each is seven arguments of a call."""

    links: Int64
    """By slot."""

    times: Int64
    """By slot: the segment from the start through this stop, and from it to the end; of a vehicle
    the start and the end alone."""

    van: Int64
    van_cost: Float64
    load: Int64
    trips: Int64
    """By slot, where there are reloads: what the trip carries that the slot is on, then what it
    carries of that for the stops until this one. A reload, or the start, is on the trip after it.
    """

    misses: Int64
    """How often each stop was left out at the end of a step."""

    totals: Float64
    state: Int64
    absent: Int64
    touched: Int64
    """The vehicles whose routes this step has changed."""

    kept_first: Int64
    """Where the stops of each touched route begin in `kept`, as they were before the step."""

    kept: Int64
    kept_absent: Int64
    removed: Int64
    keys: Float64
    spread: Int64
    """Metres from each stop to all others of its route, where compactness has a price."""

    kept_spread: Int64
    """The same of the stops in `kept`."""

    walk: Walk


def new_routes(rules: Rules, seed: int) -> Routes:
    """Return room for routes, which `reset` makes empty ones."""
    stops, vehicles = rules.may.shape
    slots = stops + vehicles
    return Routes(
        links=np.full((slots, 6), -1, np.int64),
        times=np.zeros((slots, 8), np.int64),
        van=np.zeros((vehicles, 13), np.int64),
        van_cost=np.zeros((vehicles, 2), np.float64),
        load=np.zeros((vehicles, rules.loads.shape[1]), np.int64),
        trips=np.zeros((slots * rules.has_reloads, 2 * rules.loads.shape[1]), np.int64),
        misses=np.zeros(stops, np.int64),
        totals=np.zeros(2, np.float64),
        state=new_state(seed),
        absent=np.zeros(stops, np.int64),
        touched=np.zeros(vehicles, np.int64),
        kept_first=np.zeros(vehicles + 1, np.int64),
        kept=np.zeros(stops + 1, np.int64),
        kept_absent=np.zeros(stops, np.int64),
        removed=np.zeros(stops + 1, np.int64),
        keys=np.zeros(stops + 1, np.float64),
        spread=np.zeros(stops, np.int64),
        kept_spread=np.zeros(stops + 1, np.int64),
        walk=new_walk(stops),
    )


@inlined
def node_from(rules: Rules, van: int, slot: int) -> int:
    """Return the node where a slot is left."""
    return int(node_of(rules, slot) if slot < len(rules.stop) else rules.van[van, START])


@inlined
def node_to(rules: Rules, van: int, slot: int) -> int:
    """Return the node where a slot is reached."""
    return int(node_of(rules, slot) if slot < len(rules.stop) else rules.van[van, END])


@inlined
def link(rules: Rules, routes: Routes, van: int, behind: int, stop: int) -> None:
    """Put a stop or a reload behind a slot of a route; `renew_route` makes the rest fit."""
    following = routes.links[behind, AFTER]
    routes.links[behind, AFTER] = stop
    routes.links[stop, BEFORE] = behind
    routes.links[stop, AFTER] = following
    routes.links[following, BEFORE] = stop
    routes.links[stop, VAN] = van
    if stop < len(rules.near):
        routes.van[van, COUNT] += 1
    else:
        routes.van[van, RELOADS] += 1
    routes.van[van, RICH] += rules.stop[stop, IS_RICH]
    routes.van[van, WORK] += rules.stop[stop, SERVICE]
    for load in range(rules.loads.shape[1]):
        routes.load[van, load] += rules.loads[stop, load]


@inlined
def unlink(rules: Rules, routes: Routes, stop: int) -> None:
    """Take a stop or a reload off its route; `renew_route` makes the rest fit."""
    van = routes.links[stop, VAN]
    behind, following = routes.links[stop, BEFORE], routes.links[stop, AFTER]
    routes.links[behind, AFTER] = following
    routes.links[following, BEFORE] = behind
    routes.links[stop, VAN] = -1
    if stop < len(rules.near):
        routes.van[van, COUNT] -= 1
    else:
        routes.van[van, RELOADS] -= 1
    routes.van[van, RICH] -= rules.stop[stop, IS_RICH]
    routes.van[van, WORK] -= rules.stop[stop, SERVICE]
    for load in range(rules.loads.shape[1]):
        routes.load[van, load] -= rules.loads[stop, load]


@inlined
def join_spread(rules: Rules, routes: Routes, stop: int) -> None:
    """Count the ways between a stop and the others of the route that it is on now."""
    if rules.spread_price > 0:
        routes.spread[stop] = 0
        change_spread(rules, routes, routes.links[stop, VAN], stop, 1)


@compiled
def change_spread(rules: Rules, routes: Routes, van: int, stop: int, sign: int) -> None:
    """Add or take away the ways between a stop and each other one of a route."""
    home = len(rules.stop) + van
    profile = rules.van[van, PROFILE]
    other = routes.links[home, AFTER]
    while other != home:
        if other != stop and other < len(rules.near):
            routes.spread[other] += sign * rules.legs_back[profile, stop, other, 1]
            routes.spread[stop] += sign * rules.legs[profile, stop, other, 1]
        other = routes.links[other, AFTER]


@inlined
def leave_spread(rules: Rules, routes: Routes, stop: int) -> None:
    """Take away the ways between the others of its route and a stop that is about to leave it."""
    if rules.spread_price > 0:
        change_spread(rules, routes, routes.links[stop, VAN], stop, -1)


@compiled
def measure_spread(rules: Rules, routes: Routes, van: int) -> None:
    """Count the ways between all stops of a route."""
    if rules.spread_price <= 0:
        return
    home = len(rules.stop) + van
    profile = rules.van[van, PROFILE]
    stop = routes.links[home, AFTER]
    while stop != home:
        routes.spread[stop] = 0
        other = routes.links[home, AFTER]
        while other != home:
            if other != stop and max(stop, other) < len(rules.near):
                routes.spread[stop] += rules.legs[profile, stop, other, 1]
            other = routes.links[other, AFTER]
        stop = routes.links[stop, AFTER]


@compiled
def renew_route(rules: Rules, routes: Routes, van: int) -> bool:
    """Work out the segments, sums and cost of a whole route; say whether it is possible.

    A route that was possible is not so without one of its stops where the way past it is no
    shortcut, which tables of roads have by rounding.
    """
    home = len(rules.stop) + van
    _renew_trips(rules, routes, van)
    if routes.van[van, COUNT] == 0 and not rules.van[van, IS_UNDER_WAY]:
        for column in (SECONDS, DRIVING, METRES, SLACK):
            routes.van[van, column] = 0
        routes.van[van, MEDOID] = -1
        routes.van_cost[van, COST] = routes.van_cost[van, LATENESS] = 0.0
        return True
    if not _renew_heads(rules, routes, van, home):
        return False
    _renew_tails(rules, routes, van, routes.links[home, BEFORE])
    return _renew_cost(rules, routes, van)


@compiled
def insert(rules: Rules, routes: Routes, van: int, behind: int, stop: int) -> bool:
    """Put a stop behind a slot, and work out anew what follows from that."""
    link(rules, routes, van, behind, stop)
    join_spread(rules, routes, stop)
    _renew_trips(rules, routes, van)
    if not _renew_heads(rules, routes, van, behind):
        return False
    _renew_tails(rules, routes, van, stop)
    return _renew_cost(rules, routes, van)


@inlined
def _renew_trips(rules: Rules, routes: Routes, van: int) -> None:
    """Work out what each trip of a vehicle that may reload carries."""
    if rules.has_reloads and rules.van[van, MOST_RELOADS]:
        renew_trips(rules, routes, van)


@compiled
def renew_trips(rules: Rules, routes: Routes, van: int) -> None:
    """Work out what each trip of a vehicle carries, and what of that until each stop."""
    stops, home = len(rules.near), len(rules.stop) + van
    trips, loads = routes.trips, rules.loads.shape[1]
    for load in range(loads):
        on_board = trips[home, loads + load] = 0
        slot = routes.links[home, AFTER]
        while slot != home:
            on_board = on_board + rules.loads[slot, load] if slot < stops else 0
            trips[slot, loads + load] = on_board
            slot = routes.links[slot, AFTER]
        slot = routes.links[home, BEFORE]
        while slot != home:
            trips[slot, load] = on_board
            if slot >= stops:
                on_board = trips[routes.links[slot, BEFORE], loads + load]
            slot = routes.links[slot, BEFORE]
        trips[home, load] = on_board


@inlined
def _renew_heads(  # noqa: PLR0915 -- one kernel
    rules: Rules, routes: Routes, van: int, behind: int
) -> bool:
    """Renew what depends on the stops before, from the stop after a slot to the end."""
    stops = len(rules.stop)
    home = stops + van
    legs, profile = rules.legs, rules.van[van, PROFILE]
    stop = routes.links[behind, AFTER]
    slot, here = behind, node_from(rules, van, behind)
    duration = routes.times[behind, HEAD_DURATION]
    earliest = routes.times[behind, HEAD_EARLIEST]
    latest = routes.times[behind, HEAD_LATEST]
    driving, metres = routes.times[behind, HEAD_DRIVING], routes.times[behind, HEAD_METRES]
    if behind == home and stop == rules.van[van, NEXT_STOP]:
        earliest = latest = rules.van[van, LEAVES_TO_NEXT]
    while True:
        target = node_to(rules, van, stop)
        travel = legs[profile, here, target, 0]
        routes.links[slot, LEG_SECONDS] = travel
        driving += travel
        if rules.has_metres:
            routes.links[slot, LEG_METRES] = legs[profile, here, target, 1]
            metres += legs[profile, here, target, 1]
        duration += travel
        if stop == home:
            break
        opens, closes = rules.stop[stop, OPENS], rules.stop[stop, CLOSES]
        if earliest + duration > closes:
            return False
        waits = max(0, opens - duration - latest)
        earliest = max(opens - duration, earliest) - waits
        latest = min(closes - duration, latest)
        duration += waits + rules.stop[stop, SERVICE]
        routes.times[stop, HEAD_DURATION] = duration
        routes.times[stop, HEAD_EARLIEST] = earliest
        routes.times[stop, HEAD_LATEST] = latest
        routes.times[stop, HEAD_DRIVING] = driving
        routes.times[stop, HEAD_METRES] = metres
        here, slot = target, stop
        stop = routes.links[stop, AFTER]
    routes.van[van, SECONDS] = duration
    routes.van[van, DRIVING] = driving
    routes.van[van, METRES] = metres
    return bool(
        earliest + duration <= rules.van[van, SHUTS] and metres <= rules.van[van, MOST_METRES]
    )


@inlined
def _renew_tails(rules: Rules, routes: Routes, van: int, last: int) -> None:
    """Renew what depends on the stops behind, from a slot back to the start."""
    home = len(rules.stop) + van
    if last == home:
        return
    following = routes.links[last, AFTER]
    duration = routes.times[following, TAIL_DURATION]
    earliest = routes.times[following, TAIL_EARLIEST]
    latest = routes.times[following, TAIL_LATEST]
    stop = last
    while stop != home:
        reach = rules.stop[stop, SERVICE] + routes.links[stop, LEG_SECONDS]
        opens, closes = rules.stop[stop, OPENS], rules.stop[stop, CLOSES]
        waits = max(0, earliest - reach - closes)
        earliest = max(earliest - reach, opens) - waits
        latest = min(latest - reach, closes)
        duration += reach + waits
        routes.times[stop, TAIL_DURATION] = duration
        routes.times[stop, TAIL_EARLIEST] = earliest
        routes.times[stop, TAIL_LATEST] = latest
        stop = routes.links[stop, BEFORE]


@inlined
def _renew_cost(rules: Rules, routes: Routes, van: int) -> bool:
    """Work out the duration and the cost of a route whose segments are right."""
    lateness = 0.0
    if routes.van[van, RICH] and routes.van[van, COUNT]:
        home = len(rules.stop) + van
        count, stop = 0, routes.links[home, AFTER]
        while stop != home:
            routes.walk.path[count] = stop
            count += 1
            stop = routes.links[stop, AFTER]
        lateness = walk_route(rules, routes.walk, van, count)
        if lateness >= NONE:
            return False
        routes.van[van, SECONDS] = routes.walk.result[0]
    duration, driving = routes.van[van, SECONDS], routes.van[van, DRIVING]
    if duration > rules.van[van, MOST_SECONDS]:
        return False
    routes.van[van, SLACK] = duration - driving - routes.van[van, WORK]
    routes.van_cost[van, LATENESS] = lateness
    routes.van_cost[van, COST] = (
        rules.van_price[van, FIXED]
        + rules.van_price[van, PER_SECOND] * duration
        + rules.van_price[van, PER_TRAVEL_SECOND] * driving
        + rules.van_price[van, PER_METRE] * routes.van[van, METRES]
        + rules.van_price[van, PER_STOP] * routes.van[van, COUNT]
        + lateness
    )
    if rules.inversion_price > 0:
        routes.van_cost[van, COST] += rules.inversion_price * _inversions(rules, routes, van)
    if rules.has_vehicle_prices:
        routes.van_cost[van, COST] += _vehicle_price(rules, routes, van)
    if rules.spread_price > 0:
        routes.van_cost[van, COST] += rules.spread_price * _find_medoid(rules, routes, van)
    return True


@inlined
def _vehicle_price(rules: Rules, routes: Routes, van: int) -> float:
    """Return what the stops of a route cost because this vehicle serves them."""
    home = len(rules.stop) + van
    price = 0.0
    stop = routes.links[home, AFTER]
    while stop != home:
        if stop < len(rules.near):
            price += rules.vehicle_price[stop, van]
        stop = routes.links[stop, AFTER]
    return price


@inlined
def _find_medoid(rules: Rules, routes: Routes, van: int) -> int:
    """Find the stop with the shortest ways to the others of its route; return how long they are."""
    home = len(rules.stop) + van
    medoid, shortest = -1, 0
    stop = routes.links[home, AFTER]
    while stop != home:
        spread = routes.spread[stop]
        is_nearer = medoid < 0 or spread < shortest or (spread == shortest and stop < medoid)
        if is_nearer and stop < len(rules.near):
            medoid, shortest = stop, spread
        stop = routes.links[stop, AFTER]
    routes.van[van, MEDOID] = medoid
    return shortest


@inlined
def _inversions(rules: Rules, routes: Routes, van: int) -> int:
    """Count the pairs of a route of which the later has the higher priority."""
    stops, home = len(rules.near), len(rules.stop) + van
    pairs = 0
    stop = routes.links[home, AFTER]
    while stop != home:
        later = routes.links[stop, AFTER]
        while later != home:
            is_worse = rules.stop[later, PRIORITY] > rules.stop[stop, PRIORITY]
            pairs += is_worse and max(stop, later) < stops
            later = routes.links[later, AFTER]
        stop = routes.links[stop, AFTER]
    return pairs
