"""The problem as the kernels see it: a path from node 0 to the last node through all others.

An open end becomes a last node that costs nothing to reach, a round trip a second copy of the
start. Visits at one place become one node, so that neighbour lists show the next street and not
the same door ten times. Nodes are numbered by what they are, not by how the caller numbered them:
the same stops in another row order give the same route.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.problem import MAX_TIME, Problem

type Int32 = NDArray[np.int32]
type Int64 = NDArray[np.int64]

FAR = np.int32(2**27)  # about four years: no road, yet sums of it stay harmless
NEVER = -(2**50)
NO_LIMIT = 2**62
ALWAYS = ((-(2**45), 2**45),)
MOST_ONE_WAY = 0.1
"""Towns have 0.02 to 0.05; above, turning parts round is seldom worth a look."""
WAIT_WEIGHT = 0.2  # of unavoidable waiting in the proximity of two visits (Vidal et al. 2013)
_BLOCK = 32  # rows and columns of a table that stay in the processor's cache


class Network(NamedTuple):
    """What the kernels read and never write; a named tuple because numba knows those."""

    durations: Int32
    service: Int64
    first_window: Int64
    opens: Int64
    closes: Int64
    last_open: Int64
    last_close: Int64
    rank: Int64
    near_after: Int32
    """For each node, who may well follow it, nearest first; empty where the network is free."""
    near_before: Int32
    deadline: int
    leave: int
    timed: bool
    free: bool
    """Travel alone counts, and there and back are much the same: the search for that is enough."""
    classes: int
    symmetric: bool
    price: int
    """Of one inversion in the second cost, above any travel time."""


@dataclass(frozen=True, eq=False, slots=True)
class Reduction:
    """A network and how to get back from its path to the caller's order."""

    network: Network
    groups: tuple[tuple[int, ...], ...]
    """The caller's nodes behind each inner node of the network, first at index 1."""

    def order(self, route: Sequence[int] | Int32 | Int64) -> tuple[int, ...]:
        """Translate a path of the network, ends included, into the caller's order."""
        return tuple(visit for node in route[1:-1] for visit in self.groups[int(node) - 1])

    def route(self, order: Sequence[int]) -> Int64:
        """Translate the caller's order into a path; a group stands where its first visit stood."""
        node_of = {visit: node for node, group in enumerate(self.groups, 1) for visit in group}
        inner = list(dict.fromkeys(node_of[visit] for visit in order))
        return np.array([0, *inner, len(self.groups) + 1], dtype=np.int64)


def reduce_problem(
    problem: Problem, *, neighbours: int, merge: bool, is_restricted: bool = False
) -> Reduction:
    """Build the network of a problem.

    Where not every order is allowed, the pairs out of priority order must be counted one by one: a
    restricted search keeps a schedule wherever there are priorities.
    """
    ranks = _ranks(problem)
    classes = len({ranks[visit] for visit in problem.visits})
    timed = problem.has_windows or (problem.max_duration is not None and classes > 1)
    timed = timed or (is_restricted and classes > 1)
    groups = _groups(problem, merge=merge and not (timed and classes > 1))
    durations = _durations(problem, groups)
    price = int(durations.max(axis=1).astype(np.int64).sum()) + 1
    rank = np.array([0, *(ranks[group[0]] for group in groups), 0], dtype=np.int64)
    if classes > 1 and not timed:
        _price_ascents(durations, rank, min(price, 2**28))
    inner = durations[1:-1, 1:-1]
    differ = sum_differences(inner)
    both_ways = 2 * MOST_ONE_WAY * int(inner.sum(dtype=np.int64))
    free = not (timed or is_restricted) and differ <= both_ways
    windows = [ALWAYS, *(problem.windows[group[0]] or ALWAYS for group in groups)]
    windows.append(ALWAYS if problem.end is None else problem.windows[problem.end] or ALWAYS)
    counts = [0, *(len(own) for own in windows)]
    service = [0, *(sum(int(problem.service[visit]) for visit in group) for group in groups), 0]
    limit = MAX_TIME * 4 if problem.max_duration is None or not timed else problem.max_duration
    network = Network(
        durations=durations,
        service=np.array(service, dtype=np.int64),
        first_window=np.cumsum(counts, dtype=np.int64),
        opens=np.array([opens for own in windows for opens, _ in own], dtype=np.int64),
        closes=np.array([closes for own in windows for _, closes in own], dtype=np.int64),
        last_open=np.array([own[-1][0] for own in windows], dtype=np.int64),
        last_close=np.array([own[-1][1] for own in windows], dtype=np.int64),
        rank=rank,
        near_after=np.zeros((0, 0), dtype=np.int32),
        near_before=np.zeros((0, 0), dtype=np.int32),
        deadline=problem.departure + limit,
        leave=problem.departure + int(problem.service[problem.start]),
        timed=timed,
        free=free,
        classes=classes,
        symmetric=differ == 0,
        price=price,
    )
    if free:  # the search for that has lists of its own
        return Reduction(network, groups)
    count = max(1, min(neighbours, len(groups)))
    shape = (len(durations), count + 1)
    after, before = np.zeros(shape, dtype=np.int32), np.zeros(shape, dtype=np.int32)
    back = np.ascontiguousarray(durations.T)
    list_neighbours(network, back, after, before, np.zeros(count, dtype=np.int64))
    return Reduction(network._replace(near_after=after, near_before=before), groups)


def _ranks(problem: Problem) -> dict[int, int]:
    """Number the priorities that occur from 0 up, so that tables over them stay small."""
    present = sorted({int(problem.priority[visit]) for visit in problem.visits})
    number = {priority: rank for rank, priority in enumerate(present)}
    return {visit: number[int(problem.priority[visit])] for visit in problem.visits}


def _groups(problem: Problem, *, merge: bool) -> tuple[tuple[int, ...], ...]:
    visits = _canonical(problem)
    if not merge:
        return tuple((visit,) for visit in visits)
    # Most places have no other a zero away, and need not be compared whole.
    zeros = np.count_nonzero(problem.durations == 0, axis=1)
    found: dict[tuple[object, ...], list[int]] = {}
    for visit in visits:
        location = (visit,) if zeros[visit] <= 1 else _location_key(problem, visit)
        found.setdefault(location, []).append(visit)
    return tuple(tuple(group) for group in found.values())


def _location_key(problem: Problem, visit: int) -> tuple[object, ...]:
    """Return a key that two visits share when one can stand for the other."""
    durations = problem.durations
    if problem.windows[visit] or durations[visit, visit] != 0:
        return (visit,)
    row, column = durations[visit], durations[:, visit]
    return int(problem.priority[visit]), row.tobytes(), column.tobytes()


def _canonical(problem: Problem) -> list[int]:
    """Sort visits by what they are: sums of row and column, service, windows, priority."""
    rows = problem.durations.sum(axis=1, dtype=np.int64)
    columns = problem.durations.sum(axis=0, dtype=np.int64)
    service, priority = problem.service, problem.priority
    return sorted(
        problem.visits,
        key=lambda node: (
            int(rows[node]),
            int(columns[node]),
            int(service[node]),
            problem.windows[node],
            int(priority[node]),
            node,
        ),
    )


def _durations(problem: Problem, groups: Sequence[Sequence[int]]) -> Int32:
    nodes = np.array([problem.start, *(group[0] for group in groups)], dtype=np.int64)
    size = len(nodes) + 1
    durations = np.zeros((size, size), dtype=np.int32)
    take_square(problem.durations, nodes, durations[:-1, :-1])
    if problem.end is not None:
        durations[:-1, -1] = problem.durations[nodes, problem.end]
    return np.minimum(durations, FAR, out=durations)


def _price_ascents(durations: Int32, rank: Int64, price: int) -> None:
    """Make it dear to drive from a visit to one of higher priority; without windows that is all."""
    inner = rank[1:-1]
    durations[1:-1, 1:-1][inner[:, None] < inner[None, :]] += np.int32(price)


@compiled
def take_square(durations: Int32, nodes: Int64, square: Int32) -> None:
    """Fill a table with the rows and columns of some nodes; numpy takes several times as long."""
    for row in range(len(nodes)):
        line = durations[nodes[row]]
        for column in range(len(nodes)):
            square[row, column] = line[nodes[column]]


@compiled
def sum_differences(durations: Int32) -> int:
    """Return by how much there and back differ in all: 0 on symmetric roads."""
    size, differ = len(durations), 0
    for top in range(0, size, _BLOCK):
        for left in range(0, top + 1, _BLOCK):
            for row in range(top, min(top + _BLOCK, size)):
                for column in range(left, min(left + _BLOCK, row)):
                    differ += abs(int(durations[row, column]) - durations[column, row])
    return 2 * int(differ)


@compiled
def list_neighbours(
    network: Network, back: Int32, after: Int32, before: Int32, keys: Int64
) -> None:
    """Pick for each node the visits that may follow or precede it, by travel and windows.

    `back` are the durations the other way round, so that both are read along rows.

    The first column holds the end (after) or the start (before), which are always worth a look.
    """
    size = len(network.durations)
    count = len(keys)
    for node in range(size):
        after[node, 0] = size - 1
        before[node, 0] = 0
        for forward in (True, False):
            held, worst = 0, NO_LIMIT
            chosen = (after if forward else before)[node, 1:]
            travel = (network.durations if forward else back)[node]
            for other in range(1, size - 1):
                # Proximity is travel at least, which tells enough of nearly all.
                if travel[other] >= worst or other == node:
                    continue
                key = (
                    _proximity(network, node, other)
                    if forward
                    else _proximity(network, other, node)
                )
                if key >= worst:
                    continue
                spot = held if held < count else count - 1
                held = min(held + 1, count)
                while spot > 0 and keys[spot - 1] > key:
                    keys[spot] = keys[spot - 1]
                    chosen[spot] = chosen[spot - 1]
                    spot -= 1
                keys[spot] = key
                chosen[spot] = other
                if held == count:
                    worst = keys[count - 1]
            _sort_near(network, chosen, held, node, forward)


@compiled
def _sort_near(network: Network, chosen: Int32, held: int, node: int, forward: bool) -> None:  # noqa: FBT001 -- a kernel
    """Order the chosen neighbours nearest first; places left over repeat the first."""
    durations = network.durations
    for column in range(len(chosen)):
        if column >= held:
            chosen[column] = chosen[0]
            continue
        other = chosen[column]
        travel = durations[node, other] if forward else durations[other, node]
        spot = column
        while spot > 0:
            near = chosen[spot - 1]
            if (durations[node, near] if forward else durations[near, node]) <= travel:
                break
            chosen[spot] = near
            spot -= 1
        chosen[spot] = other


@inlined
def _proximity(network: Network, node: int, other: int) -> int:
    """Judge a leg by travel, certain waiting and certain lateness (Vidal et al. 2013)."""
    travel = int(network.durations[node, other])
    if not network.timed:
        return travel
    ready = network.opens[network.first_window[node]] + network.service[node] + travel
    latest = network.last_close[node] + network.service[node] + travel
    wait = max(0, network.opens[network.first_window[other]] - latest)
    late = max(0, ready - network.last_close[other])
    return int(travel + int(min(wait, 2**40) * WAIT_WEIGHT) + late)
