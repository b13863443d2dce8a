"""Workers are killed while they send messages; nobody is left out, and few hear a thing twice."""

import random
from collections import Counter
from functools import partial
from multiprocessing.context import ForkServerProcess
from pathlib import Path

import pytest
from tests.acceptance.message_workers import (
    Shop,
    count_settled,
    hurry_retries,
    opened,
    start_worker,
)
from tests.notifications.faulty import (
    Fault,
    Taken,
    open_faulty_gateway,
    open_faulty_post_office,
)
from tests.support.waiting import PATIENCE_SECONDS, wait_until

from roundsman.domain.message import MOST_MESSAGES_A_STOP, Channel, Message, MessageStatus
from roundsman.operations.tools import Tools

WORKERS = 3


class Storm:
    """Workers that are killed one after the other, each when so many messages are settled."""

    def __init__(self, tools: Tools, start: "Start") -> None:
        self._tools = tools
        self._start = start
        self._workers: list[ForkServerProcess] = []
        self._chance = random.Random(4)  # noqa: S311 -- moments, not secrets
        self._settled = 0
        self.kills = 0

    def __enter__(self) -> "Storm":
        self._workers += [self._start() for _ in range(WORKERS)]
        return self

    def __exit__(self, *_: object) -> None:
        for worker in self._workers:
            worker.kill()
            worker.join()

    def rage(self, written: int, kills: int) -> None:
        """Kill so many workers until all that was written so far is settled."""
        left = range(count_settled(self._tools), written * 9 // 10)
        for threshold in sorted(self._chance.sample(left, kills)):
            pause = self._chance.uniform(0.002, 0.03)
            wait_until(lambda: self._are_settled(threshold), every=pause)  # noqa: B023 -- called at once
            self._kill(self._chance.randrange(WORKERS))
        wait_until(lambda: self._are_settled(written), 5 * PATIENCE_SECONDS, every=0.1)

    def _are_settled(self, count: int) -> bool:
        settled = count_settled(self._tools)
        if settled == self._settled:
            hurry_retries(self._tools)
        self._settled = settled
        return settled >= count

    def _kill(self, number: int) -> None:
        self._workers[number].kill()
        self._workers[number].join()
        self._workers[number] = self._start()
        self.kills += 1


type Start = partial[ForkServerProcess]


@pytest.mark.spec("decisions §16")
@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("stops", "kills"),
    [
        pytest.param(10, 6, id="6 kills"),
        pytest.param(360, 200, id="200 kills", marks=pytest.mark.full),
    ],
)
def test_customers_are_told_though_workers_are_killed_at_random_moments(
    database_url: str, tmp_path: Path, stops: int, kills: int
) -> None:
    with (
        open_faulty_post_office(seed=1) as office,
        open_faulty_gateway(seed=2, takes_key=True) as keyed,
        open_faulty_gateway(seed=3, takes_key=False) as keyless,
        opened(database_url, tmp_path, office.port) as tools,
    ):
        shops = [
            Shop.open(tools, keyed.port, stops, takes_key=True),
            Shop.open(tools, keyless.port, stops, takes_key=False),
        ]
        start = partial(start_worker, database_url, tmp_path, office.port)
        with Storm(tools, start) as storm:
            for number, step in enumerate((Shop.dispatch, Shop.start), start=1):
                for shop in shops:
                    step(shop)
                storm.rage(number * 4 * stops, kills // 2)
        assert storm.kills == kills
        told = [shop.messages() for shop in shops]
    # With what was written on dispatch and on leaving, each has had its four.
    for messages in told:
        counts = Counter(one.stop_id for one in messages)
        assert list(counts.values()) == [MOST_MESSAGES_A_STOP] * stops
    letters = [one for messages in told for one in messages if one.channel is Channel.EMAIL]
    with_key, without = (
        [one for one in messages if one.channel is Channel.SMS] for messages in told
    )
    judge_keyed(with_key, keyed.taken)
    judge_letters(letters, office.taken)
    judge_keyless(without, keyless.taken)
    most = max(one.attempts for messages in told for one in messages)
    assert most > 1, "no kill ever hit a message that was being sent"
    print(  # noqa: T201 -- the figure
        f"\n{kills} kills, at most {most} attempts a message\n"
        f"{figures('gateway with a key', with_key, keyed.taken)}\n"
        f"{figures('mail server', letters, office.taken)}\n"
        f"{figures('gateway without a key', without, keyless.taken)}"
    )


def judge_keyed(messages: list[Message], taken: Taken) -> None:
    """Each message had one effect, under one key, with one text."""
    assert {one.status for one in messages} == {MessageStatus.SENT}
    assert taken.effects == {one.id: 1 for one in messages}
    assert all(len({str(body) for body in bodies}) == 1 for bodies in taken.seen.values())


def judge_letters(messages: list[Message], taken: Taken) -> None:
    """Every letter arrived; one that arrived twice is known by its Message-ID."""
    failed = [one for one in messages if one.status is not MessageStatus.SENT]
    assert all("may have been sent" in str(one.last_error) for one in failed)
    assert set(taken.effects) == {f"<{one.id}@example.com>" for one in messages}
    assert all(len(set(letters)) == 1 for letters in taken.seen.values())


def judge_keyless(messages: list[Message], taken: Taken) -> None:
    """What may have been sent says so; nothing is repeated but what the gateway said had failed."""
    failed = [one for one in messages if one.status is not MessageStatus.SENT]
    assert all("may have been sent" in str(one.last_error) for one in failed)
    assert all(taken.made[one] is Fault.FAILS_AFTER_TAKING for one in taken.doubled)
    assert len(messages) - len(failed) <= len(taken.effects)


def figures(what: str, messages: list[Message], taken: Taken) -> str:
    failed = sum(one.status is not MessageStatus.SENT for one in messages)
    missing = len(messages) - len(taken.effects)
    return (
        f"{what}: {len(messages)} messages, {taken.requests} requests, {missing} did not arrive,"
        f" {len(taken.doubled)} arrived twice or more, {failed} are FAILED"
    )
