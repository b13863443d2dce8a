"""A lock that only a retry holds: who has lost a race for something changes it alone.

Without it the winner of a race wins the next one too: it knows its own result at once, while the
losers have yet to find out that they lost. The lock is a courtesy and guards nothing, so nobody
waits for it for ever.
"""

import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager

LONGEST_WAIT_SECONDS = 5.0
"""Longer than any change of a route takes that does not wait for something itself."""


class RetryLock:
    """Locks keys for threads that try again; a first try waits for them and locks nothing."""

    def __init__(self, longest_wait_seconds: float = LONGEST_WAIT_SECONDS) -> None:
        self._longest_wait_seconds = longest_wait_seconds
        self._changed = threading.Condition()
        self._owners: dict[str, int] = {}

    @contextmanager
    def waited_for(self, keys: Collection[str], *, is_retry: bool) -> Iterator[None]:
        """Wait until no other thread holds one of the keys; a retry holds them until it ends."""
        thread = threading.get_ident()

        def is_free() -> bool:
            return all(self._owners.get(key, thread) == thread for key in keys)

        with self._changed:
            self._changed.wait_for(is_free, self._longest_wait_seconds)
            taken = [key for key in keys if is_retry and key not in self._owners]
            self._owners.update(dict.fromkeys(taken, thread))
        try:
            yield
        finally:
            with self._changed:
                for key in taken:
                    del self._owners[key]
                self._changed.notify_all()
