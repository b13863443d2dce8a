"""From the event loop to threads and back: what arrives together crosses together.

Sending each call into a thread by itself costs more than most reads do, nearly all of it in waking
one thread from the other and in two threads taking the interpreter's lock from each other. So calls
stand in one line, one thread works it off, and the loop is told when the line is empty. Colleagues
come only when for a moment nothing in line has moved on: then some call waits for a database or
keeps a core busy, and what stands behind it should not wait too.

A thread that wants nothing of the interpreter pays nothing for letting go of its lock and taking it
again, as SQLite's driver does at each step of a statement; with a loop that wants it too, each step
wakes one of them. So where the database is at hand the loop waits for the line, and wants nothing.
It waits as long as the line moves on, and never for longer than is good for its connections.

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
"""How long a call may hold up what stands behind it, and the loop, before another thread helps."""

_MOST_PATIENCE = 4
"""How many times as long the loop waits for a line that moves on."""


class _Order(Enum):
    WORK = auto()
    LEAVE = auto()


class Hop:
    """Runs calls in threads of its own; may be used from several event loops."""

    def __init__(
        self,
        threads: int,
        name: str,
        *,
        is_waited_for: bool = False,
        patience_seconds: float = _PATIENCE_SECONDS,
    ) -> None:
        self._is_waited_for = is_waited_for
        self._patience_seconds = patience_seconds
        self._most_threads = threads
        self._name = name
        self._threads: list[threading.Thread] = []
        self._line: deque[Crossing] = deque()
        self._asking: deque[Crossing] = deque()
        self._done: deque[Crossing] = deque()
        self._lock = threading.Lock()
        self._awake = 0
        self._bell: SimpleQueue[_Order] = SimpleQueue()
        self._lull: threading.Lock | None = None
        """What a loop waits for: let go of when the line is empty and all threads rest."""

        self._steps = 0
        """How often a call has moved on; a count too few, when two threads count, does no harm."""

        self._steps_seen = 0
        self._setting_out: set[asyncio.AbstractEventLoop] = set()
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
        if loop not in self._setting_out:
            self._setting_out.add(loop)
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
        self._setting_out.discard(loop)
        with self._lock:
            is_woken = self._call_thread(most=1)
            lull = self._lull_to_come(is_woken=is_woken)
        if is_woken:
            self._bell.put(_Order.WORK)
        if lull is None:
            self._watch(loop)
        elif self._await(lull):
            self._settle(loop)
        else:
            self._look(loop)

    def _lull_to_come(self, *, is_woken: bool) -> threading.Lock | None:
        """Return what the loop is to wait for; nothing behind a call that is known to take long."""
        is_slow = self._awake > 1 or (not is_woken and self._steps == self._steps_seen)
        if not (self._is_waited_for and self._awake) or is_slow or self._lull is not None:
            return None
        self._steps_seen = self._steps
        self._lull = threading.Lock()
        self._lull.acquire()
        return self._lull

    def _await(self, lull: threading.Lock) -> bool:
        """Wait while the line moves on, for a moment at most; say whether it was worked off."""
        for _ in range(_MOST_PATIENCE):
            if lull.acquire(timeout=self._patience_seconds):
                return True
            if self._steps == self._steps_seen:
                break
            self._steps_seen = self._steps
        with self._lock:
            if self._lull is lull:
                self._lull = None
        return False

    def _watch(self, loop: asyncio.AbstractEventLoop) -> None:
        if self._watched_by is not loop:
            self._watched_by = loop
            loop.call_later(self._patience_seconds, self._look_after, loop)

    def _look_after(self, loop: asyncio.AbstractEventLoop) -> None:
        self._watched_by = None
        self._look(loop)

    def _look(self, loop: asyncio.AbstractEventLoop) -> None:
        """Hand over what is done, and send a colleague where nothing has moved on."""
        self._settle(loop)
        if self._steps == self._steps_seen:
            with self._lock:
                is_woken = self._call_thread(most=self._awake + 1)
            if is_woken:
                self._bell.put(_Order.WORK)
        self._steps_seen = self._steps
        if self._awake:
            self._watch(loop)

    def _call_thread(self, most: int) -> bool:
        """Count on one more thread, unless that many are awake; it is still to be woken."""
        if not self._has_work() or self._awake >= min(most, self._most_threads):
            return False
        self._awake += 1
        if self._awake > len(self._threads):
            name = f"{self._name}-{len(self._threads)}"
            self._threads.append(threading.Thread(target=self._live, name=name, daemon=True))
            self._threads[-1].start()
        return True

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
            # Whoever is still at work when the line is empty has been at one call for long.
            self._steps_seen = self._steps
            lull = None if self._awake else self._lull
            if lull is not None:
                self._lull = None
                lull.release()
        if lull is None:
            self._settle()
        return False

    def _has_work(self) -> bool:
        return bool(self._line or self._asking)

    def _work_off(self) -> None:
        while self._has_work():
            while (call := take_first(self._line)) is not None:
                call.go_on()
                self._steps += 1
                (self._done if call.together is None else self._asking).append(call)
            asking = take_alike(self._asking)
            if asking:
                # The loop may hand over what is done while this thread waits for answers.
                self._settle()
                self._ask(asking)
                self._steps += 1

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

    def _settle(self, here: asyncio.AbstractEventLoop | None = None) -> None:
        """Let the loops hand over what is done."""
        done: dict[asyncio.AbstractEventLoop, list[Crossing]] = {}
        while (call := take_first(self._done)) is not None:
            done.setdefault(call.loop, []).append(call)
        for loop, calls in done.items():
            if loop is here:
                hand_over(calls)
                continue
            # In a loop that is closed nobody waits.
            with suppress(RuntimeError):
                loop.call_soon_threadsafe(hand_over, calls)


def _without_questions[Asked, Answer](
    work: Callable[[Asked], Answer], asked: Asked
) -> Inquiry[Answer]:
    yield from ()
    return work(asked)
