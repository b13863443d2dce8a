"""Reads what is new in numbered logs once for all who follow them in this process.

A log is asked every half second, and at once when somebody in this process says that it has grown.
What was read last is kept in memory; who comes from further back reads the rest without the others.
Nothing is queued for anybody, so who is slow costs nothing.
"""

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field

from roundsman.kit.signal import Signal

type Numbered[Item] = tuple[int, Item]
type Read[Item] = Callable[[int], Awaitable[Sequence[Numbered[Item]]]]
"""Returns what is after a number, in order; some of it, where it is much."""

_MOST_KEPT = 1_000


class SharedLogs[Item]:
    """Logs by key; followed on one event loop."""

    def __init__(self, growing: Signal | None = None, poll_seconds: float = 0.5) -> None:
        self._growing = growing or Signal()
        self._poll_seconds = poll_seconds
        self._logs: dict[str, _FollowedLog[Item]] = {}
        self._ends = ExitStack()

    def _wake_all(self) -> None:
        for log in self._logs.values():
            log.wake.set()

    def _listen(self) -> None:
        """Be called when something in this process has added to a log."""
        if self._logs:
            return
        loop = asyncio.get_running_loop()

        def wake() -> None:
            loop.call_soon_threadsafe(self._wake_all)

        self._ends.enter_context(self._growing.received_by(wake))

    async def follow(
        self, key: str, after: int | None, read: Read[Item]
    ) -> AsyncGenerator[Sequence[Numbered[Item]]]:
        """Yield what is after a number, then whatever is added, until closed.

        Without a number, what is read from now on. Of those who follow one log in this way only the
        first one's `read` is called, so it may remember what it has read.
        """
        with self._entered(key, after or 0, read) as log:
            number = log.position if after is None else after
            while True:
                growth = log.growth
                known = log.list_after(number)
                if known is None and after is None:
                    number = log.position  # too slow: what was missed is not told again
                    continue
                found = await read(number) if known is None else known
                if found:
                    number = found[-1][0]
                    yield found
                elif known is None:
                    await asyncio.sleep(self._poll_seconds)  # it could not be read just now
                else:
                    await growth.wait()
                    log.raise_failure()

    @contextmanager
    def _entered(self, key: str, first: int, read: Read[Item]) -> Iterator["_FollowedLog[Item]"]:
        """Have a log read while somebody follows it, after `first` where nobody did."""
        log = self._logs.get(key)
        if log is None:
            self._listen()
            log = self._logs[key] = _FollowedLog(first, self._poll_seconds)
            log.reader = asyncio.create_task(log.read_on(read))
        log.followers += 1
        try:
            yield log
        finally:
            log.followers -= 1
            if not log.followers:
                del self._logs[key]
                log.close()
                if not self._logs:
                    self._ends.close()


@dataclass(slots=True)
class _FollowedLog[Item]:
    """A log that somebody follows, read as far as `position`."""

    position: int
    poll_seconds: float
    followers: int = 0
    kept: deque[Numbered[Item]] = field(default_factory=lambda: deque(maxlen=_MOST_KEPT))
    growth: asyncio.Event = field(default_factory=asyncio.Event)
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    reader: asyncio.Task[None] | None = None

    def list_after(self, number: int) -> Sequence[Numbered[Item]] | None:
        """Return what is known after a number; None where it must be read."""
        if number >= self.position:
            return ()
        if not self.kept or self.kept[0][0] > number + 1:
            return None
        return [one for one in self.kept if one[0] > number]

    async def read_on(self, read: Read[Item]) -> None:
        """Read what is added, as long as somebody follows."""
        try:
            while True:
                self.wake.clear()
                found = await read(self.position)
                if found:
                    self.kept.extend(found)
                    self.position = found[-1][0]
                    self._announce()
                else:
                    await self._wait()
        finally:
            self._announce()

    async def _wait(self) -> None:
        try:
            await asyncio.wait_for(self.wake.wait(), self.poll_seconds)
        except TimeoutError:
            return

    def _announce(self) -> None:
        seen, self.growth = self.growth, asyncio.Event()
        seen.set()

    def raise_failure(self) -> None:
        """Raise what ended the reading, if it has ended."""
        if self.reader is not None and self.reader.done():
            self.reader.result()

    def close(self) -> None:
        if self.reader is not None:
            self.reader.cancel()
