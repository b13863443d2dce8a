"""Threads for requests that wait for hosts of others: who names slow ones waits for them alone."""

import threading
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

from starlette.responses import Response

from roundsman.domain.errors import ResourceExhausted

AT_ONCE = 32
MOST_EACH = 4
"""Of one organization; of strangers, from one address."""


class OutboundThreads:
    """Runs requests that look up or ask other hosts; may be used from any thread.

    Such a host may take its time, and anybody who may name one can name many. In threads that all
    share, requests of one organization would make those of every other wait.
    """

    def __init__(self, at_once: int = AT_ONCE, most_each: int = MOST_EACH) -> None:
        self._threads = ThreadPoolExecutor(at_once, "outbound")
        self._most_each = most_each
        self._lock = threading.Lock()
        self._under_way: Counter[str] = Counter()

    def submit(self, whose: str, work: Callable[[], Response]) -> Future[Response]:
        """Run a request of an organization, or address; refuse it while too many of it wait."""
        with self._lock:
            if self._under_way[whose] >= self._most_each:
                raise ResourceExhausted(
                    f"{self._most_each} requests that wait for other hosts are under way; "
                    "nothing was changed",
                    retry_after_seconds=1,
                )
            self._under_way[whose] += 1

        def run() -> Response:
            # A client that hangs up does not end the wait, so its place is free when that is over.
            try:
                return work()
            finally:
                self._leave(whose)

        return self._threads.submit(run)

    def _leave(self, whose: str) -> None:
        with self._lock:
            self._under_way[whose] -= 1
            if not self._under_way[whose]:
                del self._under_way[whose]

    def close(self) -> None:
        """Wait for what is running and let the threads go."""
        self._threads.shutdown()
