"""What an exchange of legs really gains on one-way roads, parts turned round included.

Sums of there and back tell the search where to look; prefix sums of the route say what driving a
part backwards costs, so each is priced exactly by a few look-ups, whatever the length of its parts.
"""

from roundsman.planning.compiled import compiled, inlined
from roundsman.planning.matrix import Int32, Int64

type Ends = tuple[int, int, int, int, int, int]
"""The nodes t1 to t6 of three legs removed, t1-t2, t3-t4, t5-t6, and two added, t2-t3, t4-t5."""


@compiled
def gain_of_turn(  # noqa: PLR0913 -- a kernel: the ends of the legs
    durations: Int32,
    route: Int32,
    position: Int32,
    skew: Int64,
    first: int,
    second: int,
    third: int,
    fourth: int,
) -> int:
    """Return what is really gained by turning the part between two removed legs."""
    low, high = min(position[first], position[second]), min(position[third], position[fourth])
    if low > high:
        low, high = high, low
    before, start, last, after = route[low], route[low + 1], route[high], route[high + 1]
    gain = int(durations[before, start]) + durations[last, after]
    gain -= int(durations[before, last]) + durations[start, after]
    return int(gain + skew[high] - skew[low + 1])


@compiled
def gain_of_three(durations: Int32, route: Int32, position: Int32, skew: Int64, ends: Ends) -> int:
    """Return what is really gained by an exchange of three legs, given their ends t1 to t6.

    They cut out two parts X and Y. Whom the node before X gets beside it, and the one behind Y,
    tells which of the four ways of joining this is: X'Y', YX, Y'X or YX', a dash for turned round.
    """
    first, second, third, fourth, fifth, sixth = ends
    low, middle = min(position[first], position[second]), min(position[third], position[fourth])
    high = min(position[fifth], position[sixth])
    if low > middle:
        low, middle = middle, low
    if middle > high:
        middle, high = high, middle
    if low > middle:
        low, middle = middle, low
    before, after = route[low], route[high + 1]
    x_first, x_last, y_first, y_last = route[low + 1], route[middle], route[middle + 1], route[high]
    joined, behind = _joined_to(ends, before), _joined_to(ends, after)
    gain = int(durations[before, x_first]) + durations[x_last, y_first] + durations[y_last, after]
    x_turned, y_turned = skew[middle] - skew[low + 1], skew[high] - skew[middle + 1]
    if joined == x_last and behind == y_first:
        gain += x_turned + y_turned
        gain -= int(durations[before, x_last]) + durations[x_first, y_last]
        return int(gain - durations[y_first, after])
    if joined == y_last and behind == x_last:
        gain += y_turned - durations[before, y_last]
        return int(gain - durations[y_first, x_first] - durations[x_last, after])
    gain -= durations[before, y_first]
    if behind == x_last:
        return int(gain - durations[y_last, x_first] - durations[x_last, after])
    return int(gain + x_turned - durations[y_last, x_last] - durations[x_first, after])


@inlined
def _joined_to(ends: Ends, node: int) -> int:
    """Return the other end of the new leg that a node gets."""
    first, second, third, fourth, fifth, sixth = ends
    if node == second:
        return third
    if node == third:
        return second
    if node == fourth:
        return fifth
    if node == fifth:
        return fourth
    return sixth if node == first else first
