"""Calls cross to threads together, and none holds the others up for long."""

import asyncio
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

import pytest

from roundsman.doors.crossing import MOST_TOGETHER
from roundsman.doors.hop import Hop
from roundsman.kit.asking import Inquiry, Together, ask


@pytest.fixture(params=[False, True], ids=["told", "waited for"])
def is_waited_for(request: pytest.FixtureRequest) -> bool:
    return bool(request.param)


@pytest.fixture
def hop(*, is_waited_for: bool) -> Iterator[Hop]:
    made = Hop(2, "tested", is_waited_for=is_waited_for)
    yield made
    made.close()


@pytest.fixture
def patient_hop(*, is_waited_for: bool) -> Iterator[Hop]:
    """One that sends no colleague, however long a busy machine keeps a thread from running."""
    made = Hop(2, "tested", is_waited_for=is_waited_for, patience_seconds=60)
    yield made
    made.close()


def name_thread(_asked: object) -> str:
    return threading.current_thread().name


def test_an_answer_comes_back_and_an_error_is_raised_where_it_is_awaited(hop: Hop) -> None:
    def divide(by: int) -> float:
        return 12 / by

    async def ask() -> float:
        with pytest.raises(ZeroDivisionError):
            await hop.run(divide, 0)
        return await hop.run(divide, 4)

    assert asyncio.run(ask()) == 3


def test_what_arrives_together_is_done_by_one_thread_in_order(patient_hop: Hop) -> None:
    order = []

    def note(asked: int) -> str:
        order.append(asked)
        return name_thread(asked)

    async def ask() -> list[str]:
        return await asyncio.gather(*(patient_hop.run(note, number) for number in range(50)))

    assert set(asyncio.run(ask())) == {"tested-0"}
    assert order == list(range(50))


def test_a_call_that_waits_holds_up_nobody_before_or_behind_it(hop: Hop) -> None:
    freed = threading.Event()

    async def ask() -> tuple[str, str, bool]:
        before = asyncio.create_task(hop.run(name_thread, None))
        waiting = asyncio.create_task(hop.run(freed.wait, 60))
        behind = asyncio.create_task(hop.run(name_thread, None))
        # Whichever thread waits, its colleague answers those before and behind.
        answers = await before, await behind
        assert not waiting.done()
        freed.set()
        return *answers, await waiting

    *answered_by, waited = asyncio.run(ask())
    assert set(answered_by) <= {"tested-0", "tested-1"}
    assert waited


def test_never_more_threads_help_than_allowed(hop: Hop) -> None:
    freed = threading.Event()
    began = threading.Semaphore(0)

    def wait(_asked: object) -> str:
        began.release()
        freed.wait(60)
        return name_thread(None)

    async def ask() -> set[str]:
        waiting = [asyncio.create_task(hop.run(wait, None)) for _ in range(5)]
        await asyncio.to_thread(lambda: [began.acquire(timeout=60) for _ in range(2)])
        freed.set()
        return set(await asyncio.gather(*waiting))

    assert asyncio.run(ask()) == {"tested-0", "tested-1"}


def test_who_no_longer_waits_is_left_out(hop: Hop) -> None:
    freed = threading.Event()

    async def ask() -> str:
        gone = asyncio.create_task(hop.run(freed.wait, 60))
        here = asyncio.create_task(hop.run(name_thread, None))
        answer = await here
        gone.cancel()
        freed.set()
        # Answered after the one that is gone, by the same thread or its colleague.
        await hop.run(name_thread, None)
        return answer

    assert asyncio.run(ask())


def test_loops_of_several_threads_share_it(hop: Hop) -> None:
    async def ask(begin: int) -> list[int]:
        calls = (hop.run(lambda asked: asked * 2, number) for number in range(begin, begin + 100))
        return await asyncio.gather(*calls)

    with ThreadPoolExecutor(4) as threads:
        answers = list(threads.map(lambda begin: asyncio.run(ask(begin)), range(0, 4_000, 100)))
    assert [one for some in answers for one in some] == [2 * number for number in range(4_000)]


def test_closing_waits_for_what_is_running() -> None:
    hop = Hop(1, "tested")
    began, freed, ended = threading.Event(), threading.Event(), threading.Event()

    def work(_asked: object) -> None:
        began.set()
        freed.wait(60)
        ended.set()

    async def ask() -> None:
        asked = asyncio.create_task(hop.run(work, None))
        await asyncio.to_thread(began.wait, 60)
        closing = asyncio.create_task(asyncio.to_thread(hop.close))
        freed.set()
        await closing
        assert ended.is_set()
        await asked

    asyncio.run(ask())


class Doubling:
    """Doubles numbers, and remembers which were asked together; knows nothing of 13."""

    def __init__(self) -> None:
        self.together = Together(self.double_all)
        self.asked: list[list[int]] = []

    def double_all(self, numbers: Sequence[int]) -> Sequence[int]:
        self.asked.append(list(numbers))
        if 13 in numbers:
            raise ValueError("13 cannot be doubled")
        return [2 * number for number in numbers]

    def quadruple(self, number: int) -> Inquiry[int]:
        doubled = yield from ask(self.together, number)
        return (yield from ask(self.together, doubled))


def test_what_arrives_together_asks_together(patient_hop: Hop) -> None:
    doubling = Doubling()

    async def inquire() -> list[int]:
        return await asyncio.gather(
            *(patient_hop.inquire(doubling.quadruple(one)) for one in range(10))
        )

    assert asyncio.run(inquire()) == [4 * one for one in range(10)]
    assert doubling.asked == [list(range(10)), list(range(0, 20, 2))]


def test_questions_of_different_kinds_are_asked_apart(patient_hop: Hop) -> None:
    one, other = Doubling(), Doubling()

    async def inquire() -> list[int]:
        asking = (ask(kind.together, number) for number in range(3) for kind in (one, other))
        return await asyncio.gather(*map(patient_hop.inquire, asking))

    assert asyncio.run(inquire()) == [0, 0, 2, 2, 4, 4]
    assert one.asked == other.asked == [[0, 1, 2]]


def test_a_question_without_an_answer_fails_nobody_else(patient_hop: Hop) -> None:
    doubling = Doubling()

    async def inquire() -> list[int | BaseException]:
        asking = (patient_hop.inquire(doubling.quadruple(one)) for one in (1, 13, 2))
        return await asyncio.gather(*asking, return_exceptions=True)

    first, unlucky, last = asyncio.run(inquire())
    assert (first, last) == (4, 8)
    assert isinstance(unlucky, ValueError)
    assert doubling.asked[:4] == [[1, 13, 2], [1], [13], [2]]


def test_no_more_are_asked_together_than_a_statement_should_hold(patient_hop: Hop) -> None:
    doubling = Doubling()

    async def inquire() -> list[int]:
        asking = (
            patient_hop.inquire(ask(doubling.together, 1)) for _ in range(2 * MOST_TOGETHER + 1)
        )
        return await asyncio.gather(*asking)

    assert set(asyncio.run(inquire())) == {2}
    assert [len(asked) for asked in doubling.asked] == [MOST_TOGETHER, MOST_TOGETHER, 1]


def test_while_answers_are_waited_for_others_are_answered(hop: Hop) -> None:
    freed = threading.Event()

    def wait_for_all(asked: Sequence[None]) -> Sequence[bool]:
        return [freed.wait(60) for _ in asked]

    waiting_for_all = Together(wait_for_all)

    async def inquire() -> bool:
        waiting = asyncio.create_task(hop.inquire(ask(waiting_for_all, None)))
        # One sets out with it, and one when it already waits.
        await hop.run(name_thread, None)
        await hop.run(name_thread, None)
        assert not waiting.done()
        freed.set()
        return await waiting

    assert asyncio.run(inquire())
