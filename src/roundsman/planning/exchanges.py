"""Improving a route without windows: chains of exchanges of three legs, turned parts included.

From a leg t1-t2 the search removes and adds legs in turn, t2-t3, t3-t4, t4-t5, t5-t6, as long as
the sum gained stays positive, and looks whether closing with t6-t1 pays (Lin & Kernighan 1973, in
steps of three legs as Helsgaun 2009 does). On symmetric roads the best step that does not pay is
made nevertheless and the search goes on from there, a few steps deep; all is turned back if
nothing comes of it. On one-way roads sums of there and back guide the search, and the skew says
what an exchange really gains.

What turns no part round is worth a search of its own on one-way roads, by the roads' own costs:
swapping two adjacent parts of any length (Or-3opt).
"""

from roundsman.planning.bookkeeping import MOVES
from roundsman.planning.compiled import inlined
from roundsman.planning.exchange_gains import gain_of_three, gain_of_turn
from roundsman.planning.route_arrays import (
    JOURNAL,
    Roads,
    RouteArrays,
    is_closing,
    next_on_cycle,
    turn_back,
    turn_between,
    turn_positions,
)

T1, T2, T3, T4, T5, T6, OPEN, CLOSED, KIND, ADDED, BEHIND = range(11)
GAIN, LOW, MIDDLE, HIGH = range(11, 15)  # of a swap
NOTHING, TURN, NEAR_AND_FAR, NEAR_AND_NEAR, SWAP, BOTH_TURNED = range(6)
"""How the parts come to lie; near parts lie between t2 and t3, far ones behind."""

STEPS = 4  # of three legs each, on symmetric roads
FIRST_BREADTH = 7
SECOND_BREADTH = 5


@inlined
def improve_path(roads: Roads, path: RouteArrays, node: int) -> int:
    """Make the first improving exchange found from this node; return what it gains, else 0."""
    gained = 0
    if not roads.symmetric:
        gained = _swap_parts(roads, path, node)
    way = 0
    while gained == 0 and way < 2:
        gained = _chain(roads, path, node, way == 1)
        way += 1
    return int(gained)


@inlined
def _chain(roads: Roads, path: RouteArrays, node: int, backwards: bool) -> int:  # noqa: FBT001 -- a kernel
    """Follow one chain from the leg between a node and the next one; return what it gains."""
    move = path.move
    begun = path.state[JOURNAL]
    other = next_on_cycle(path, node, backwards)
    if is_closing(path, node, other):
        return 0
    move[T1], move[T2] = node, other
    move[OPEN] = roads.both[node, other]
    move[ADDED] = 0
    steps = STEPS if roads.symmetric else 1
    for step in range(steps):
        move[BEHIND] = next_on_cycle(path, node, False) != move[T2]  # noqa: FBT003 -- a kernel
        pays = _best_exchange(roads, path, step + 1 < steps)
        if not pays and (step + 1 == steps or move[KIND] == NOTHING):
            break
        _make(roads, path)
        if pays:
            return int(move[CLOSED])
        move[T2] = move[T6]
    turn_back(roads, path, begun)
    return 0


@inlined
def _best_exchange(roads: Roads, path: RouteArrays, goes_on: bool) -> bool:  # noqa: FBT001 -- a kernel
    """Find the next exchange: the first that pays, or the one that leaves the most open."""
    move, both = path.move, roads.both
    first, second, start = move[T1], move[T2], move[OPEN]
    backwards, at = move[BEHIND] != 0, path.position[second]
    move[OPEN] = 0
    move[KIND] = NOTHING
    for column in range(min(FIRST_BREADTH, roads.near.shape[1])):
        third = roads.near[second, column]
        gain = start - roads.near_both[second, column]
        if gain <= 0:
            break
        reach = _reach(path, at, backwards, third)
        if reach <= 1 or third == first:
            continue
        path.state[MOVES] += 1
        fourth = next_on_cycle(path, third, not backwards)
        if _may_go(path, third, fourth) and _on_near_side(
            roads, path, first, at, backwards, third, fourth, gain + both[third, fourth], goes_on
        ):
            return True
        fourth = next_on_cycle(path, third, backwards)
        if _may_go(path, third, fourth) and _on_far_side(
            roads, path, first, at, backwards, third, fourth, gain + both[third, fourth], goes_on
        ):
            return True
    return False


@inlined
def _reach(path: RouteArrays, at: int, backwards: bool, node: int) -> int:  # noqa: FBT001 -- a kernel
    """Return how many legs a node lies behind t2, away from t1."""
    spot = path.position[node] - at
    if backwards:
        spot = -spot
    return int(spot + len(path.route) if spot < 0 else spot)


@inlined
def _may_go(path: RouteArrays, one: int, other: int) -> bool:
    """Whether a leg may be removed: it is a road, and the chain did not put it in itself."""
    if is_closing(path, one, other):
        return False
    for leg in range(path.move[ADDED]):
        here, there = path.added[leg, 0], path.added[leg, 1]
        if (here == one and there == other) or (here == other and there == one):
            return False
    return True


@inlined
def _on_near_side(  # noqa: PLR0913 -- a kernel: what is known when t4 is chosen
    roads: Roads,
    path: RouteArrays,
    first: int,
    at: int,
    backwards: bool,  # noqa: FBT001
    third: int,
    fourth: int,
    gain: int,
    goes_on: bool,  # noqa: FBT001
) -> bool:
    """Go on with t4 between t2 and t3: turn that part, or find a third leg anywhere."""
    both, move = roads.both, path.move
    if (
        gain > both[fourth, first]
        or (goes_on and gain > move[OPEN] and _leads_on(roads, path, first, fourth, gain))
    ) and _keep(roads, path, TURN, third, fourth, fourth, fourth, gain):
        return True
    reach = _reach(path, at, backwards, third)
    for column in range(min(SECOND_BREADTH, roads.near.shape[1])):
        fifth = roads.near[fourth, column]
        left = gain - roads.near_both[fourth, column]
        if left <= 0:
            break
        if fifth == third:
            continue
        path.state[MOVES] += 1
        spot = _reach(path, at, backwards, fifth)
        if reach - 2 <= spot <= reach:
            continue
        sixth = next_on_cycle(path, fifth, (spot > reach) != backwards)
        left += both[fifth, sixth]
        kind = NEAR_AND_FAR if spot > reach else NEAR_AND_NEAR
        if _is_worth(roads, path, first, fifth, sixth, left, goes_on) and _keep(
            roads, path, kind, third, fourth, fifth, sixth, left
        ):
            return True
    return False


@inlined
def _on_far_side(  # noqa: PLR0913 -- a kernel: what is known when t4 is chosen
    roads: Roads,
    path: RouteArrays,
    first: int,
    at: int,
    backwards: bool,  # noqa: FBT001
    third: int,
    fourth: int,
    gain: int,
    goes_on: bool,  # noqa: FBT001
) -> bool:
    """Go on with t4 behind t3, which leaves a ring from t2 to t3: open it at t5, either way."""
    both = roads.both
    reach = _reach(path, at, backwards, third)
    for column in range(min(SECOND_BREADTH, roads.near.shape[1])):
        fifth = roads.near[fourth, column]
        partial = gain - roads.near_both[fourth, column]
        if partial <= 0:
            break
        spot = _reach(path, at, backwards, fifth)
        if spot >= reach:
            continue
        path.state[MOVES] += 1
        if roads.symmetric:  # else `_swap_parts` has seen it
            sixth = next_on_cycle(path, fifth, backwards)
            left = partial + both[fifth, sixth]
            if _is_worth(roads, path, first, fifth, sixth, left, goes_on) and _keep(
                roads, path, SWAP, third, fourth, fifth, sixth, left
            ):
                return True
        if spot > 0:
            sixth = next_on_cycle(path, fifth, not backwards)
            left = partial + both[fifth, sixth]
            if _is_worth(roads, path, first, fifth, sixth, left, goes_on) and _keep(
                roads, path, BOTH_TURNED, third, fourth, fifth, sixth, left
            ):
                return True
    return False


@inlined
def _is_worth(  # noqa: PLR0913 -- a kernel: an exchange and what it leaves open
    roads: Roads,
    path: RouteArrays,
    first: int,
    fifth: int,
    sixth: int,
    left: int,
    goes_on: bool,  # noqa: FBT001
) -> bool:
    """Whether an exchange seems to pay when closed, or leaves the most open; its leg may go."""
    worth = left > roads.both[sixth, first]
    if not worth and goes_on and left > path.move[OPEN]:
        worth = _leads_on(roads, path, first, sixth, left)
    return bool(worth) and _may_go(path, fifth, sixth)


@inlined
def _leads_on(roads: Roads, path: RouteArrays, first: int, last: int, left: int) -> bool:
    """Whether the chain can add a leg from its last node and still have something open."""
    for column in range(roads.near.shape[1]):
        if roads.near_both[last, column] >= left:
            return False
        other = roads.near[last, column]
        spot = path.position[other] - path.position[last]
        if other != first and spot not in (-1, 1):
            return True
    return False


@inlined
def _keep(  # noqa: PLR0913 -- a kernel: an exchange and what it leaves open
    roads: Roads,
    path: RouteArrays,
    kind: int,
    third: int,
    fourth: int,
    fifth: int,
    sixth: int,
    left: int,
) -> bool:
    """Write down an exchange that seems to pay or leaves the most open; say if it really pays."""
    move = path.move
    first, second = move[T1], move[T2]
    if roads.symmetric:
        closed = (left - roads.both[sixth, first]) >> 1
    elif kind == TURN:
        closed = gain_of_turn(
            roads.durations, path.route, path.position, path.skew, first, second, third, fourth
        )
    else:
        ends = (first, second, third, fourth, fifth, sixth)
        closed = gain_of_three(roads.durations, path.route, path.position, path.skew, ends)
    move[T3], move[T4], move[T5], move[T6] = third, fourth, fifth, sixth
    move[KIND], move[OPEN], move[CLOSED] = kind, left, closed
    return bool(closed > 0)


@inlined
def _make(roads: Roads, path: RouteArrays) -> None:
    """Make the exchange that was found, by reversals, and remember the legs it adds."""
    move, added = path.move, path.added
    first, second, third = move[T1], move[T2], move[T3]
    fourth, fifth, sixth, kind = move[T4], move[T5], move[T6], move[KIND]
    if kind == BOTH_TURNED:
        turn_between(roads, path, first, second, sixth)
        turn_between(roads, path, first, fifth, third)
    elif kind == SWAP:
        turn_between(roads, path, first, second, third)
        turn_between(roads, path, first, third, sixth)
        turn_between(roads, path, first, fifth, second)
    else:
        turn_between(roads, path, first, second, fourth)
        if kind != TURN:
            turn_between(roads, path, first, fourth, sixth)
    added[move[ADDED], 0], added[move[ADDED], 1] = second, third
    move[ADDED] += 1
    if kind != TURN:
        added[move[ADDED], 0], added[move[ADDED], 1] = fourth, fifth
        move[ADDED] += 1


@inlined
def _swap_parts(roads: Roads, path: RouteArrays, node: int) -> int:
    """Make the best swap of two adjacent parts that gives the node a nearer next one."""
    durations, route, position, after = roads.durations, path.route, path.position, roads.after
    move = path.move
    move[GAIN] = 0
    at = position[node]
    if at == len(route) - 1:
        return 0
    follower = route[at + 1]
    for column in range(after.shape[1]):
        other = after[node, column]
        gain = int(durations[node, follower]) - durations[node, other]
        if gain <= 0:
            break
        split = position[other] - 1
        if split != at:
            gain += durations[route[split], other]
            _close_swap(roads, path, at, split, gain)
    low, middle, high = move[LOW], move[MIDDLE], move[HIGH]
    if move[GAIN] > 0:
        turn_positions(roads, path, low + 1, high)
        turn_positions(roads, path, low + 1, low + high - middle)
        turn_positions(roads, path, low + high - middle + 1, high)
    return int(move[GAIN])


@inlined
def _close_swap(roads: Roads, path: RouteArrays, at: int, split: int, gain: int) -> None:
    """Cut behind two places, find the third cut that gains the most.

    That is a swap if the three follow each other round the cycle in this direction.
    """
    durations, route, after, move = roads.durations, path.route, roads.after, path.move
    follower, left = route[at + 1], route[split]
    for column in range(after.shape[1]):
        third = after[left, column]
        partial = gain - durations[left, third]
        if partial <= move[GAIN]:
            break
        cut = path.position[third] - 1
        if not (at < split < cut or cut < at < split or split < cut < at):
            continue
        path.state[MOVES] += 1
        before = route[cut]
        saved = partial + durations[before, third] - durations[before, follower]
        if saved > move[GAIN]:
            move[GAIN], move[LOW], move[HIGH] = saved, min(at, split, cut), max(at, split, cut)
            move[MIDDLE] = at + split + cut - move[LOW] - move[HIGH]
