"""Recreate: putting stops back, each at the place where it costs least.

After Christiaens & Vanden Berghe (2020, section 4.2): greedy, in an order that is drawn, and each
place is passed over now and then. Ours looks for places beside near stops only, as the time of a
step then does not grow with the number of stops.
"""

import math

from roundsman.planning.bookkeeping import draw
from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.fleet.pricing import has_room, may_follow, price_insertion
from roundsman.planning.fleet.reloads import (
    find_new_trip,
    has_trip_room,
    insert_with_reload,
    may_reload,
    merge_trips,
    price_with_reload,
)
from roundsman.planning.fleet.routes import (
    ABSENT,
    AFTER,
    BEFORE,
    BLINK,
    COUNT,
    LONGEST,
    MOVED,
    PENDING,
    REMOVED,
    ROOM,
    STAMP,
    TOUCHED,
    TRIED,
    TRIED_KIND,
    VAN,
    Routes,
    insert,
)
from roundsman.planning.fleet.ruin import FINE, chance, touch
from roundsman.planning.fleet.rules import CLOSES, DROP, FIXED, HOME, KIND, OPENS, START, Rules
from roundsman.planning.fleet.timing import NONE
from roundsman.planning.fleet.totals import find_longest, note_length

OPENS_ANYWAY = 0.1
"""The chance that a stop which is worth no vehicle alone has one opened for it."""

OPENS_FOR_WISHES = 0.005
"""The chance that a stop has a vehicle opened for it where routes should be compact or even: no
stop alone is worth that, and a whole part of a town may be."""

SHORT_WAYS = 34
"""Of the ways to sort where something was left out, beside 17 others: half by price, half by price
for each part of a vehicle."""

OTHER_FIRST = 0.1
"""The chance that empty vehicles of a kind are passed over: those that cost the first stop as much
as others may be better for the stops that follow, by their room or their places to reload."""

LEAST_FILLED = 1e-3
ENDLESS = 1e18

SHORTER = 0.25
"""By so much of its length at most a route may be shorter and count as the longest in a step."""

BLINKS = 0.01
"""The chance that a place is passed over."""


@compiled
def recreate(  # noqa: C901 -- one kernel
    rules: Rules, routes: Routes, most_absent: int
) -> bool:
    """Put back what was removed and what was left out before, each at its cheapest place."""
    state = routes.state
    absent = state[ABSENT]
    state[ABSENT] = 0
    first = draw(routes, absent) if absent > most_absent else 0
    for number in range(absent):
        stop = routes.kept_absent[(first + number) % absent]
        if number < most_absent:
            routes.removed[state[REMOVED]] = stop
            state[REMOVED] += 1
        else:
            leave_out(routes, stop)
    _sort(rules, routes, absent > 0)
    state[PENDING] = 0
    _draw_longest(rules, routes)
    for number in range(state[REMOVED]):
        state[PENDING] += rules.stop[routes.removed[number], HOME] >= 0
    for number in range(state[REMOVED]):
        stop = routes.removed[number]
        state[PENDING] -= rules.stop[stop, HOME] >= 0
        van, behind, reload, comes_first = _find_position(rules, routes, stop)
        if van < 0:
            leave_out(routes, stop)
            continue
        touch(rules, routes, van)
        if rules.stop[stop, HOME] == van:
            state[MOVED] -= 1
        if reload >= 0:
            if not insert_with_reload(rules, routes, van, behind, stop, reload, comes_first):
                return False
        elif not insert(rules, routes, van, behind, stop):
            return False
        note_length(rules, routes, van)
    merge_trips(rules, routes)
    return True


@inlined
def _draw_longest(rules: Rules, routes: Routes) -> None:
    """Say from which length on a route counts as the longest while stops are put back.

    Shorter than the real one in some steps, so that stops go to shorter routes at a detour, too.
    """
    find_longest(rules, routes)
    if rules.longest_price > 0:
        routes.totals[LONGEST] *= 1.0 - SHORTER * chance(routes)


@inlined
def leave_out(routes: Routes, stop: int) -> None:
    routes.absent[routes.state[ABSENT]] = stop
    routes.state[ABSENT] += 1


@inlined
def _find_position(  # noqa: C901, PLR0915 -- one kernel
    rules: Rules, routes: Routes, stop: int
) -> tuple[int, int, int, bool]:
    """Return the vehicle and the slot behind which a stop costs least, or -1 where it stays out.

    And the reload that it needs there, if any, and whether that comes before the stop.
    """
    stops, vehicles = rules.may.shape
    best_reload, is_before = -1, False
    state = routes.state
    state[STAMP] += 1
    stamp = state[STAMP]
    best, best_van, best_slot = rules.stop_price[stop, DROP], -1, -1
    home = rules.stop[stop, HOME]
    for spot in range(rules.near.shape[1]):
        near = rules.near[stop, spot]
        van = routes.links[near, VAN]
        if van < 0:
            continue
        room = routes.van[van, ROOM]
        if room >> 1 != stamp:
            room = 2 * stamp + has_room(rules, routes, van, stop)
            routes.van[van, ROOM] = room
        if not room & 1:
            continue
        spared = rules.move_price if van == home else 0.0
        for side in range(2):
            slot = near if side else routes.links[near, BEFORE]
            if routes.links[slot, TRIED] == stamp:
                continue
            routes.links[slot, TRIED] = stamp
            state[BLINK] -= 1
            if state[BLINK] < 0:
                state[BLINK] = _draw_blink(routes)
                continue
            if not may_follow(rules, routes, van, slot, stop):
                continue
            if rules.has_reloads and not has_trip_room(rules, routes, van, slot, stop):
                if not may_reload(rules, routes, van):
                    continue
                price, reload, comes_first = price_with_reload(
                    rules, routes, van, slot, stop, best + spared
                )
                if price - spared < best:
                    best, best_van, best_slot = price - spared, van, slot
                    best_reload, is_before = reload, comes_first
                continue
            price = price_insertion(rules, routes, van, slot, stop, best + spared) - spared
            if price < best:
                best, best_van, best_slot, best_reload = price, van, slot, -1
    for van in range(vehicles):
        if routes.van[van, COUNT] or routes.van[rules.van[van, KIND], TRIED_KIND] == stamp:
            continue
        if not has_room(rules, routes, van, stop):
            continue
        routes.van[rules.van[van, KIND], TRIED_KIND] = stamp
        if rules.has_reloads and chance(routes) < OTHER_FIRST:
            continue
        spared = rules.move_price if van == home else 0.0
        price = price_insertion(rules, routes, van, stops + van, stop, best + spared) - spared
        if price < best:
            best, best_van, best_slot, best_reload = price, van, stops + van, -1
    if rules.has_reloads:
        for van in range(vehicles):
            if may_reload(rules, routes, van) and has_room(rules, routes, van, stop):
                spared = rules.move_price if van == home else 0.0
                price, slot, reload, comes_first = find_new_trip(
                    rules, routes, van, stop, best + spared
                )
                if price - spared < best:
                    best, best_van, best_slot = price - spared, van, slot
                    best_reload, is_before = reload, comes_first
    if best_van < 0:
        best_van, best_slot, best_reload, is_before = _find_any_position(rules, routes, stop, stamp)
    if best_van < 0 and chance(routes) < OPENS_ANYWAY:
        best_van, best_slot = _open_route(rules, routes, stop, rules.stop_price[stop, DROP])
    has_wishes = rules.spread_price > 0 or rules.longest_price > 0
    if has_wishes and best_van >= 0 and chance(routes) < OPENS_FOR_WISHES:
        van, slot = _open_route(rules, routes, stop, NONE)
        if van >= 0:
            best_van, best_slot, best_reload = van, slot, -1
    return best_van, best_slot, best_reload, is_before


@compiled
def _open_route(rules: Rules, routes: Routes, stop: int, most: float) -> tuple[int, int]:
    """Return the empty vehicle that would take a stop for least if it cost nothing to use it.

    No stop alone may be worth a vehicle that several are, nor a route that is the longest.
    """
    stops = len(rules.stop)
    longest = routes.totals[LONGEST]
    routes.totals[LONGEST] = ENDLESS
    best, best_van = NONE, -1
    for van in range(len(rules.van)):
        fixed = rules.van_price[van, FIXED]
        if routes.van[van, COUNT] or fixed <= 0 or not has_room(rules, routes, van, stop):
            continue
        limit = min(best, most + fixed)
        price = price_insertion(rules, routes, van, stops + van, stop, limit)
        if price < limit:
            best, best_van = price, van
    routes.totals[LONGEST] = longest
    return best_van, stops + best_van


@compiled
def _find_any_position(
    rules: Rules, routes: Routes, stop: int, stamp: int
) -> tuple[int, int, int, bool]:
    """Look through the other places of the routes that this step has changed."""
    stops = len(rules.stop)
    best_reload, is_before = -1, False
    best, best_van, best_slot = rules.stop_price[stop, DROP], -1, -1
    for number in range(routes.state[TOUCHED]):
        van = routes.touched[number]
        if not has_room(rules, routes, van, stop):
            continue
        spared = rules.move_price if van == rules.stop[stop, HOME] else 0.0
        slot = stops + van
        while True:
            if routes.links[slot, TRIED] != stamp and may_follow(rules, routes, van, slot, stop):
                reload, comes_first = -1, False
                if not rules.has_reloads or has_trip_room(rules, routes, van, slot, stop):
                    price = price_insertion(rules, routes, van, slot, stop, best + spared) - spared
                else:
                    price, reload, comes_first = price_with_reload(
                        rules, routes, van, slot, stop, best + spared
                    )
                    price -= spared
                if price < best:
                    best, best_van, best_slot = price, van, slot
                    best_reload, is_before = reload, comes_first
            slot = routes.links[slot, AFTER]
            if slot >= stops:
                break
    return best_van, best_slot, best_reload, is_before


@inlined
def _draw_blink(routes: Routes) -> int:
    """Draw how many places are looked at before one is passed over."""
    return int(math.log((draw(routes, FINE) + 1) / FINE) / math.log(1.0 - BLINKS))


@inlined
def _sort(  # noqa: C901 -- a draw of nine ways
    rules: Rules,
    routes: Routes,
    is_short: bool,  # noqa: FBT001 -- a kernel
) -> None:
    """Sort what is to be put back: by chance, load, distance, or windows (section 4.2).

    Where something was left out, also by what leaving it out costs, whole or for each part of a
    vehicle that it fills (Dantzig 1957): who stays behind is a knapsack's question. A factor that
    is drawn keeps the same stops from being the last ones every time.
    """
    way = draw(routes, 17 + SHORT_WAYS * is_short)
    for number in range(routes.state[REMOVED]):
        stop = routes.removed[number]
        if way < 4:
            key = chance(routes)
        elif way < 8:
            key = 0.0
            for load in range(rules.loads.shape[1]):
                key -= rules.loads[stop, load] * rules.load_weight[load]
        elif way < 11:
            seconds = rules.legs[0, rules.van[0, START], stop, 0]
            key = float(-seconds if way < 10 else seconds)
        elif way < 13:
            key = float(rules.stop[stop, CLOSES] - rules.stop[stop, OPENS])
        elif way < 15:
            key = float(rules.stop[stop, OPENS])
        elif way < 17:
            key = float(-rules.stop[stop, CLOSES])
        else:
            key = -rules.stop_price[stop, DROP] * (0.5 + chance(routes))
            if way >= 17 + SHORT_WAYS // 2:
                filled = LEAST_FILLED
                for load in range(rules.loads.shape[1]):
                    filled += rules.loads[stop, load] * rules.load_weight[load]
                key /= filled
        spot = number
        while spot > 0 and routes.keys[spot - 1] > key:
            routes.keys[spot] = routes.keys[spot - 1]
            routes.removed[spot] = routes.removed[spot - 1]
            spot -= 1
        routes.keys[spot] = key
        routes.removed[spot] = stop
