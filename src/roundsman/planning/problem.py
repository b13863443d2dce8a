"""One route to be ordered: places, times between them, windows, priorities. Only checks, no search.

Time is whole seconds on one axis that the caller chose; values may be negative or exceed a day.
The vehicle leaves `start` at `departure`, after the start's service, which begins at `departure`.
`end=None` is an open route that is over when the last visit's service is; `end == start` is a
round trip. A window holds the start of service, both ends included. Any one of several windows
will do, none at all means always open. The end's windows hold the arrival there; the start's are
not looked at on leaving. Whoever comes after the last window has closed is late and is served on
arrival.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

type Seconds = NDArray[np.int64]
type Windows = tuple[tuple[tuple[int, int], ...], ...]

MAX_NODES = 5_000  # keeps every weighted sum of the search inside 64 bits
MAX_TIME = 2**40  # far beyond any clock, far below overflow
_INT32 = np.iinfo(np.int32)


@dataclass(frozen=True, eq=False, slots=True)
class Problem:
    """Everything the order depends on; arrays may be given as any sequence of whole numbers."""

    durations: NDArray[np.int32]
    """Seconds from row to column; a huge value marks a pair that no road joins."""
    distances: NDArray[np.int32] | None
    """Metres from row to column, only reported, never minimised."""
    start: int
    end: int | None
    service: NDArray[np.int32]
    windows: Sequence[Sequence[tuple[int, int]]]
    priority: NDArray[np.int32]
    """Higher comes first; 0 is none."""
    departure: int
    max_duration: int | None = None
    """Seconds from departure to the end's arrival, or to the last departure when open."""

    def __post_init__(self) -> None:
        """Refuse what the search could not mean, naming the field."""
        durations = _matrix("durations", self.durations)
        size = len(durations)
        if not 1 <= size <= MAX_NODES:
            raise ValueError(f"durations must have 1 to {MAX_NODES} rows, not {size}")
        settled = {
            "durations": durations,
            "distances": None if self.distances is None else _distances(self.distances, size),
            "start": _index("start", self.start, size),
            "end": None if self.end is None else _index("end", self.end, size),
            "service": _per_node("service", self.service, size),
            "windows": _windows(self.windows, size),
            "priority": _per_node("priority", self.priority, size),
            "departure": _whole("departure", self.departure),
            "max_duration": _max_duration(self.max_duration),
        }
        for field, value in settled.items():
            object.__setattr__(self, field, value)

    @property
    def size(self) -> int:
        """How many nodes there are, start and end included."""
        return len(self.durations)

    @property
    def visits(self) -> tuple[int, ...]:
        """Return the nodes to be ordered: all but start and end."""
        return tuple(node for node in range(self.size) if node not in (self.start, self.end))

    @property
    def has_windows(self) -> bool:
        """Whether any visit or the end is not always open."""
        nodes = self.visits if self.end is None else (*self.visits, self.end)
        return any(self.windows[node] for node in nodes)

    def path(self, order: Sequence[int]) -> list[int]:
        """Return the nodes in driving order, start first and the end, if any, last."""
        return [
            self.start,
            *(int(node) for node in order),
            *([] if self.end is None else [self.end]),
        ]

    def check_order(self, field: str, order: Sequence[int]) -> tuple[int, ...]:
        """Refuse an order that does not hold every visit exactly once."""
        nodes = tuple(int(node) for node in order)
        if sorted(nodes) != list(self.visits):
            raise ValueError(f"{field} must hold every node but start and end exactly once")
        return nodes


def _integers(field: str, values: ArrayLike) -> NDArray[np.int64]:
    array = np.asarray(values)
    if array.size and array.dtype.kind not in "iu":
        raise ValueError(f"{field} must be whole numbers, not {array.dtype}")
    if array.size and (array.min() < 0 or array.max() > _INT32.max):
        raise ValueError(f"{field} must lie between 0 and {_INT32.max}")
    return array.astype(np.int64)


def _matrix(field: str, values: ArrayLike) -> NDArray[np.int32]:
    array = _integers(field, values)
    if array.ndim != 2 or array.shape[0] != array.shape[1]:
        raise ValueError(f"{field} must be a square matrix, not of shape {array.shape}")
    return np.ascontiguousarray(array, dtype=np.int32)


def _distances(values: ArrayLike, size: int) -> NDArray[np.int32]:
    array = _matrix("distances", values)
    if len(array) != size:
        raise ValueError(f"distances must have {size} rows like durations, not {len(array)}")
    return array


def _per_node(field: str, values: ArrayLike, size: int) -> NDArray[np.int32]:
    array = _integers(field, values)
    if array.shape != (size,):
        raise ValueError(f"{field} must have one value a node ({size}), not shape {array.shape}")
    return array.astype(np.int32)


def _whole(field: str, value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise ValueError(f"{field} must be a whole number, not {value!r}")  # noqa: TRY004 -- one error type for all input
    if abs(int(value)) > MAX_TIME:
        raise ValueError(f"{field} must lie within {MAX_TIME} seconds of zero")
    return int(value)


def _index(field: str, value: object, size: int) -> int:
    index = _whole(field, value)
    if not 0 <= index < size:
        raise ValueError(f"{field} must be a node from 0 to {size - 1}, not {index}")
    return index


def _max_duration(value: object) -> int | None:
    if value is None:
        return None
    seconds = _whole("max_duration", value)
    if seconds < 0:
        raise ValueError("max_duration must not be negative")
    return seconds


def _windows(values: Sequence[Sequence[tuple[int, int]]], size: int) -> Windows:
    if len(values) != size:
        raise ValueError(f"windows must have one sequence a node ({size}), not {len(values)}")
    return tuple(join_windows(node, given) for node, given in enumerate(values))


def join_windows(node: int, given: Sequence[tuple[int, int]]) -> tuple[tuple[int, int], ...]:
    """Check one node's windows and join those that overlap, so that they are ordered and apart."""
    joined: list[tuple[int, int]] = []
    edges = [[_whole(f"windows[{node}]", edge) for edge in window] for window in given]
    for opens, closes in sorted(edges):
        if opens > closes:
            raise ValueError(f"windows[{node}] opens at {opens} after it closes at {closes}")
        if joined and opens <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(closes, joined[-1][1]))
        else:
            joined.append((opens, closes))
    return tuple(joined)
