"""A signal within a process: each receiver is called in the thread of whoever sends it."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager


class Signal:
    """Says to receivers in this process that there is work."""

    def __init__(self) -> None:
        self._receivers: tuple[Callable[[], None], ...] = ()

    def send(self) -> None:
        """Call every receiver; each must return at once."""
        for receiver in self._receivers:
            receiver()

    @contextmanager
    def received_by(self, receiver: Callable[[], None]) -> Iterator[None]:
        """Have a receiver called while the block runs."""
        self._receivers = (*self._receivers, receiver)
        try:
            yield
        finally:
            self._receivers = tuple(other for other in self._receivers if other is not receiver)
