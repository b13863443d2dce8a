"""From the event loop to threads and back: what arrives together crosses together.

Sending each call into a thread by itself costs more than most reads do, nearly all of it in waking
one thread from the other and in two threads taking the interpreter's lock from each other. So calls
stand in one line, one thread works it off, and the loop is told when the line is empty. Colleagues
come only when the line is not worked off in a moment: then some call waits for a database or keeps
a core busy, and what stands behind it should not wait too.

A call may be an inquiry (`kit.asking`). One with a question stands aside until all in line have
gone as far as they can; then all who want to know the same kind of thing are answered in one, and
stand in line again.
"""

import asyncio
import threading
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from enum import Enum, auto
from queue import SimpleQueue

from roundsman.doors.crossing import (
    Crossing,
    answer_together,
    cross,
    hand_over,
    take_alike,
    take_first,
)
from roundsman.kit.asking import Inquiry

_PATIENCE_SECONDS = 0.001
"""How long a call may hold up what stands behind it before another thread helps."""


class _Order(Enum):
    WORK = auto()
    LEAVE = auto()


class Hop:
    """Runs calls in threads of its own; may be used from several event loops."""

    def __init__(self, threads: int, name: str) -> None:
        self._most_threads = threads
        self._name = name
        self._threads: list[threading.Thread] = []
        self._line: deque[Crossing] = deque()
        self._asking: deque[Crossing] = deque()
        self._done: deque[Crossing] = deque()
        self._lock = threading.Lock()
        self._awake = 0
        self._bell: SimpleQueue[_Order] = SimpleQueue()
        self._watched_by: asyncio.AbstractEventLoop | None = None

    async def run[Asked, Answer](self, work: Callable[[Asked], Answer], asked: Asked) -> Answer:
        """Return what `work` makes of `asked` in a thread."""
        return await self.inquire(_without_questions(work, asked))

    async def inquire[Answer](self, inquiry: Inquiry[Answer]) -> Answer:
        """Return what an inquiry ends with; its questions are asked with those of others."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Answer] = loop.create_future()
        self._line.append(cross(inquiry, loop, future))
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
            if not self._has_work() or self._awake >= min(most, self._most_threads):
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
            if self._has_work():
                return True
            self._awake -= 1
            return False

    def _has_work(self) -> bool:
        return bool(self._line or self._asking)

    def _work_off(self) -> None:
        while self._has_work():
            while (call := take_first(self._line)) is not None:
                call.go_on()
                (self._done if call.together is None else self._asking).append(call)
            asking = take_alike(self._asking)
            if asking:
                # The loop may hand over what is done while this thread waits for answers.
                self._settle()
                self._ask(asking)
        self._settle()

    def _ask(self, calls: list[Crossing]) -> None:
        try:
            answer_together(calls)
        except BaseException as error:  # noqa: BLE001 -- it is raised where the answer is awaited
            if len(calls) > 1:
                # What one of them asks may have no answer: that must not fail the others.
                for call in calls:
                    call.is_asked_alone = True
                self._asking.extend(calls)
                return
            calls[0].error = error
        for call in calls:
            call.is_asked_alone = False
        self._line.extend(calls)

    def _settle(self) -> None:
        """Let the loops hand over what is done."""
        done: dict[asyncio.AbstractEventLoop, list[Crossing]] = {}
        while (call := take_first(self._done)) is not None:
            done.setdefault(call.loop, []).append(call)
        for loop, calls in done.items():
            # In a loop that is closed nobody waits.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(hand_over, calls)


def _without_questions[Asked, Answer](
    work: Callable[[Asked], Answer], asked: Asked
) -> Inquiry[Answer]:
    yield from ()
    return work(asked)
