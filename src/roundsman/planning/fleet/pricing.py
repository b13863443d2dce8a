"""What one more stop costs at a place: the one routine that knows every rule.

Cheap bounds come first. What driving alone costs more is looked at before any time is, and most
places are dearer than the best one by that already.
"""

from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.fleet.routes import (
    AFTER,
    CLOSED,
    COUNT,
    HEAD_DURATION,
    HEAD_EARLIEST,
    HEAD_LATEST,
    LATENESS,
    LEG_METRES,
    LEG_SECONDS,
    LONGEST,
    MEDOID,
    METRES,
    MOVED,
    PENDING,
    RICH,
    SECONDS,
    SLACK,
    TAIL_DURATION,
    TAIL_EARLIEST,
    TAIL_LATEST,
    Routes,
    node_from,
    node_to,
)
from roundsman.planning.fleet.rules import (
    CLOSES,
    DONE_SECONDS,
    DONE_STOPS,
    END_BREAK,
    END_PIN,
    FIRST_BREAK,
    FIXED,
    HOME,
    IS_RICH,
    IS_UNDER_WAY,
    KEPT_FRONT,
    LEAVES,
    LEAVES_TO_NEXT,
    MOST_METRES,
    MOST_RELOADS,
    MOST_SECONDS,
    MOST_STOPS,
    NEXT_STOP,
    OPENS,
    PER_METRE,
    PER_SECOND,
    PER_STOP,
    PER_TRAVEL_SECOND,
    PRIORITY,
    PROFILE,
    SERVICE,
    Rules,
)
from roundsman.planning.fleet.timing import NONE, walk_route

FIRST, LAST = 1, 2


@inlined
def has_room(rules: Rules, routes: Routes, van: int, stop: int) -> bool:
    """Say whether a vehicle may take one more stop at all."""
    if routes.van[van, CLOSED] or not rules.may[stop, van]:
        return False
    if routes.van[van, COUNT] >= rules.van[van, MOST_STOPS]:
        return False
    # Where a vehicle may reload, the trip that the stop would be on says the rest.
    may_reload = rules.has_reloads and rules.van[van, MOST_RELOADS] > 0
    for load in range(rules.loads.shape[1]):
        on_board = 0 if may_reload else routes.load[van, load]
        if on_board + rules.loads[stop, load] > rules.capacity[van, load]:
            return False
    home = rules.stop[stop, HOME]
    if home < 0 or home == van:
        return True
    # Those that are still to be put back count as moved, this one too.
    return bool(routes.state[MOVED] - routes.state[PENDING] <= rules.most_moved)


@inlined
def may_follow(  # noqa: C901 -- one kernel
    rules: Rules, routes: Routes, van: int, behind: int, stop: int
) -> bool:
    """Say whether pins and what is kept in front let a stop come behind a slot."""
    stops = len(rules.stop)
    following = routes.links[behind, AFTER]
    if rules.van[van, KEPT_FRONT]:
        slot = stops + van
        for _ in range(rules.van[van, KEPT_FRONT]):
            if slot == behind:
                return False
            slot = routes.links[slot, AFTER]
    if rules.has_end_pins:
        if following < stops and rules.stop[following, END_PIN] == FIRST:
            return False
        if behind < stops and rules.stop[behind, END_PIN] == LAST:
            return False
        if rules.stop[stop, END_PIN] == FIRST and behind < stops:
            return False
        if rules.stop[stop, END_PIN] == LAST and following < stops:
            return False
    return True


@inlined
def price_insertion(  # noqa: C901, PLR0915 -- one kernel: a place is a vehicle and a slot
    rules: Rules, routes: Routes, van: int, behind: int, stop: int, limit: float
) -> float:
    """Return what a stop behind a slot adds to the cost; NONE where that is not below a limit."""
    following = routes.links[behind, AFTER]
    first, last = node_from(rules, van, behind), node_to(rules, van, following)
    profile = rules.van[van, PROFILE]
    # Both look along the row of the stop: a column of the table would miss the cache each time.
    to_stop = rules.legs_back[profile, stop, first, 0]
    from_stop = rules.legs[profile, stop, last, 0]
    is_first = routes.van[van, COUNT] == 0 and not rules.van[van, IS_UNDER_WAY]
    driving = to_stop + from_stop
    price = rules.van_price[van, PER_STOP]
    if rules.has_vehicle_prices:
        price += rules.vehicle_price[stop, van]
    if rules.spread_price > 0 and routes.van[van, MEDOID] >= 0:
        # Never too low: with this stop another one may be the medoid.
        price += rules.spread_price * rules.legs_back[profile, stop, routes.van[van, MEDOID], 1]
    if rules.counts_stops and rules.longest_price > 0:
        longer_by = routes.van[van, COUNT] + 1 + rules.van[van, DONE_STOPS] - routes.totals[LONGEST]
        price += rules.longest_price * max(0.0, longer_by)
    if is_first:
        price += rules.van_price[van, FIXED]
    else:
        driving -= routes.links[behind, LEG_SECONDS]
    price += rules.van_price[van, PER_TRAVEL_SECOND] * driving
    longer = driving + rules.stop[stop, SERVICE]
    bound = rules.van_price[van, PER_SECOND] * max(longer - routes.van[van, SLACK], min(0, longer))
    if price + bound >= limit:
        return NONE
    if rules.has_metres:
        metres = rules.legs_back[profile, stop, first, 1] + rules.legs[profile, stop, last, 1]
        if not is_first:
            metres -= routes.links[behind, LEG_METRES]
        if routes.van[van, METRES] + metres > rules.van[van, MOST_METRES]:
            return NONE
        price += rules.van_price[van, PER_METRE] * metres
        if price + bound >= limit:
            return NONE
    # From here on: is it possible, and how much longer does the route really take?
    earliest = routes.times[behind, HEAD_EARLIEST]
    latest = routes.times[behind, HEAD_LATEST]
    if behind >= len(rules.stop) and stop == rules.van[van, NEXT_STOP]:
        earliest = latest = rules.van[van, LEAVES_TO_NEXT]
    duration = routes.times[behind, HEAD_DURATION] + to_stop
    if earliest + duration > rules.stop[stop, CLOSES]:
        return NONE
    waits = max(0, rules.stop[stop, OPENS] - duration - latest)
    earliest = max(rules.stop[stop, OPENS] - duration, earliest) - waits
    latest = min(rules.stop[stop, CLOSES] - duration, latest)
    duration += waits + rules.stop[stop, SERVICE] + from_stop
    if earliest + duration > routes.times[following, TAIL_LATEST]:
        return NONE
    waits = max(0, routes.times[following, TAIL_EARLIEST] - duration - latest)
    duration += waits + routes.times[following, TAIL_DURATION]
    if duration > rules.van[van, MOST_SECONDS]:
        return NONE
    if routes.van[van, RICH] or rules.stop[stop, IS_RICH] or rules.inversion_price > 0:
        # A walk costs as much as pricing all other slots. Breaks that are taken now are counted on
        # here: where the route could do without them, a place may be missed, never one mispriced.
        rests = 0
        for rest in range(rules.van[van, FIRST_BREAK], rules.van[van, END_BREAK]):
            rests += rules.breaks[rest, 2]
        at_work = routes.van[van, SECONDS] - routes.van[van, SLACK]
        least = max(duration, at_work + longer + min(rests, routes.van[van, SLACK]))
        if price + rules.van_price[van, PER_SECOND] * (least - routes.van[van, SECONDS]) >= limit:
            return NONE
        return price_by_walk(rules, routes, van, behind, stop, -1, price, duration)
    return float(
        price
        + rules.van_price[van, PER_SECOND] * (duration - routes.van[van, SECONDS])
        + price_of_longest(rules, routes, van, behind, stop, duration)
    )


@inlined
def price_of_longest(
    rules: Rules, routes: Routes, van: int, behind: int, stop: int, duration: int
) -> float:
    """Return what it costs that a route of this duration would be the longest."""
    if rules.longest_price <= 0 or rules.counts_stops:
        return 0.0
    first = stop if behind >= len(rules.stop) else routes.links[len(rules.stop) + van, AFTER]
    if first == rules.van[van, NEXT_STOP]:
        duration += rules.van[van, LEAVES_TO_NEXT] - rules.van[van, LEAVES]
    longer_by = duration + rules.van[van, DONE_SECONDS] - routes.totals[LONGEST]
    return float(rules.longest_price * max(0.0, longer_by))


@compiled
def price_by_walk(  # noqa: C901, PLR0913 -- a place, and what is known of its price
    rules: Rules,
    routes: Routes,
    van: int,
    behind: int,
    first: int,
    second: int,
    price: float,
    duration: int,
) -> float:
    """Price a place where segments only bound: breaks, several windows, lateness, priorities.

    What is known already is the price without time, and the duration that segments allow. Behind
    the slot come a stop, or a stop and a reload as `first` and `second`.
    """
    walk = routes.walk
    stops, home = len(rules.near), len(rules.stop) + van
    stop = first if first < stops else second
    count, inversions, is_behind = 0, 0, False
    slot = home
    while True:
        if slot == behind:
            walk.path[count] = first
            count += 1
            if second >= 0:
                walk.path[count] = second
                count += 1
            is_behind = True
        slot = routes.links[slot, AFTER]
        if slot == home:
            break
        walk.path[count] = slot
        count += 1
        if slot >= stops:
            continue
        if is_behind:
            inversions += rules.stop[slot, PRIORITY] > rules.stop[stop, PRIORITY]
        else:
            inversions += rules.stop[slot, PRIORITY] < rules.stop[stop, PRIORITY]
    lateness = 0.0
    if routes.van[van, RICH] or rules.stop[stop, IS_RICH]:
        lateness = walk_route(rules, walk, van, count)
        if lateness >= NONE:
            return NONE
        duration = walk.result[0]
    return float(
        price
        + rules.van_price[van, PER_SECOND] * (duration - routes.van[van, SECONDS])
        + rules.inversion_price * inversions
        + lateness
        - routes.van_cost[van, LATENESS]
        + price_of_longest(rules, routes, van, behind, first, duration)
    )
