"""Ruin: taking strings of stops off routes that are near one another.

Slack induction by string removals (Christiaens & Vanden Berghe, Transportation Science 54(2),
2020, section 4.1): a random stop is drawn, and from the routes of the stops nearest to it a string
of stops each is removed. Room arises in one part of the town, on several routes at once.
"""

from roundsman.planning.bookkeeping import draw
from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.fleet.routes import (
    AFTER,
    BEFORE,
    COUNT,
    MOVED,
    REMOVED,
    STEPS,
    TOUCHED,
    TOUCHED_IN,
    VAN,
    Routes,
    leave_spread,
    unlink,
)
from roundsman.planning.fleet.rules import HELD, HOME, Rules

MEAN_REMOVED = 10
LONGEST_STRING = 10
SPLIT_SHARE = 0.5
SPLIT_ENDS = 0.01
"""The chance that the part in the middle of a split string, which stays, grows no further."""

FINE = 2**30


@inlined
def chance(routes: Routes) -> float:
    """Draw a number from 0 to below 1."""
    return draw(routes, FINE) / FINE


@inlined
def touch(rules: Rules, routes: Routes, van: int) -> None:
    """Write down what a route was before this step changes it first."""
    state = routes.state
    if routes.van[van, TOUCHED_IN] == state[STEPS]:
        return
    routes.van[van, TOUCHED_IN] = state[STEPS]
    number = state[TOUCHED]
    routes.touched[number] = van
    spot = routes.kept_first[number]
    home = len(rules.stop) + van
    stop = routes.links[home, AFTER]
    while stop != home:
        routes.kept[spot] = stop
        routes.kept_spread[spot] = routes.spread[stop]
        spot += 1
        stop = routes.links[stop, AFTER]
    state[TOUCHED] += 1
    routes.kept_first[number + 1] = spot


@inlined
def _take_off(rules: Rules, routes: Routes, stop: int) -> None:
    van = routes.links[stop, VAN]
    if rules.stop[stop, HOME] == van:
        routes.state[MOVED] += 1
    leave_spread(rules, routes, stop)
    unlink(rules, routes, stop)
    routes.removed[routes.state[REMOVED]] = stop
    routes.state[REMOVED] += 1


@compiled
def ruin(rules: Rules, routes: Routes) -> None:
    """Remove strings of adjacent routes around a random stop (section 4.1 of the paper)."""
    state = routes.state
    used, served = 0, 0
    for van in range(len(routes.van)):
        used += routes.van[van, COUNT] > 0
        served += routes.van[van, COUNT]
    if not used:
        return
    longest = min(float(LONGEST_STRING), served / used)
    most = 4.0 * MEAN_REMOVED / (1.0 + longest) - 1.0
    strings = int(1.0 + chance(routes) * most)
    seed = draw(routes, len(rules.near))
    spot = -1
    while strings and spot < rules.near.shape[1]:
        stop = seed if spot < 0 else rules.near[seed, spot]
        spot += 1
        van = routes.links[stop, VAN]
        if van < 0 or rules.stop[stop, HELD] or routes.van[van, TOUCHED_IN] == state[STEPS]:
            continue
        touch(rules, routes, van)
        strings -= 1
        most_here = min(longest, float(routes.van[van, COUNT]))
        length = int(1.0 + chance(routes) * most_here)
        length = min(length, routes.van[van, COUNT])
        kept = 0
        if length > 1 and chance(routes) < SPLIT_SHARE:
            while length + kept < routes.van[van, COUNT] and chance(routes) > SPLIT_ENDS:
                kept += 1
        _remove_string(rules, routes, stop, length, kept)


@inlined
def _remove_string(rules: Rules, routes: Routes, stop: int, length: int, kept: int) -> None:
    """Remove so many stops in a row that hold a stop, but for some in their middle.

    Reloads between them stay for the time being.
    """
    stops = len(rules.stop)
    first = stop
    for _ in range(draw(routes, length + kept)):
        if routes.links[first, BEFORE] >= stops:
            break
        first = routes.links[first, BEFORE]
    kept_from = 1 + draw(routes, length - 1) if kept and length > 1 else length + kept
    number = 0
    while number < length + kept and first < stops:
        following = routes.links[first, AFTER]
        if first >= len(rules.near):
            first = following
            continue
        is_kept = kept_from <= number < kept_from + kept
        if not is_kept and not rules.stop[first, HELD]:
            _take_off(rules, routes, first)
        first = following
        number += 1
