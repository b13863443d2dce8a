"""Counters, random state and the queue of nodes that both searches keep beside a route.

Each search numbers its own counters from `OWN` on in the same array.
"""

from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from roundsman.planning.compiled import inlined
from roundsman.planning.matrix import Int64

MOVES, RANDOM, HEAD, WAITING, OWN = range(5)


class Chance(Protocol):
    """What keeps the state of a generator of random numbers."""

    @property
    def state(self) -> Int64: ...


class Books(Chance, Protocol):
    """A route under search, as far as its books go."""

    @property
    def queue(self) -> NDArray[Any]: ...

    @property
    def queued(self) -> NDArray[Any]: ...


def new_state(seed: int) -> Int64:
    """Return a new state: counters at zero, an empty queue, the random state of a seed."""
    state = np.zeros(16, dtype=np.int64)
    state[RANDOM] = (seed * 0x9E3779B97F4A7C15 + 0x1234567) % (2**62) + 1
    return state


@inlined
def enqueue(books: Books, node: int) -> None:
    """Put a node on the list of those whose surroundings changed (Bentley's don't-look bits)."""
    if books.queued[node]:
        return
    books.queued[node] = 1
    spot = books.state[HEAD] + books.state[WAITING]
    size = len(books.queue)
    books.queue[spot - size if spot >= size else spot] = node
    books.state[WAITING] += 1


@inlined
def dequeue(books: Books) -> int:
    """Take the node that has waited longest."""
    head = books.state[HEAD]
    node = int(books.queue[head])
    books.state[HEAD] = head + 1 if head + 1 < len(books.queue) else 0
    books.state[WAITING] -= 1
    books.queued[node] = 0
    return node


@inlined
def draw(books: Chance, below: int) -> int:
    """Draw a whole number from 0 up to below (xorshift, Marsaglia 2003)."""
    value = books.state[RANDOM]
    value ^= value << 13
    value ^= (value >> 7) & 0x01FFFFFFFFFFFFFF
    value ^= value << 17
    books.state[RANDOM] = value
    return int(((value >> 20) & 0x7FFFFFFFFFF) % below)
