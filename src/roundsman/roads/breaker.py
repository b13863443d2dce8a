"""Leaving an engine alone for a while after it failed, so that nobody waits for it in vain."""

import threading
import time
from collections.abc import Callable

_TOLERATED = 3
"""Failures in a row that are taken for accidents."""
_FIRST_REST_SECONDS = 0.5
_REST_AFTER_HANGING_SECONDS = 5.0
_LONGEST_REST_SECONDS = 30.0


class Breaker:
    """Closed while an engine answers; opened by failures, tried again after a growing rest."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._lock = threading.Lock()
        self._failures = 0
        self._rest = _FIRST_REST_SECONDS
        self._open_until = 0.0

    def allows(self) -> bool:
        """Tell whether to ask; after a rest the first who asks is let through to try."""
        with self._lock:
            if self._failures < _TOLERATED:
                return True
            if self._now() < self._open_until:
                return False
            self._open_until = self._now() + self._rest  # the others wait for this try
            return True

    def succeeded(self) -> None:
        """Note an answer."""
        with self._lock:
            self._failures = 0
            self._rest = _FIRST_REST_SECONDS

    def failed(self, *, hung: bool = False) -> None:
        """Note that there was none; an engine that hangs is left alone at once."""
        with self._lock:
            self._failures = _TOLERATED if hung else self._failures + 1
            if self._failures < _TOLERATED:
                return
            if hung:
                self._rest = max(self._rest, _REST_AFTER_HANGING_SECONDS)
            self._open_until = self._now() + self._rest
            self._rest = min(2 * self._rest, _LONGEST_REST_SECONDS)
