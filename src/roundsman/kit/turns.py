"""Turns at things that several threads change: whoever has lost a race goes alone.

Without them the winner of a race wins the next one too: it knows its own result at once, while the
losers have yet to find out that they lost.
"""

import threading
from collections.abc import Collection, Iterator
from contextlib import contextmanager


class Turns:
    """Counts nobody who comes for the first time; they only wait for who goes alone."""

    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._taken: set[str] = set()

    @contextmanager
    def at(self, keys: Collection[str], *, alone: bool) -> Iterator[None]:
        """Wait until nobody is alone at one of the keys; `alone` has others wait meanwhile."""
        with self._changed:
            self._changed.wait_for(lambda: self._taken.isdisjoint(keys))
            if alone:
                self._taken.update(keys)
        try:
            yield
        finally:
            if alone:
                with self._changed:
                    self._taken.difference_update(keys)
                    self._changed.notify_all()
