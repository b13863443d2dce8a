"""What a plan costs as a whole: its routes, what is left out and moved, and the longest route."""

from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.fleet.routes import (
    ABSENT,
    AFTER,
    COST,
    COUNT,
    LONGEST,
    MOVED,
    SECONDS,
    VAN,
    Routes,
)
from roundsman.planning.fleet.rules import (
    DONE_SECONDS,
    DONE_STOPS,
    DROP,
    HOME,
    LEAVES,
    LEAVES_TO_NEXT,
    NEXT_STOP,
    Rules,
)


@inlined
def count_moves(rules: Rules, routes: Routes) -> None:
    """Count the stops that are not on the route of their home."""
    moved = 0
    for stop in range(len(rules.near)):
        moved += rules.stop[stop, HOME] >= 0 and routes.links[stop, VAN] != rules.stop[stop, HOME]
    routes.state[MOVED] = moved


@inlined
def total_up(rules: Rules, routes: Routes) -> float:
    """Return what the plan costs: its routes, who is left out, and who has moved."""
    cost = 0.0
    for van in range(len(routes.van)):
        cost += routes.van_cost[van, COST]
    for number in range(routes.state[ABSENT]):
        cost += rules.stop_price[routes.absent[number], DROP]
    find_longest(rules, routes)
    if rules.longest_price > 0:
        cost += rules.longest_price * routes.totals[LONGEST]
    return float(cost + rules.move_price * routes.state[MOVED])


@inlined
def length_of(rules: Rules, routes: Routes, van: int) -> int:
    """Return by how much a route counts for the longest one: its seconds, or its stops."""
    if routes.van[van, COUNT] == 0:
        return int(rules.van[van, DONE_STOPS if rules.counts_stops else DONE_SECONDS])
    if rules.counts_stops:
        return int(routes.van[van, COUNT] + rules.van[van, DONE_STOPS])
    seconds = routes.van[van, SECONDS] + rules.van[van, DONE_SECONDS]
    if routes.links[len(rules.stop) + van, AFTER] == rules.van[van, NEXT_STOP]:
        seconds += rules.van[van, LEAVES_TO_NEXT] - rules.van[van, LEAVES]
    return int(seconds)


@inlined
def note_length(rules: Rules, routes: Routes, van: int) -> None:
    """Take note that a route has grown, where the longest has a price."""
    if rules.longest_price > 0:
        routes.totals[LONGEST] = max(routes.totals[LONGEST], length_of(rules, routes, van))


@compiled
def find_longest(rules: Rules, routes: Routes) -> None:
    """Work out how long the longest route is, where that has a price."""
    if rules.longest_price <= 0:
        return
    longest = 0
    for van in range(len(routes.van)):
        longest = max(longest, length_of(rules, routes, van))
    routes.totals[LONGEST] = longest
