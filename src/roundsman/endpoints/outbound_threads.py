"""Threads for requests that wait for hosts of others: who names slow ones waits for them alone."""

import threading
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from starlette.responses import Response

from roundsman.domain.errors import ResourceExhausted
from roundsman.kit.peers import counted_as

AT_ONCE = 32
MOST_EACH = 4
"""Of one organization at once; of strangers, from one address. The others wait for their turn."""

MOST_WAITING_EACH = 40

type Work = Callable[[], Response]
type _Waiting = deque[tuple[Future[Response], Work]]


class OutboundThreads:
    """Runs requests that look up or ask other hosts; may be used from any thread.

    Such a host may take its time, and anybody who may name one can name many. In threads that all
    share, requests of one organization would make those of every other wait.
    """

    def __init__(
        self,
        at_once: int = AT_ONCE,
        most_each: int = MOST_EACH,
        most_waiting_each: int = MOST_WAITING_EACH,
    ) -> None:
        self._threads = ThreadPoolExecutor(at_once, "outbound")
        self._most_each = most_each
        self._most_waiting_each = most_waiting_each
        self._lock = threading.Lock()
        self._under_way: Counter[str] = Counter()
        self._waiting: dict[str, _Waiting] = {}

    def submit(self, whose: str, work: Work) -> Future[Response]:
        """Run a request of an organization, or address, in its turn; refuse it behind too many."""
        whose = counted_as(whose)
        answer: Future[Response] = Future()
        with self._lock:
            if self._under_way[whose] < self._most_each:
                self._under_way[whose] += 1
                self._threads.submit(self._run, whose, answer, work)
                return answer
            waiting = self._waiting.setdefault(whose, deque())
            if len(waiting) >= self._most_waiting_each:
                raise ResourceExhausted(
                    f"{len(waiting)} requests are waiting for other hosts; nothing was changed",
                    retry_after_seconds=1,
                )
            waiting.append((answer, work))
        return answer

    def _run(self, whose: str, answer: Future[Response], work: Work) -> None:
        # A client that hangs up does not end the wait, so its place is free when that is over.
        try:
            if answer.set_running_or_notify_cancel():
                answer.set_result(work())
        except BaseException as error:  # noqa: BLE001 -- whoever waits for the answer gets it
            answer.set_exception(error)
        finally:
            self._go_on(whose)

    def _go_on(self, whose: str) -> None:
        """Give the place to the next of the same, if one waits."""
        with self._lock:
            waiting = self._waiting.get(whose)
            if waiting:
                self._threads.submit(self._run, whose, *waiting.popleft())
                return
            self._waiting.pop(whose, None)
            self._under_way[whose] -= 1
            if not self._under_way[whose]:
                del self._under_way[whose]

    def close(self) -> None:
        """Give up what waits for its turn, wait for what is running, and let the threads go."""
        with self._lock:
            for waiting in self._waiting.values():
                for answer, _ in waiting:
                    answer.cancel()
            self._waiting.clear()
        self._threads.shutdown()
