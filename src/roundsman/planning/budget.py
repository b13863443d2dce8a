"""The budget of a search: seconds of the monotonic clock, moves, and a caller that gives up."""

import threading
import time
from collections.abc import Callable

type Cancelled = Callable[[], bool] | threading.Event

MOVES_PER_SECOND = (
    20_000_000  # what a slow core of today looks at, so that `seconds` is rarely the guard
)


SLICE = 100_000  # moves between two looks at the clock: a few milliseconds


def moves_within(seconds: float) -> int:
    """Return the budget of moves that a slow machine finishes in so many seconds.

    Searches with this budget give equal output for equal input, on any machine that is fast enough.
    """
    return max(1, int(seconds * MOVES_PER_SECOND))


class Budget:
    """Counts moves and reads the clock between slices, never inside a kernel."""

    def __init__(self, seconds: float, moves: int | None, cancelled: Cancelled | None) -> None:
        if not seconds > 0:
            raise ValueError(f"seconds must be positive, not {seconds}")
        if moves is not None and moves < 1:
            raise ValueError(f"moves must be positive, not {moves}")
        self.spent = 0
        self._seconds = seconds
        self._moves = moves
        self._begun = time.monotonic()
        self._cancelled = cancelled.is_set if isinstance(cancelled, threading.Event) else cancelled

    @property
    def is_over(self) -> bool:
        """Whether to stop now."""
        if self._cancelled is not None and self._cancelled():
            return True
        if self._moves is not None and self.spent >= self._moves:
            return True
        return time.monotonic() - self._begun >= self._seconds

    @property
    def left(self) -> float:
        """How much is left, from 1 at the beginning to 0; by moves when those are counted."""
        if self._moves is not None:
            return max(0.0, 1 - self.spent / self._moves)
        return max(0.0, 1 - (time.monotonic() - self._begun) / self._seconds)

    @property
    def moves_left(self) -> int:
        """How many moves are left, as a slow machine would make them where the clock decides."""
        moves = moves_within(self._seconds) if self._moves is None else self._moves
        return int(self.left * moves)
