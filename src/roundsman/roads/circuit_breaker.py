"""A circuit breaker: an engine that failed gets no requests for a while."""

import threading
import time
from collections.abc import Callable

_TOLERATED = 3
"""Consecutive failures that do not open the breaker yet."""
_FIRST_REST_SECONDS = 0.5
_REST_AFTER_HANGING_SECONDS = 5.0
_LONGEST_REST_SECONDS = 30.0


class CircuitBreaker:
    """Closed while an engine answers; opened by failures, and half-open after a growing pause."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._failures = 0
        self._rest = _FIRST_REST_SECONDS
        self._open_until = 0.0

    def allows(self) -> bool:
        """Return whether to send a request; after a pause one is let through as a trial."""
        with self._lock:
            if self._failures < _TOLERATED:
                return True
            if self._now() < self._open_until:
                return False
            self._open_until = self._now() + self._rest  # further requests wait for the trial
            return True

    def succeeded(self) -> None:
        """Record an answer."""
        with self._lock:
            self._failures = 0
            self._rest = _FIRST_REST_SECONDS

    def failed(self, *, hung: bool = False) -> None:
        """Record a failure; an engine that hung opens the breaker at once."""
        with self._lock:
            self._failures = _TOLERATED if hung else self._failures + 1
            if self._failures < _TOLERATED:
                return
            if hung:
                self._rest = max(self._rest, _REST_AFTER_HANGING_SECONDS)
            self._open_until = self._now() + self._rest
            self._rest = min(2 * self._rest, _LONGEST_REST_SECONDS)
