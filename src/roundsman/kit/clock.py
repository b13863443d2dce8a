"""The time of day, asked for instead of taken, so that a test can say what time it is."""

from datetime import UTC, datetime
from typing import Protocol


class Clock(Protocol):
    """Whatever knows the time."""

    def now(self) -> datetime:
        """Return the present as an aware UTC datetime."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """Return the machine's time in UTC."""
        return datetime.now(UTC)  # noqa: TID251 -- the one place where the wall clock is read
