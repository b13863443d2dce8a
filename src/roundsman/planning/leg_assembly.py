"""Joining two routes leg by leg, each in the direction in which it is driven.

Two directed routes differ in rings that alternate between the legs of the one, forwards, and of
the other, backwards; each node has one leg out and one in of either, so there is just one way to
split them (edge assembly of directed routes: Nagata & Kobayashi 1999). What such a ring gains is
exact on one-way roads, where edges without direction only guess.
"""

from typing import NamedTuple

import numpy as np

from roundsman.planning.bookkeeping import MOVES, new_state
from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.edge_assembly import NO_BRIDGE, smallest_piece
from roundsman.planning.matrix import Int32, Int64
from roundsman.planning.population import Population, next_on
from roundsman.planning.route_arrays import Roads


class LegRoom(NamedTuple):
    """What joining two routes needs room for; all but the state by node."""

    one: Int32
    """Who follows each node in the first route."""
    into: Int32
    """Who precedes each node in the first route."""
    other: Int32
    """Who follows each node in the second route."""
    child: Int32
    before: Int32
    """Who follows, and who precedes, each node in the child."""
    seen: Int32
    tails: Int32
    """The nodes from which the legs of a ring lead."""
    piece: Int32
    lengths: Int32
    roots: Int32
    """As in `EdgeRoom`."""
    state: Int64


def new_leg_room(size: int) -> LegRoom:
    """Make room for joining routes of so many nodes."""

    def room() -> Int32:
        return np.zeros(size, dtype=np.int32)

    return LegRoom(
        one=room(),
        into=room(),
        other=room(),
        child=room(),
        before=room(),
        seen=room(),
        tails=room(),
        piece=room(),
        lengths=room(),
        roots=room(),
        state=new_state(0),
    )


@compiled
def assemble_legs(  # noqa: PLR0913 -- a kernel: two routes, and what is known
    roads: Roads,
    routes: Population,
    room: LegRoom,
    first: int,
    second: int,
    least: int,
    chosen: Int32,
) -> int:
    """Join two routes; write down the links of the best child, if it travels less than is known.

    Return its travel, or what is known. Only rings that promise less get a child: joining what
    falls apart seldom gains.
    """
    _follow(routes.links[first], room.one)
    _follow(routes.links[second], room.other)
    for node in range(len(room.one)):
        room.into[room.one[node]] = node
        room.seen[node] = 0
    for start in range(len(room.one)):
        if room.seen[start] or room.one[start] == room.other[start]:
            continue
        count, gained = _walk_ring(roads, room, start)
        travel = routes.costs[first] - gained
        if travel >= least:
            continue
        _exchange_legs(room, count)
        room.state[MOVES] += 1 + len(room.one) // 2
        pieces = _find_pieces(room)
        if pieces > 1:
            travel += _join_pieces(roads, room, pieces)
        if travel < least:
            least = travel
            _write_links(room, chosen)
    return int(least)


@inlined
def _write_links(room: LegRoom, chosen: Int32) -> None:
    """Write the child down without its direction."""
    for node in range(len(chosen)):
        chosen[node, 0], chosen[node, 1] = room.before[node], room.child[node]


@inlined
def _walk_ring(roads: Roads, room: LegRoom, start: int) -> tuple[int, int]:
    """Note the nodes from which the legs of a ring lead; return how many, and what it gains."""
    durations = roads.durations
    tail, count, gained = start, 0, 0
    while not room.seen[tail]:
        room.seen[tail] = 1
        room.tails[count] = tail
        count += 1
        head = room.other[tail]
        gained += durations[tail, room.one[tail]] - durations[tail, head]
        tail = room.into[head]
    return count, gained


@inlined
def _follow(links: Int32, after: Int32) -> None:
    """Write down who follows each node on the way from the start; the end leads to the start."""
    before, here = len(links) - 1, 0
    for _ in range(len(links)):
        there = next_on(links, before, here)
        after[here] = there
        before, here = here, there


@inlined
def _exchange_legs(room: LegRoom, count: int) -> None:
    """Make the child: the first route with the second's legs from the tails."""
    for node in range(len(room.one)):
        room.child[node] = room.one[node]
        room.before[node] = room.into[node]
    for spot in range(count):
        tail = room.tails[spot]
        room.child[tail] = room.other[tail]
        room.before[room.other[tail]] = tail


@inlined
def _find_pieces(room: LegRoom) -> int:
    """Number the rings into which the nodes fall; return how many."""
    child, piece = room.child, room.piece
    for node in range(len(child)):
        piece[node] = -1
    count, seen = 0, 0
    for root in range(len(child)):
        if piece[root] >= 0:
            continue
        here, length = root, 0
        while piece[here] < 0:
            piece[here] = count
            length += 1
            here = child[here]
        room.lengths[count], room.roots[count] = length, root
        count += 1
        seen += length
        if seen == len(child):
            break
    return count


@inlined
def _join_pieces(roads: Roads, room: LegRoom, pieces: int) -> int:
    """Join the rings of the child, the smallest first; return what that costs."""
    child, before, piece, lengths = room.child, room.before, room.piece, room.lengths
    total = 0
    for _ in range(pieces - 1):
        small = smallest_piece(lengths, pieces)
        tail, behind, added = _best_bridge(roads, room, small)
        if tail < 0:
            return NO_BRIDGE
        head, there = child[tail], child[behind]
        child[tail], before[there] = there, tail
        child[behind], before[head] = head, behind
        joined, node = piece[behind], head
        while piece[node] == small:
            piece[node] = joined
            node = child[node]
        lengths[joined] += lengths[small]
        lengths[small] = 0
        total += added
    return total


@inlined
def _best_bridge(roads: Roads, room: LegRoom, small: int) -> tuple[int, int, int]:
    """Find the leg of a ring, and that of another, whose exchange costs least.

    Returned are the nodes from which they lead and what it costs; -1 if there is none.
    """
    durations, after, near = roads.durations, roads.after, roads.near
    end = len(room.child) - 1
    best, least = (-1, -1), NO_BRIDGE
    node = int(room.roots[small])
    for _ in range(room.lengths[small]):
        head = int(room.child[node])
        if node != end:
            removed = durations[node, head]
            for column in range(after.shape[1]):
                there = after[node, column]
                if durations[node, there] - removed >= least:
                    break
                behind = int(room.before[there])
                added = _bridge(durations, room, node, behind)
                if added < least:
                    best, least = (node, behind), added
            for column in range(near.shape[1]):
                behind = int(near[head, column])
                added = _bridge(durations, room, node, behind)
                if added < least:
                    best, least = (node, behind), added
        node = head
    return best[0], best[1], int(least)


@inlined
def _bridge(durations: Int32, room: LegRoom, node: int, behind: int) -> int:
    """Return what it costs to exchange the heads of two legs of different rings."""
    child = room.child
    if room.piece[behind] == room.piece[node] or behind == len(child) - 1:
        return NO_BRIDGE
    added = int(durations[node, child[behind]]) + durations[behind, child[node]]
    return int(added - durations[node, child[node]] - durations[behind, child[behind]])
