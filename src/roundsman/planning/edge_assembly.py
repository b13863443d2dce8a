"""Joining two routes regardless of direction: edge assembly crossover (Nagata & Kobayashi 2013).

Legs that only one of the two routes has form rings in which legs of the one and the other take
turns. A child is the first route with the second's legs along one such ring. It may fall into
several rings of nodes, which are then joined, the smallest first, by exchanging two legs nearby.

Differences to the paper: children are looked at one ring a child, those that lose by far not at
all; the children's travel is counted along the roads in the direction in which it is driven; and
the best child is taken by travel alone, because the search that follows brings in new legs.
"""

from typing import NamedTuple

import numpy as np

from roundsman.planning.bookkeeping import MOVES, draw, new_state
from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.matrix import Int32, Int64
from roundsman.planning.population import Population, exchange_link, next_on, travel_of
from roundsman.planning.route_arrays import Roads

MOST_CHILDREN = 30
NO_BRIDGE = 2**40  # in place of what it costs
FIRST, SECOND = range(2)


class EdgeRoom(NamedTuple):
    """What joining two routes needs room for."""

    child: Int32
    chosen: Int32
    """The best child, like the child: for each node, the two beside it."""
    own: Int32
    """For the first and the second route and each node: its legs that the other route lacks."""
    owned: Int32
    """How many those are."""
    left: Int32
    """Nodes that may have such legs left."""
    walk: Int32
    """Nodes of the walk along legs of the two routes in turn, the first route's first."""
    spots: Int32
    """For each node, where it is on the walk, at an even place and at an odd one; -1 if nowhere."""
    ring_nodes: Int32
    ring_begins: Int32
    """Where in `ring_nodes` each ring begins and the last one ends."""
    piece: Int32
    """For each node, of which ring of the child it is."""
    lengths: Int32
    roots: Int32
    """For each ring of the child, how many nodes it has, and one of them."""
    state: Int64


def new_edge_room(size: int, seed: int) -> EdgeRoom:
    """Make room for joining routes of so many nodes."""

    def room(*shape: int) -> Int32:
        return np.zeros(shape, dtype=np.int32)

    return EdgeRoom(
        child=room(size, 2),
        chosen=room(size, 2),
        own=room(2, size, 2),
        owned=room(2, size),
        left=room(size),
        walk=room(4 * size),
        spots=room(size, 2),
        ring_nodes=room(4 * size),
        ring_begins=room(2 * size),
        piece=room(size),
        lengths=room(size),
        roots=room(size),
        state=new_state(seed),
    )


@compiled
def assemble_edges(
    roads: Roads, routes: Population, room: EdgeRoom, first: int, second: int, slack: int
) -> int:
    """Join two routes; put the best child, if it travels less than the first, into `chosen`.

    Return its travel, or the first route's. Rings that lose more than the slack, there and back,
    get no child.
    """
    rings = _find_rings(routes.links[first], routes.links[second], room)
    parent, child, chosen, both = routes.links[first], room.child, room.chosen, roads.both
    nodes = room.ring_nodes
    least = routes.costs[first]
    for ring in range(min(rings, MOST_CHILDREN)):
        begin, end = room.ring_begins[ring], room.ring_begins[ring + 1]
        gain = 0
        for spot in range(begin, end, 2):
            behind = nodes[spot + 2 if spot + 2 < end else begin]
            gain += both[nodes[spot], nodes[spot + 1]] - both[nodes[spot + 1], behind]
        if gain < -slack:
            continue
        for node in range(len(child)):
            child[node, 0], child[node, 1] = parent[node, 0], parent[node, 1]
        _exchange_legs(child, nodes, begin, end)
        room.state[MOVES] += 1 + len(child) // 2
        pieces = _find_pieces(child, room)
        if pieces > 1 and not _join_pieces(roads, room, pieces):
            continue
        travel = travel_of(roads, child)
        if travel < least:
            least = travel
            for node in range(len(child)):
                chosen[node, 0], chosen[node, 1] = child[node, 0], child[node, 1]
    return int(least)


@inlined
def _find_rings(one: Int32, other: Int32, room: EdgeRoom) -> int:
    """Split the legs that only one route has into rings that alternate; return how many.

    Which leg goes on is drawn. A ring begins with a leg of the first route.
    """
    walk, spots = room.walk, room.spots
    waiting = _list_own(one, other, room)
    count, at = 0, 0
    room.ring_begins[0] = 0
    while waiting > 0 or at > 0:
        if at == 0:
            pick = draw(room, waiting)
            if room.owned[FIRST, room.left[pick]] == 0:
                waiting -= 1
                room.left[pick] = room.left[waiting]
                continue
            walk[0] = room.left[pick]
            spots[walk[0], 0] = 0
        here, side = walk[at], at & 1
        there = room.own[side, here, draw(room, 2) if room.owned[side, here] == 2 else 0]
        _take_own(room, side, here, there)
        _take_own(room, side, there, here)
        at += 1
        walk[at] = there
        seen = spots[there, at & 1]
        if seen < 0:
            spots[there, at & 1] = at
            continue
        _cut_ring(room, count, seen, at)
        count += 1
        at = seen
        if at == 0:
            spots[walk[0], 0] = -1
    return count


@inlined
def _cut_ring(room: EdgeRoom, count: int, seen: int, at: int) -> None:
    """Write down the ring at the end of the walk, which has come to a node again."""
    filled = room.ring_begins[count]
    shift = at & 1  # such a ring began with a leg of the second route
    for spot in range(seen + shift, at + shift):
        room.ring_nodes[filled] = room.walk[spot]
        filled += 1
    room.ring_begins[count + 1] = filled
    for spot in range(seen + 1, at):
        room.spots[room.walk[spot], spot & 1] = -1


@inlined
def _list_own(one: Int32, other: Int32, room: EdgeRoom) -> int:
    """List for each node the legs that only one route has; return how many nodes have any."""
    waiting = 0
    for node in range(len(one)):
        room.spots[node, 0] = room.spots[node, 1] = -1
        for side in range(2):
            mine, theirs = (one, other) if side == FIRST else (other, one)
            held = 0
            for way in range(2):
                there = mine[node, way]
                if there != theirs[node, 0] and there != theirs[node, 1]:
                    room.own[side, node, held] = there
                    held += 1
            room.owned[side, node] = held
        if room.owned[FIRST, node] > 0:
            room.left[waiting] = node
            waiting += 1
    return waiting


@inlined
def _take_own(room: EdgeRoom, side: int, node: int, other: int) -> None:
    """Take a leg off a node's list."""
    if room.own[side, node, 0] == other:
        room.own[side, node, 0] = room.own[side, node, 1]
    room.owned[side, node] -= 1


@inlined
def _exchange_legs(child: Int32, nodes: Int32, begin: int, end: int) -> None:
    """Give a route the second's legs along a ring for those of the first."""
    for spot in range(begin, end):
        before = nodes[spot - 1 if spot > begin else end - 1]
        behind = nodes[spot + 1 if spot + 1 < end else begin]
        if (spot - begin) & 1:
            exchange_link(child, nodes[spot], before, behind)
        else:
            exchange_link(child, nodes[spot], behind, before)


@inlined
def _find_pieces(child: Int32, room: EdgeRoom) -> int:
    """Number the rings into which the nodes fall; return how many."""
    piece = room.piece
    for node in range(len(child)):
        piece[node] = -1
    count, seen = 0, 0
    for root in range(len(child)):
        if piece[root] >= 0:
            continue
        before, here, length = int(child[root, 1]), root, 0
        while piece[here] < 0:
            piece[here] = count
            length += 1
            before, here = here, next_on(child, before, here)
        room.lengths[count], room.roots[count] = length, root
        count += 1
        seen += length
        if seen == len(child):
            break
    return count


@inlined
def _join_pieces(roads: Roads, room: EdgeRoom, pieces: int) -> bool:
    """Join the rings of the child, the smallest first; say whether that could be done."""
    child, piece, lengths = room.child, room.piece, room.lengths
    for _ in range(pieces - 1):
        small = smallest_piece(lengths, pieces)
        node, mate, other, beyond = _best_bridge(roads, room, small)
        if node < 0:
            return False
        exchange_link(child, node, mate, other)
        exchange_link(child, mate, node, beyond)
        exchange_link(child, other, beyond, node)
        exchange_link(child, beyond, other, mate)
        joined = piece[other]
        before, here = other, node
        while piece[here] == small:
            piece[here] = joined
            before, here = here, next_on(child, before, here)
        lengths[joined] += lengths[small]
        lengths[small] = 0
    return True


@inlined
def smallest_piece(lengths: Int32, pieces: int) -> int:
    """Return the smallest of the rings that were not joined yet."""
    small = -1
    for piece in range(pieces):
        if lengths[piece] > 0 and (small < 0 or lengths[piece] < lengths[small]):
            small = piece
    return small


@inlined
def _best_bridge(roads: Roads, room: EdgeRoom, small: int) -> tuple[int, int, int, int]:
    """Find a leg of a ring and one nearby of another whose exchange costs least, there and back.

    Returned are the ends of both, each end before the one that it gets for a neighbour; -1 if
    there is none.
    """
    child = room.child
    least = NO_BRIDGE
    best = (-1, -1, -1, -1)
    node = int(room.roots[small])
    before = int(child[node, 1])
    for _ in range(room.lengths[small]):
        for side in range(2):
            mate = int(child[node, side])
            if _is_closing(child, node, mate):
                continue
            added, other, beyond = _bridge_from(roads, room, node, mate, least)
            if added < least:
                least = added
                best = (node, mate, other, beyond)
        before, node = node, next_on(child, before, node)
    return best


@inlined
def _bridge_from(
    roads: Roads, room: EdgeRoom, node: int, mate: int, least: int
) -> tuple[int, int, int]:
    """Find the leg of another ring whose exchange with this one costs least, below what is known.

    Returned are that cost and the ends of the leg, first the one that comes beside the node.
    """
    child, piece, both, near = room.child, room.piece, roads.both, roads.near
    removed, small = both[node, mate], piece[node]
    best = (-1, -1)
    for column in range(near.shape[1]):
        other = int(near[node, column])
        if both[node, other] - removed >= least:
            break
        if piece[other] == small:
            continue
        for way in range(2):
            beyond = int(child[other, way])
            added = both[node, other] + both[mate, beyond] - removed - both[other, beyond]
            if added < least and not _is_closing(child, other, beyond):
                least = added
                best = (other, beyond)
    return least, best[0], best[1]


@inlined
def _is_closing(child: Int32, one: int, other: int) -> bool:
    """Whether this is the leg from end to start, which is none and always stays."""
    return bool(one + other == len(child) - 1 and (one == 0 or other == 0))
