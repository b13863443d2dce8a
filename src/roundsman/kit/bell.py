"""A bell: whoever listens is called when it is rung, in the thread of whoever rings it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Bell:
    """Tells listeners in this process that there is something to do."""

    def __init__(self) -> None:
        self._listeners: tuple[Callable[[], None], ...] = ()

    def ring(self) -> None:
        """Call every listener; each must return at once."""
        for listener in self._listeners:
            listener()

    @contextmanager
    def heard_by(self, listener: Callable[[], None]) -> Iterator[None]:
        """Have a listener called while the block runs."""
        self._listeners = (*self._listeners, listener)
        try:
            yield
        finally:
            self._listeners = tuple(other for other in self._listeners if other is not listener)
