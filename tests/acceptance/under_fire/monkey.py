"""Kills processes of a serving group, and has the group replaced now and then."""

import os
import random
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx2 as httpx


@dataclass(frozen=True, kw_only=True)
class Fire:
    """How much is done to a group."""

    processes: int
    kill_every: float
    """Seconds between two blows, give or take a half."""

    replace_every: int = 5
    """Each so-manieth blow is the order to replace all (SIGHUP) instead of a death."""


@dataclass
class Monkey:
    """Strikes until stopped, but never while it is held."""

    fire: Fire
    seed: int = 1
    kills: int = 0
    replacements: int = 0
    _peace: threading.Lock = field(default_factory=threading.Lock)

    @contextmanager
    def striking(self, parent: int, address: str) -> Iterator[None]:
        stopped = threading.Event()
        thread = threading.Thread(target=self._strike_on, args=[parent, address, stopped])
        thread.start()
        try:
            yield
        finally:
            stopped.set()
            thread.join()

    @contextmanager
    def held(self) -> Iterator[None]:
        """Have nobody struck while the block runs."""
        with self._peace:
            yield

    def _strike_on(self, parent: int, address: str, stopped: threading.Event) -> None:
        draw = random.Random(self.seed)  # noqa: S311 -- repeats itself on purpose
        while not stopped.wait(self.fire.kill_every * draw.uniform(0.5, 1.5)):
            # On a busy machine processes start more slowly than they would be killed.
            if not serves(address):
                continue
            # Who waited for the peace to end could not be stopped by a test that ends in peace.
            if self._peace.acquire(blocking=False):
                try:
                    self._strike(parent, draw)
                finally:
                    self._peace.release()

    def _strike(self, parent: int, draw: random.Random) -> None:
        if (self.kills + self.replacements) % self.fire.replace_every == 1:
            os.kill(parent, signal.SIGHUP)
            self.replacements += 1
            return
        victims = sorted(children(parent))
        if len(victims) > 1:
            with suppress(ProcessLookupError):  # one that leaves may be gone by now
                os.kill(draw.choice(victims), signal.SIGKILL)
                self.kills += 1


def serves(address: str) -> bool:
    """Say whether anybody is left who answers at once."""
    try:
        return httpx.get(f"{address}/healthz", timeout=1).status_code == 200
    except httpx.TransportError:
        return False


def children(parent: int) -> set[int]:
    """Return the processes that a parent has serve."""
    listed = Path(f"/proc/{parent}/task/{parent}/children").read_text(encoding="ascii")
    found = set()
    for pid in listed.split():
        with suppress(FileNotFoundError, ProcessLookupError):
            command = Path(f"/proc/{pid}/cmdline").read_bytes()
            if command and b"resource_tracker" not in command:  # who is dead has none
                found.add(int(pid))
    return found
