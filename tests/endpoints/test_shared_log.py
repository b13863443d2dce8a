"""Logs that many follow and one reads."""

import asyncio
from collections.abc import Sequence
from contextlib import aclosing

import pytest

from roundsman.endpoints.shared_log import SharedLogs
from roundsman.kit.signal import Signal


class Log:
    """A numbered log that counts how often it is read."""

    def __init__(self, length: int = 0) -> None:
        self.items = list(range(1, length + 1))
        self.reads = 0
        self.growing = Signal()
        self.was_read = asyncio.Event()

    def grow(self, count: int = 1) -> None:
        self.items += range(len(self.items) + 1, len(self.items) + 1 + count)

    async def read(self, after: int) -> Sequence[tuple[int, int]]:
        self.reads += 1
        self.was_read.set()
        return [(item, item) for item in self.items[after : after + 3]]


async def take(logs: SharedLogs[int], log: Log, after: int | None, count: int) -> list[int]:
    taken: list[int] = []
    async with aclosing(logs.follow("log", after, log.read)) as followed:
        async for found in followed:
            taken += [item for _, item in found]
            if len(taken) >= count:
                return taken
    raise AssertionError("it goes on for ever")


def test_all_who_follow_get_the_same_from_where_they_began() -> None:
    async def follow() -> list[list[int]]:
        log = Log(4)
        logs = SharedLogs[int](log.growing)
        followers = [
            asyncio.create_task(take(logs, log, after, 10 - after)) for after in (4, 4, 0, 2)
        ]
        await asyncio.sleep(0)
        log.grow(6)
        log.growing.send()
        return await asyncio.gather(*followers)

    whole = list(range(1, 11))
    assert asyncio.run(follow()) == [whole[4:], whole[4:], whole, whole[2:]]


def test_a_hundred_followers_cost_as_many_reads_as_one() -> None:
    async def follow(followers: int) -> int:
        log = Log()
        logs = SharedLogs[int](log.growing, poll_seconds=60)
        tasks = [asyncio.create_task(take(logs, log, 0, 2)) for _ in range(followers)]
        await asyncio.wait_for(log.was_read.wait(), 10)
        log.grow(2)
        log.growing.send()
        await asyncio.gather(*tasks)
        return log.reads

    assert asyncio.run(follow(100)) == asyncio.run(follow(1))


def test_who_follows_from_now_on_is_told_what_comes_by_the_reader_of_the_first() -> None:
    async def follow() -> tuple[list[list[int]], int]:
        log, other = Log(), Log(9)
        logs = SharedLogs[int](log.growing, poll_seconds=60)
        first = asyncio.create_task(take(logs, log, None, 2))
        await asyncio.wait_for(log.was_read.wait(), 10)
        second = asyncio.create_task(take(logs, other, None, 2))
        await asyncio.sleep(0)
        log.grow(2)
        log.growing.send()
        return [await first, await second], other.reads

    assert asyncio.run(follow()) == ([[1, 2], [1, 2]], 0)


def test_nobody_reads_a_log_that_nobody_follows() -> None:
    async def follow() -> int:
        log, logs = Log(1), SharedLogs[int](poll_seconds=0)
        await take(logs, log, 0, 1)
        for _ in range(3):
            await asyncio.sleep(0)
        reads = log.reads
        for _ in range(20):
            await asyncio.sleep(0)
        return log.reads - reads

    assert asyncio.run(follow()) == 0


def test_what_ends_the_reading_reaches_who_follows() -> None:
    async def fail(_after: int) -> Sequence[tuple[int, int]]:
        raise ZeroDivisionError

    async def follow() -> None:
        async with aclosing(SharedLogs[int]().follow("log", 0, fail)) as followed:
            await anext(followed)

    with pytest.raises(ZeroDivisionError):
        asyncio.run(follow())
