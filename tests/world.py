"""A clock that stands still until it is moved, and ids that repeat themselves."""

import hashlib
import itertools
import uuid
from datetime import UTC, datetime, timedelta


class FixedClock:
    """Says the same time until told to move on."""

    def __init__(self, now: datetime = datetime(2024, 7, 1, 6, 0, tzinfo=UTC)) -> None:
        self._now = now

    def now(self) -> datetime:
        return self._now

    def advance(self, **by: float) -> None:
        self._now += timedelta(**by)


class CountingIds:
    """Draws ids and bytes from a counter: different each time, equal in each run."""

    def __init__(self) -> None:
        self._counter = itertools.count(1)
        self.drawn = 0

    def new_uuid(self) -> str:
        return str(uuid.UUID(bytes=self.random_bytes(16), version=4))

    def random_bytes(self, count: int) -> bytes:
        number = self.drawn = next(self._counter)
        seed = str(number).encode()
        return hashlib.shake_128(seed).digest(count)

    def draw_on_from(self, drawn: int) -> None:
        """Go on as if so many had been drawn."""
        self._counter = itertools.count(drawn + 1)
