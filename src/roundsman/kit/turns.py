"""Turns at things that several threads change: whoever has lost a race goes alone.

Without them the winner of a race wins the next one too: it knows its own result at once, while the
losers have yet to find out that they lost. A turn is a courtesy and guards nothing, so nobody waits
for one for ever.
"""

import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager

LONGEST_WAIT_SECONDS = 5.0
"""Longer than any change of a route takes that does not wait for something itself."""


class Turns:
    """Counts nobody who comes for the first time; they only wait for who goes alone."""

    def __init__(self, longest_wait_seconds: float = LONGEST_WAIT_SECONDS) -> None:
        self._longest_wait_seconds = longest_wait_seconds
        self._changed = threading.Condition()
        self._owners: dict[str, int] = {}

    @contextmanager
    def at(self, keys: Collection[str], *, alone: bool) -> Iterator[None]:
        """Wait until no other thread is alone at one of the keys; `alone` has others wait."""
        thread = threading.get_ident()

        def is_free() -> bool:
            return all(self._owners.get(key, thread) == thread for key in keys)

        with self._changed:
            self._changed.wait_for(is_free, self._longest_wait_seconds)
            taken = [key for key in keys if alone and key not in self._owners]
            self._owners.update(dict.fromkeys(taken, thread))
        try:
            yield
        finally:
            with self._changed:
                for key in taken:
                    del self._owners[key]
                self._changed.notify_all()
