"""A loop that waits for its line wants nothing of the interpreter, and never waits for long."""

import asyncio
import threading
from collections.abc import Callable, Iterator, Sequence

import pytest

from roundsman.doors.hop import Hop
from roundsman.kit.asking import Inquiry, Together, ask

type MakeHop = Callable[..., Hop]


@pytest.fixture
def make_hop() -> Iterator[MakeHop]:
    made = []

    def make(threads: int = 2, patience_seconds: float = 0.001) -> Hop:
        made.append(Hop(threads, "tested", is_waited_for=True, patience_seconds=patience_seconds))
        return made[-1]

    yield make
    for hop in made:
        hop.close()


def test_the_loop_does_nothing_else_while_its_line_is_worked_off(make_hop: MakeHop) -> None:
    hop = make_hop(patience_seconds=60)

    async def work() -> bool:
        is_turning = threading.Event()
        loop = asyncio.get_running_loop()

        def look(_asked: object) -> bool:
            loop.call_soon_threadsafe(is_turning.set)
            return is_turning.wait(0.1)

        return await hop.run(look, None)

    assert not asyncio.run(work())


def test_the_loop_goes_on_while_a_call_takes_long(make_hop: MakeHop) -> None:
    hop = make_hop()

    async def work() -> bool:
        freed = threading.Event()
        loop = asyncio.get_running_loop()

        def wait_for_the_loop(_asked: object) -> bool:
            loop.call_soon_threadsafe(freed.set)
            return freed.wait(10)

        return await hop.run(wait_for_the_loop, None)

    assert asyncio.run(work())


def test_the_loop_goes_on_while_a_line_moves_on_without_end(make_hop: MakeHop) -> None:
    hop = make_hop()

    def answer_all(asked: Sequence[int]) -> Sequence[int]:
        return asked

    together = Together(answer_all)

    async def work() -> bool:
        freed = threading.Event()
        loop = asyncio.get_running_loop()

        def ask_without_end() -> Inquiry[bool]:
            loop.call_soon_threadsafe(freed.set)
            for number in range(1_000_000):
                if freed.is_set():
                    return True
                yield from ask(together, number)
            return False

        return await hop.inquire(ask_without_end())

    assert asyncio.run(work())


def test_one_loop_waits_and_another_is_answered_beside_it(make_hop: MakeHop) -> None:
    hop = make_hop(threads=1, patience_seconds=60)
    began, freed = threading.Event(), threading.Event()

    def wait(_asked: object) -> bool:
        began.set()
        return freed.wait(10)

    async def ask_first() -> tuple[str, bool]:
        answer, waited = await asyncio.gather(hop.run(str, 1), hop.run(wait, None))
        return answer, waited

    async def ask_second() -> str:
        asked = asyncio.create_task(hop.run(str, 2))
        # The first loop waits for its line; this one goes on, or nobody would free it.
        for _ in range(10):
            await asyncio.sleep(0)
        freed.set()
        return await asyncio.wait_for(asked, 10)

    answered: list[tuple[str, bool]] = []
    first = threading.Thread(target=lambda: answered.append(asyncio.run(ask_first())))
    first.start()
    assert began.wait(10)
    assert asyncio.run(ask_second()) == "2"
    first.join()
    assert answered == [("1", True)]
