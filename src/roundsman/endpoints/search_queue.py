"""Where searches wait for a core: a few run at once, and organizations take turns.

A search keeps a core busy for as long as it runs, so one organization that asks for a hundred must
not make another wait for all of them. The next free thread goes to the organization that has the
fewest searches running, among equals to the one that was served longest ago. Waiting is bounded,
and whoever hangs up gives the place away.
"""

import os
import sys
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field

from starlette.responses import Response

from roundsman.domain.errors import ResourceExhausted, Unavailable

AT_ONCE = 2
MOST_WAITING = 256
MOST_WAITING_EACH = 32
"""Of one organization: more than it needs in a minute, far less than would fill the queue."""

_NICENESS = 5
"""Of search threads: on a machine whose cores are all searching, the event loop still gets in."""


@dataclass(frozen=True, eq=False, slots=True)
class Search:
    """A search that waits or runs, and where its answer will be."""

    organization_id: str
    work: Callable[[], Response]
    answer: Future[Response] = field(default_factory=Future)


class SearchQueue:
    """Runs searches in threads of its own; may be used from any thread."""

    def __init__(
        self,
        at_once: int = AT_ONCE,
        most_waiting: int = MOST_WAITING,
        most_waiting_each: int = MOST_WAITING_EACH,
    ) -> None:
        self._threads = ThreadPoolExecutor(at_once, "search", initializer=_step_back)
        self._most_waiting = most_waiting
        self._most_waiting_each = most_waiting_each
        self._lock = threading.Lock()
        self._waiting: OrderedDict[str, deque[Search]] = OrderedDict()
        self._running: Counter[str] = Counter()

    @property
    def running(self) -> int:
        """How many searches run now."""
        return self._running.total()

    @property
    def waiting(self) -> int:
        """How many searches wait for a thread."""
        return sum(len(searches) for searches in list(self._waiting.values()))

    def submit(self, organization_id: str, work: Callable[[], Response]) -> Search:
        """Let a search wait for its turn; refuse it when too many wait already."""
        search = Search(organization_id, work)
        with self._lock:
            own = self._waiting.setdefault(organization_id, deque())
            if len(own) >= self._most_waiting_each:
                raise ResourceExhausted(
                    f"{len(own)} searches of this organization are waiting; nothing was changed",
                    retry_after_seconds=len(own) // 4 + 1,
                )
            if self.waiting >= self._most_waiting:
                if not own:
                    del self._waiting[organization_id]
                raise Unavailable("too many searches are waiting; nothing was changed")
            own.append(search)
        # One turn a search, not this search's turn: whose turn it is, is decided when it comes.
        self._threads.submit(self._take_turn)
        return search

    def forget(self, search: Search) -> None:
        """Give a place in the queue away; a search that runs already is not stopped here."""
        with self._lock:
            own = self._waiting.get(search.organization_id, deque())
            if search in own:
                own.remove(search)
                self._drop_if_empty(search.organization_id)
        search.answer.cancel()

    def close(self) -> None:
        """Wait for what is running and let the threads go."""
        self._threads.shutdown()

    def _take_turn(self) -> None:
        search = self._next()
        if search is None:
            return  # somebody hung up, and their turn is left over
        try:
            if search.answer.set_running_or_notify_cancel():
                _answer(search)
        finally:
            self._end(search.organization_id)

    def _next(self) -> Search | None:
        with self._lock:
            if not self._waiting:
                return None
            # The longest unserved stands first, and `min` prefers the first among equals.
            chosen = min(self._waiting, key=lambda organization: self._running[organization])
            search = self._waiting[chosen].popleft()
            self._waiting.move_to_end(chosen)
            self._drop_if_empty(chosen)
            self._running[chosen] += 1
            return search

    def _end(self, organization_id: str) -> None:
        with self._lock:
            self._running -= Counter([organization_id])
            if organization_id in self._waiting:
                self._waiting.move_to_end(organization_id)

    def _drop_if_empty(self, organization_id: str) -> None:
        if not self._waiting[organization_id]:
            del self._waiting[organization_id]


def _step_back() -> None:
    """Let the threads that answer go first where the system lets a thread do that."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        # Only ever nicer than before, which nobody needs a privilege for.
        nicer = min(19, os.getpriority(os.PRIO_PROCESS, thread) + _NICENESS)
        os.setpriority(os.PRIO_PROCESS, thread, nicer)


def _answer(search: Search) -> None:
    try:
        search.answer.set_result(search.work())
    except BaseException as error:  # noqa: BLE001 -- it is raised where the answer is awaited
        search.answer.set_exception(error)
