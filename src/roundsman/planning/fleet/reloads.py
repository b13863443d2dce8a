"""Reloads: where a vehicle comes back to load for one more trip.

A stop that the trip of a slot has no room for may come there with a reload before or after it, so
that it begins a new trip or ends the one before. Both are priced together, exactly as one stop is.
A reload stays only as long as the trips beside it would not fit into one.
"""

from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.fleet.pricing import may_follow, price_by_walk, price_of_longest
from roundsman.planning.fleet.routes import (
    AFTER,
    BEFORE,
    COUNT,
    HEAD_DURATION,
    HEAD_EARLIEST,
    HEAD_LATEST,
    LEG_METRES,
    LEG_SECONDS,
    LONGEST,
    MEDOID,
    METRES,
    RELOADS,
    RICH,
    SECONDS,
    SLACK,
    TAIL_DURATION,
    TAIL_EARLIEST,
    TAIL_LATEST,
    TOUCHED,
    VAN,
    Routes,
    join_spread,
    link,
    node_from,
    node_to,
    renew_route,
    renew_trips,
    unlink,
)
from roundsman.planning.fleet.ruin import chance
from roundsman.planning.fleet.rules import (
    CLOSES,
    DONE_STOPS,
    END_RELOAD,
    FIRST_RELOAD,
    IS_RICH,
    MOST_METRES,
    MOST_RELOADS,
    MOST_SECONDS,
    OPENS,
    PER_METRE,
    PER_SECOND,
    PER_STOP,
    PER_TRAVEL_SECOND,
    PROFILE,
    SERVICE,
    Rules,
)
from roundsman.planning.fleet.timing import NONE, node_of

SPARED = 0.5
"""The chance that a reload stays after a ruin though the trips beside it fit into one now."""


@inlined
def may_reload(rules: Rules, routes: Routes, van: int) -> bool:
    """Say whether a vehicle with stops may come back once more."""
    return bool(
        routes.van[van, RELOADS] < rules.van[van, MOST_RELOADS] and routes.van[van, COUNT] > 0
    )


@inlined
def has_trip_room(rules: Rules, routes: Routes, van: int, behind: int, stop: int) -> bool:
    """Say whether the trip that goes on behind a slot has room for one more stop."""
    if not rules.van[van, MOST_RELOADS]:
        return True
    for load in range(rules.loads.shape[1]):
        on_board = routes.trips[behind, load] + rules.loads[stop, load]
        if on_board > rules.capacity[van, load]:
            return False
    return True


@compiled
def price_with_reload(
    rules: Rules, routes: Routes, van: int, behind: int, stop: int, limit: float
) -> tuple[float, int, bool]:
    """Return what a stop behind a slot adds to the cost with the cheapest reload beside it.

    And that reload, and whether it comes before the stop; NONE where nothing is below the limit.
    """
    best, best_reload, is_before = NONE, -1, False
    if not may_reload(rules, routes, van):
        return best, best_reload, is_before
    most = rules.van[van, MOST_RELOADS]
    for first in range(rules.van[van, FIRST_RELOAD], rules.van[van, END_RELOAD], most):
        reload = first
        while routes.links[reload, VAN] >= 0:
            reload += 1
        for order in range(2):
            comes_first = order == 0
            if not _fits(rules, routes, van, behind, stop, comes_first):
                continue
            price = _price_both(
                rules, routes, van, behind, stop, reload, comes_first, min(limit, best)
            )
            if price < min(limit, best):
                best, best_reload, is_before = price, reload, comes_first
    return best, best_reload, is_before


@inlined
def _fits(
    rules: Rules,
    routes: Routes,
    van: int,
    behind: int,
    stop: int,
    comes_first: bool,  # noqa: FBT001 -- a kernel
) -> bool:
    """Say whether both trips have something to carry and room for it."""
    stops, loads = len(rules.near), rules.loads.shape[1]
    beside = behind if comes_first else routes.links[behind, AFTER]
    if beside >= stops:
        return False
    for load in range(loads):
        on_board = routes.trips[behind, loads + load]
        if comes_first:
            on_board = routes.trips[behind, load] - on_board
        if on_board + rules.loads[stop, load] > rules.capacity[van, load]:
            return False
    return True


@inlined
def _price_both(  # noqa: C901, PLR0913, PLR0915 -- one kernel
    rules: Rules,
    routes: Routes,
    van: int,
    behind: int,
    stop: int,
    reload: int,
    comes_first: bool,  # noqa: FBT001 -- a kernel
    limit: float,
) -> float:
    """Return what a stop and a reload behind a slot add to the cost, as `price_insertion` does."""
    following = routes.links[behind, AFTER]
    profile = rules.van[van, PROFILE]
    here, there = (reload, stop) if comes_first else (stop, reload)
    before, beyond = node_from(rules, van, behind), node_to(rules, van, following)
    here_node, there_node = node_of(rules, here), node_of(rules, there)
    to_here = rules.legs[profile, before, here_node, 0]
    between = rules.legs[profile, here_node, there_node, 0]
    from_there = rules.legs[profile, there_node, beyond, 0]
    driving = to_here + between + from_there - routes.links[behind, LEG_SECONDS]
    price = rules.van_price[van, PER_STOP] + rules.van_price[van, PER_TRAVEL_SECOND] * driving
    if rules.has_vehicle_prices:
        price += rules.vehicle_price[stop, van]
    if rules.spread_price > 0 and routes.van[van, MEDOID] >= 0:
        price += rules.spread_price * rules.legs_back[profile, stop, routes.van[van, MEDOID], 1]
    if rules.counts_stops and rules.longest_price > 0:
        longer_by = routes.van[van, COUNT] + 1 + rules.van[van, DONE_STOPS] - routes.totals[LONGEST]
        price += rules.longest_price * max(0.0, longer_by)
    longer = driving + rules.stop[here, SERVICE] + rules.stop[there, SERVICE]
    bound = rules.van_price[van, PER_SECOND] * max(longer - routes.van[van, SLACK], min(0, longer))
    if price + bound >= limit:
        return NONE
    if rules.has_metres:
        metres = (
            rules.legs[profile, before, here_node, 1]
            + rules.legs[profile, here_node, there_node, 1]
            + rules.legs[profile, there_node, beyond, 1]
            - routes.links[behind, LEG_METRES]
        )
        if routes.van[van, METRES] + metres > rules.van[van, MOST_METRES]:
            return NONE
        price += rules.van_price[van, PER_METRE] * metres
    earliest = routes.times[behind, HEAD_EARLIEST]
    latest = routes.times[behind, HEAD_LATEST]
    duration = routes.times[behind, HEAD_DURATION] + to_here
    for number in range(2):
        visit = there if number else here
        if earliest + duration > rules.stop[visit, CLOSES]:
            return NONE
        waits = max(0, rules.stop[visit, OPENS] - duration - latest)
        earliest = max(rules.stop[visit, OPENS] - duration, earliest) - waits
        latest = min(rules.stop[visit, CLOSES] - duration, latest)
        duration += waits + rules.stop[visit, SERVICE] + (from_there if number else between)
    if earliest + duration > routes.times[following, TAIL_LATEST]:
        return NONE
    waits = max(0, routes.times[following, TAIL_EARLIEST] - duration - latest)
    duration += waits + routes.times[following, TAIL_DURATION]
    if duration > rules.van[van, MOST_SECONDS]:
        return NONE
    if routes.van[van, RICH] or rules.stop[stop, IS_RICH] or rules.inversion_price > 0:
        return price_by_walk(rules, routes, van, behind, here, there, price, duration)
    return float(
        price
        + rules.van_price[van, PER_SECOND] * (duration - routes.van[van, SECONDS])
        + price_of_longest(rules, routes, van, behind, here, duration)
    )


@compiled
def find_new_trip(
    rules: Rules, routes: Routes, van: int, stop: int, limit: float
) -> tuple[float, int, int, bool]:
    """Return the cheapest way to make a new trip for a stop alone, between two others or last.

    As `price_with_reload` does, with the slot that both come behind before the reload.
    """
    best, best_slot, best_reload, is_before = NONE, -1, -1, False
    if not may_reload(rules, routes, van):
        return best, best_slot, best_reload, is_before
    home = len(rules.stop) + van
    for number in range(rules.van[van, FIRST_RELOAD] - 2, rules.van[van, END_RELOAD]):
        slot = number
        if number == rules.van[van, FIRST_RELOAD] - 1:
            slot = home
        elif number == rules.van[van, FIRST_RELOAD] - 2:
            slot = routes.links[home, BEFORE]
        elif routes.links[slot, VAN] < 0:
            continue
        if not may_follow(rules, routes, van, slot, stop):
            continue
        price, reload, comes_first = price_with_reload(
            rules, routes, van, slot, stop, min(limit, best)
        )
        if price < min(limit, best):
            best, best_slot, best_reload, is_before = price, slot, reload, comes_first
    return best, best_slot, best_reload, is_before


@compiled
def insert_with_reload(  # noqa: PLR0913 -- one kernel
    rules: Rules,
    routes: Routes,
    van: int,
    behind: int,
    stop: int,
    reload: int,
    comes_first: bool,  # noqa: FBT001 -- a kernel
) -> bool:
    """Put a stop and a reload behind a slot, and work out the route anew."""
    link(rules, routes, van, behind, reload)
    link(rules, routes, van, reload if comes_first else behind, stop)
    join_spread(rules, routes, stop)
    return renew_route(rules, routes, van)


@compiled
def drop_idle_reloads(rules: Rules, routes: Routes) -> None:
    """After a ruin, take the reloads that nothing needs any more off the touched routes.

    Those beside an empty trip always, and those between two trips that fit into one by chance.
    """
    if rules.has_reloads:
        for number in range(routes.state[TOUCHED]):
            if routes.van[routes.touched[number], RELOADS]:
                _drop_idle_reloads_of(rules, routes, routes.touched[number])


@inlined
def _drop_idle_reloads_of(rules: Rules, routes: Routes, van: int) -> None:
    home = len(rules.stop) + van
    renew_trips(rules, routes, van)
    slot = routes.links[home, AFTER]
    while slot != home:
        following = routes.links[slot, AFTER]
        if slot >= len(rules.near) and (
            _has_empty_trip(rules, routes, slot)
            or (_is_spare(rules, routes, van, slot) and chance(routes) >= SPARED)
        ):
            unlink(rules, routes, slot)
            renew_trips(rules, routes, van)
        slot = following


@compiled
def merge_trips(rules: Rules, routes: Routes) -> None:
    """Make one trip of each two that fit into one, where that is possible, on touched routes."""
    if rules.has_reloads:
        for number in range(routes.state[TOUCHED]):
            if routes.van[routes.touched[number], RELOADS]:
                _merge_trips_of(rules, routes, routes.touched[number])


@inlined
def _merge_trips_of(rules: Rules, routes: Routes, van: int) -> None:
    home = len(rules.stop) + van
    slot = routes.links[home, AFTER]
    while slot != home:
        following = routes.links[slot, AFTER]
        if slot >= len(rules.near) and _is_spare(rules, routes, van, slot):
            behind = routes.links[slot, BEFORE]
            unlink(rules, routes, slot)
            if not renew_route(rules, routes, van):
                link(rules, routes, van, behind, slot)
                renew_route(rules, routes, van)
        slot = following


@inlined
def _has_empty_trip(rules: Rules, routes: Routes, reload: int) -> bool:
    """Say whether the trip before or after a reload has no stop."""
    beside = max(routes.links[reload, BEFORE], routes.links[reload, AFTER])
    return bool(beside >= len(rules.near))


@inlined
def _is_spare(rules: Rules, routes: Routes, van: int, reload: int) -> bool:
    """Say whether the trips before and after a reload fit into one."""
    before = routes.links[reload, BEFORE]
    for load in range(rules.loads.shape[1]):
        on_board = routes.trips[before, load] + routes.trips[reload, load]
        if on_board > rules.capacity[van, load]:
            return False
    return True
