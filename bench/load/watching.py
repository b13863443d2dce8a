"""Watches the memory of a server and its children while it is under load."""

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

from bench.installation import list_family, resident_megabytes

_EVERY_SECONDS = 2.0


@dataclass
class Memory:
    """Megabytes of all processes together, by second."""

    samples: list[tuple[float, int]] = field(default_factory=list)

    @contextmanager
    def of(self, pid: int) -> Iterator[None]:
        """Take samples while the block runs."""
        stopped = threading.Event()
        begun = time.perf_counter()

        def watch() -> None:
            while not stopped.wait(_EVERY_SECONDS):
                self.samples.append((time.perf_counter() - begun, _all_megabytes(pid)))

        thread = threading.Thread(target=watch)
        thread.start()
        try:
            yield
        finally:
            stopped.set()
            thread.join()

    def lines(self) -> Iterator[str]:
        """Return the memory at whole minutes, and the most."""
        minute = 0
        for at, megabytes in self.samples:
            if at >= 60 * minute:
                yield f"memory at {at / 60:4.1f} min: {megabytes} MB"
                minute += 1
        if self.samples:
            most = max(megabytes for _, megabytes in self.samples)
            yield f"memory at the end: {self.samples[-1][1]} MB, most {most} MB"


def _all_megabytes(pid: int) -> int:
    total = 0
    for one in list_family(pid):
        with suppress(FileNotFoundError, ProcessLookupError, StopIteration):
            total += resident_megabytes(one)
    return total
