"""How much an order has changed: the fewest visits whose moving explains it."""

from bisect import bisect_left
from collections.abc import Hashable, Sequence


def count_moved[V: Hashable](before: Sequence[V], after: Sequence[V]) -> int:
    """Return the fewest visits whose moving makes one order of the other; new ones do not count.

    Those that may stay are a longest common subsequence.
    """
    place = {visit: number for number, visit in enumerate(before)}
    places = [place[visit] for visit in after if visit in place]
    return len(places) - len(longest_increasing(places))


def longest_increasing(places: Sequence[int]) -> list[int]:
    """Return the indexes of a longest increasing subsequence (Schensted 1961)."""
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for index, place in enumerate(places):
        length = bisect_left(tails, place)
        before.append(ends[length - 1] if length else -1)
        tails[length : length + 1] = [place]
        ends[length : length + 1] = [index]
    chosen: list[int] = []
    index = ends[-1] if ends else -1
    while index >= 0:
        chosen.append(index)
        index = before[index]
    return chosen[::-1]
