"""From the event loop to threads and back: what arrives together crosses together.

Sending each call into a thread by itself costs more than most reads do, nearly all of it in waking
one thread from the other and in two threads taking the interpreter's lock from each other. So calls
stand in one line, one thread works it off, and the loop is told when the line is empty. Colleagues
come only when the line is not worked off in a moment: then some call waits for a database or keeps
a core busy, and what stands behind it should not wait too.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum, auto
from queue import SimpleQueue
from typing import Any

from roundsman.kit.tracing import carry

_PATIENCE_SECONDS = 0.001
"""How long a call may hold up what stands behind it before another thread helps."""


@dataclass(slots=True, eq=False)
class _Call:
    work: Callable[[Any], Any]
    asked: Any
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    answer: Any = None
    error: BaseException | None = None

    def run(self) -> None:
        try:
            self.answer = self.work(self.asked)
        except BaseException as error:  # noqa: BLE001 -- it is raised where the answer is awaited
            self.error = error

    def settle(self) -> None:
        """Hand the answer over; nobody may be waiting for it any more."""
        if self.future.done():
            return
        if self.error is None:
            self.future.set_result(self.answer)
        else:
            self.future.set_exception(self.error)


class _Order(Enum):
    WORK = auto()
    LEAVE = auto()


class Hop:
    """Runs calls in threads of its own; may be used from several event loops."""

    def __init__(self, threads: int, name: str) -> None:
        self._most_threads = threads
        self._name = name
        self._threads: list[threading.Thread] = []
        self._line: deque[_Call] = deque()
        self._done: deque[_Call] = deque()
        self._lock = threading.Lock()
        self._awake = 0
        self._bell: SimpleQueue[_Order] = SimpleQueue()
        self._watched_by: asyncio.AbstractEventLoop | None = None

    async def run[Asked, Answer](self, work: Callable[[Asked], Answer], asked: Asked) -> Answer:
        """Return what `work` makes of `asked` in a thread."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()
        self._line.append(_Call(carry(work), asked, loop, future))
        # Not at once: whatever else the loop has just received shall come along.
        loop.call_soon(self._set_out, loop)
        return await future

    def close(self) -> None:
        """Wait for what is running and let the threads go."""
        for _ in self._threads:
            self._bell.put(_Order.LEAVE)
        for thread in self._threads:
            thread.join()
        self._threads.clear()

    def _set_out(self, loop: asyncio.AbstractEventLoop) -> None:
        self._wake(most=1)
        self._watch(loop)

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._watched_by is not loop:
            self._watched_by = loop
            loop.call_later(_PATIENCE_SECONDS, self._look_after, loop)

    def _look_after(self, loop: asyncio.AbstractEventLoop) -> None:
        """Hand over what is done behind a call that takes long, and send it a colleague."""
        self._watched_by = None
        self._settle()
        self._wake(most=self._awake + 1)
        if self._awake:
            self._watch(loop)

    def _wake(self, most: int) -> None:
        with self._lock:
            if not self._line or self._awake >= min(most, self._most_threads):
                return
            self._awake += 1
            if self._awake > len(self._threads):
                name = f"{self._name}-{len(self._threads)}"
                self._threads.append(threading.Thread(target=self._live, name=name, daemon=True))
                self._threads[-1].start()
        self._bell.put(_Order.WORK)

    def _live(self) -> None:
        while self._bell.get() is _Order.WORK:
            while self._goes_on():
                self._work_off()

    def _goes_on(self) -> bool:
        # Under the lock, so that nobody counts on a thread that is about to sleep.
        with self._lock:
            if self._line:
                return True
            self._awake -= 1
            return False

    def _work_off(self) -> None:
        while (call := _take_first(self._line)) is not None:
            call.run()
            self._done.append(call)
        self._settle()

    def _settle(self) -> None:
        """Let the loops hand over what is done."""
        done: dict[asyncio.AbstractEventLoop, list[_Call]] = {}
        while (call := _take_first(self._done)) is not None:
            done.setdefault(call.loop, []).append(call)
        for loop, calls in done.items():
            # In a loop that is closed nobody waits.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(_hand_over, calls)


def _take_first(line: deque[_Call]) -> _Call | None:
    try:
        return line.popleft()
    except IndexError:
        return None


def _hand_over(calls: list[_Call]) -> None:
    for call in calls:
        call.settle()
