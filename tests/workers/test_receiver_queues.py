"""What waits behind attempts in flight to one receiver, and what becomes of it."""

import asyncio
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from tests.support.waiting import wait_until
from tests.webhooks.receiver import Receiver
from tests.workers.world import World

from roundsman.operations.event_deliveries import Round, advance

pytestmark = pytest.mark.both_databases


@pytest.mark.spec("decisions §9")
def test_what_waits_in_line_behind_a_failure_is_given_back_untried(
    world: World, receiver: Receiver
) -> None:
    webhook = world.subscribe(receiver.url("/status/500"))
    world.happen(45)
    one = Round(worker_id="one", room=200, spare=200, room_for_failing=200)
    begun = advance(world.tools, one)
    assert len(begun) == 45, "ten in flight, the others in line"
    other = Round(worker_id="other", room=200, spare=200, room_for_failing=200)
    assert advance(world.tools, other) == []
    given_back = [delivery.claim for delivery in begun]
    advance(world.tools, Round(worker_id="another", given_back=given_back))
    assert advance(world.tools, other) == [], "only who claimed can give back"
    advance(world.tools, Round(worker_id="one", given_back=given_back))
    world.send()
    assert len({got.body for got in receiver.received}) == len(receiver.received) == 45
    assert {len(report.attempts) for report in world.deliveries(webhook)} == {1}
    with world.tools.database.reading() as tx:
        tried = tx.exec_driver_sql("SELECT min(attempts), max(attempts) FROM outbox").one()
    assert tuple(tried) == (1, 1), "being in line is no attempt"


@pytest.mark.spec("decisions §9")
def test_receivers_of_two_workers_share_what_may_be_in_flight(world: World) -> None:
    world.subscribe("http://127.0.0.1:9/in")
    world.happen(60)
    few = Round(worker_id="few", room=4, spare=0)
    many = Round(worker_id="many", room=200, spare=200)
    assert [len(advance(world.tools, one)) for one in (few, many, many, few)] == [4, 6, 0, 0]


@pytest.mark.spec("decisions §9")
def test_a_line_leaves_room_for_other_receivers(world: World) -> None:
    for path in ("a", "b"):
        world.subscribe(f"http://127.0.0.1:9/{path}")
    world.happen(60)
    begun = advance(world.tools, Round(worker_id="one", room=200, spare=20))
    assert sorted(Counter(delivery.url[-1] for delivery in begun).values()) == [20, 20]


@pytest.mark.spec("decisions §9")
def test_a_worker_that_stops_ends_what_is_in_flight_and_gives_the_rest_back(
    world: World, receiver: Receiver
) -> None:
    receiver.hold = True
    webhook = world.subscribe(receiver.url("/held"))
    world.happen(30)
    with ThreadPoolExecutor(1) as pool:
        stop = threading.Event()
        stopped = pool.submit(run_until, world, stop)
        receiver.wait_until(lambda them: them.in_flight == 10)
        stop.set()
        ours = "SELECT count(*) FROM outbox WHERE claimed_by IS NOT NULL"
        wait_until(lambda: count(world, ours) == 10)
        assert len(receiver.received) == 10
        receiver.release()
        stopped.result(30)
    assert count(world, ours) == 0
    world.send()
    reports = world.deliveries(webhook)
    assert [[attempt.status for attempt in one.attempts] for one in reports] == [[200]] * 30
    assert len(receiver.received) == 30


def run_until(world: World, stop: threading.Event) -> None:
    """Have a worker run as a server has it, until it is asked to stop and has come to an end."""

    async def run() -> None:
        stopping = asyncio.Event()
        running = asyncio.create_task(world.worker(seconds=30).run(stopping))
        await asyncio.to_thread(stop.wait, 30)
        stopping.set()
        await running

    asyncio.run(run())


def count(world: World, query: str) -> int:
    with world.tools.database.reading() as tx:
        return int(tx.exec_driver_sql(query).scalar_one())


@pytest.mark.spec("decisions §9")
def test_a_receiver_that_fails_at_once_is_probed_and_not_hammered(
    world: World, receiver: Receiver
) -> None:
    world.subscribe(receiver.url("/status/500"))
    world.subscribe(receiver.url("/in"))
    world.happen(200)
    begun = time.monotonic()
    with ThreadPoolExecutor(1) as pool:
        stop = threading.Event()
        pool.submit(run_until, world, stop)
        receiver.wait_until(lambda them: sum(got.path == "/in" for got in them.received) == 200)
        stop.set()
    probes = (time.monotonic() - begun) / 0.25 + 2
    refused = sum(got.path == "/status/500" for got in receiver.received)
    assert 10 <= refused <= 10 + 2 * probes
