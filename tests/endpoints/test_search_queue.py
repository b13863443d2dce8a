import os
import sys
import threading
from concurrent.futures import CancelledError

import pytest
from starlette.responses import Response

from roundsman.domain.errors import ResourceExhausted, Unavailable
from roundsman.endpoints.search_queue import Search, SearchQueue


class Busy:
    """A queue with one thread, which is held until it is let go; notes whom it served."""

    def __init__(self, **bounds: int) -> None:
        self.queue = SearchQueue(at_once=1, **bounds)
        self.served: list[str] = []
        self._begun, self._held = threading.Event(), threading.Event()
        self.first = self.queue.submit("first", self._hold)
        assert self._begun.wait(60)

    def _hold(self) -> Response:
        self._begun.set()
        assert self._held.wait(60)
        return Response("first")

    def ask(self, organization: str) -> Search:
        def search() -> Response:
            self.served.append(organization)
            return Response(organization)

        return self.queue.submit(organization, search)

    def let_go(self) -> None:
        self._held.set()
        self.queue.close()


def test_organizations_take_turns_however_many_searches_one_asks_for() -> None:
    busy = Busy()
    for organization in ("many", "many", "many", "few", "many", "few", "one"):
        busy.ask(organization)
    busy.let_go()
    assert busy.served == ["many", "few", "one", "many", "few", "many", "many"]


def test_who_was_served_last_waits_for_the_others() -> None:
    busy = Busy()
    answers = [busy.ask("first"), busy.ask("other")]
    busy.let_go()
    assert busy.served == ["other", "first"]
    assert [search.answer.result().body for search in answers] == [b"first", b"other"]


def test_waiting_is_bounded_for_each_organization_and_for_all() -> None:
    busy = Busy(most_waiting=4, most_waiting_each=2)
    for organization in ("a", "a", "b"):
        busy.ask(organization)
    with pytest.raises(ResourceExhausted, match="nothing was changed") as refused:
        busy.ask("a")
    assert refused.value.retry_after_seconds >= 1
    busy.ask("b")
    with pytest.raises(Unavailable, match="nothing was changed"):
        busy.ask("c")
    busy.let_go()
    assert busy.served == ["a", "b", "a", "b"]
    assert (busy.queue.waiting, busy.queue.running) == (0, 0)


def test_who_hangs_up_gives_the_place_away() -> None:
    busy = Busy(most_waiting_each=1)
    gone = busy.ask("a")
    busy.queue.forget(gone)
    assert busy.queue.waiting == 0
    busy.ask("a")
    busy.let_go()
    assert busy.served == ["a"]
    with pytest.raises(CancelledError):
        gone.answer.result()


def test_a_search_that_fails_says_so_and_the_next_one_runs() -> None:
    busy = Busy()

    def fail() -> Response:
        raise RuntimeError("a bug")

    failed = busy.queue.submit("a", fail)
    busy.ask("b")
    busy.let_go()
    assert busy.served == ["b"]
    with pytest.raises(RuntimeError, match="a bug"):
        failed.answer.result()


def test_two_searches_of_one_organization_leave_the_next_thread_to_another() -> None:
    queue, gate = SearchQueue(at_once=2), threading.Barrier(3)
    served: list[str] = []

    def hold() -> Response:
        gate.wait(60)
        gate.wait(60)
        return Response()

    def note(organization: str) -> Response:
        served.append(organization)
        return Response()

    for _ in range(2):
        queue.submit("a", hold)
    gate.wait(60)
    assert queue.running == 2
    for organization in ("a", "a", "b"):
        queue.submit(organization, lambda name=organization: note(name))  # type: ignore[misc]
    gate.wait(60)
    queue.close()
    assert sorted(served) == ["a", "a", "b"]
    assert served[-1] == "a"


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux lets a thread step back")
def test_searches_let_the_threads_that_answer_go_first() -> None:
    queue, niceness = SearchQueue(at_once=1), []

    def look() -> Response:
        niceness.append(os.getpriority(os.PRIO_PROCESS, threading.get_native_id()))
        return Response()

    queue.submit("a", look)
    queue.close()
    mine = os.getpriority(os.PRIO_PROCESS, threading.get_native_id())
    assert niceness == [min(19, mine + 5)]
