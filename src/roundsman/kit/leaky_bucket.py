"""The leaky bucket behind the rate limit, as the generic cell rate algorithm in whole microseconds.

A bucket is one number: when it will be full again (the theoretical arrival time of ITU-T I.371).
Whoever keeps that number keeps the bucket, in memory or in a row that several processes share.
"""

import threading
from dataclasses import dataclass
from typing import Protocol

from msgspec import Struct
from msgspec.structs import replace

_SECOND = 1_000_000


@dataclass(frozen=True, kw_only=True, slots=True)
class Rate:
    """How much a bucket holds, and how long one request takes to come back."""

    capacity: int
    interval_micros: int

    @property
    def span_micros(self) -> int:
        """Return how long an empty bucket takes to fill."""
        return self.capacity * self.interval_micros


class Verdict(Struct, frozen=True, kw_only=True):
    """Whether a request is let in, and the state of the bucket after it."""

    is_allowed: bool
    full_at: int
    now: int
    rate: Rate

    @property
    def remaining(self) -> int:
        """Return how many more requests are let in right now."""
        missing = max(0, self.full_at - self.now)
        return max(0, (self.rate.span_micros - missing) // self.rate.interval_micros)

    @property
    def reset_seconds(self) -> int:
        """Return the seconds until the bucket is full, rounded up."""
        return max(0, -((self.now - self.full_at) // _SECOND))

    @property
    def retry_after_seconds(self) -> int:
        """Return the seconds until one request is let in, rounded up."""
        free_at = self.full_at + self.rate.interval_micros - self.rate.span_micros
        return max(0, -((self.now - free_at) // _SECOND))


def take(full_at: int, now: int, rate: Rate) -> Verdict:
    """Take one request out of a bucket; a refused request costs nothing."""
    after = max(full_at, now) + rate.interval_micros
    is_allowed = after - now <= rate.span_micros
    return Verdict(
        is_allowed=is_allowed, full_at=after if is_allowed else full_at, now=now, rate=rate
    )


def look(full_at: int, now: int, rate: Rate) -> Verdict:
    """Say whether a request would be let in, and take nothing."""
    return replace(take(full_at, now, rate), full_at=full_at)


class Buckets(Protocol):
    """Keeps one bucket for each key."""

    def look(self, key: str, now: int, rate: Rate) -> Verdict:
        """Say whether a request would be let in, and take nothing."""
        ...

    def take(self, key: str, now: int, rate: Rate) -> Verdict:
        """Take one request out of the bucket of `key`."""
        ...


class MemoryBuckets:
    """Buckets of one process; enough where one process serves all, as on SQLite."""

    _MOST_KEPT = 10_000

    def __init__(self) -> None:
        self._full_at: dict[str, int] = {}
        self._lock = threading.Lock()

    def look(self, key: str, now: int, rate: Rate) -> Verdict:
        """Say whether a request would be let in, and take nothing."""
        return look(self._full_at.get(key, 0), now, rate)

    def take(self, key: str, now: int, rate: Rate) -> Verdict:
        """Take one request out of the bucket of `key`."""
        with self._lock:
            verdict = take(self._full_at.get(key, 0), now, rate)
            self._full_at[key] = verdict.full_at
            if len(self._full_at) > self._MOST_KEPT:
                # A bucket that is full again is as good as none.
                self._full_at = {k: full for k, full in self._full_at.items() if full > now}
            return verdict
