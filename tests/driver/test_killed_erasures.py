"""Workers are killed while they erase people; every erasure ends, and nothing of them is left."""

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from multiprocessing.context import ForkServerProcess as Worker
from pathlib import Path
from typing import Any

import pytest
from tests.acceptance.job_workers import start_worker
from tests.api.conftest import World
from tests.driver.device import Device, sign_up, start_route
from tests.driver.test_erasures import rows_of
from tests.driver.test_evidence import fetch, problems
from tests.support.waiting import PATIENCE_SECONDS, wait_until

from roundsman.domain.job import MOST_ATTEMPTS
from roundsman.endpoints.application import Application
from roundsman.operations.driver_erasures import DRIVER_ERASURES
from roundsman.operations.erasures import ERASURES

type Json = Any

KINDS = (ERASURES, DRIVER_ERASURES)

STOPS = 6
STOP = {"coordinates": {"latitude": 39.3, "longitude": -76.6}}
WORKERS = 2


@dataclass(frozen=True)
class Doomed:
    """A customer with a day of deliveries, and the driver of them; both are to be erased."""

    number: int
    device: Device
    stop_ids: list[str]

    def identifiers(self) -> list[Json]:
        return [{"phone": phone_of(self.number)}, {"driverId": self.device.driver_id}]


def phone_of(number: int) -> str:
    return f"+1410555{1000 + number}"


def words_of(number: int) -> list[str]:
    """Return what nothing may say any more, of the customer and of the driver."""
    return [
        phone_of(number)[2:],
        f"Zarathustra{number}z",
        f"flowerpot{number}z",
        f"Quillon{number}z",
    ]


def live_through(world: World, door: Application, number: int) -> Doomed:
    name = {"firstName": f"Quillon{number}z", "lastName": "Bramble"}
    device = sign_up(
        world, door, **name, phone=f"+1410556{1000 + number}", email=f"d{number}@x.example"
    )
    customer = {
        "contact": {"firstName": f"Zarathustra{number}z", "phone": phone_of(number)},
        "note": f"under the flowerpot{number}z",
    }
    title = f"Round of Quillon{number}z Bramble"
    stop_ids = start_route(world, device, [{**STOP, **customer}] * STOPS, name=title)
    for stop_id in stop_ids:
        note = f"Quillon{number}z Bramble left it under the flowerpot{number}z"
        device.done("PROOF_NOTE", stopId=stop_id, note=note)
        device.done("STOP_DELIVERED", stopId=stop_id, recipientName=f"Zarathustra{number}z")
    return Doomed(number=number, device=device, stop_ids=stop_ids)


def words_left(world: World, number: int) -> list[str]:
    """Return which words any row still says; what each event was is asked for by its rows."""
    rows = rows_of(world)
    return [word for word in words_of(number) if word in rows]


def erase_under_kills(world: World, start: Callable[[], Worker], kills: int) -> int:
    """Kill workers until all jobs are done; return how many kills hit a job."""
    chance = random.Random(kills)  # noqa: S311 -- moments, not secrets
    workers = [start() for _ in range(WORKERS)]
    try:
        for _ in range(kills):
            steps = Steps(world, chance.randint(1, 8))
            wait_until(steps.are_made, every=chance.uniform(0.002, 0.03))
            hit = chance.randrange(WORKERS)
            workers[hit].kill()
            workers[hit].join()
            workers[hit] = start()
        wait_until(lambda: states_of(world) == {"COMPLETED"}, 5 * PATIENCE_SECONDS, every=0.1)
    finally:
        for worker in workers:
            worker.kill()
            worker.join()
    with world.tools.database.reading() as tx:
        row = tx.exec_driver_sql("SELECT sum(attempts - 1), max(attempts) FROM jobs").one()
    assert row[1] < MOST_ATTEMPTS
    return int(row[0])


class Steps:
    """Sees that jobs have gone on by so many steps since it was made, or are all done."""

    def __init__(self, world: World, wanted: int) -> None:
        self._world = world
        self._wanted = wanted
        self._seen = self._where()

    def _where(self) -> Counter[str]:
        with self._world.tools.database.reading() as tx:
            rows = tx.exec_driver_sql("SELECT id, state, position FROM jobs").all()
        return Counter(f"{row.id} {row.state} {row.position}" for row in rows)

    def are_made(self) -> bool:
        now = self._where()
        self._wanted -= (now - self._seen).total()
        self._seen = now
        return self._wanted <= 0 or states_of(self._world) == {"COMPLETED"}


def states_of(world: World) -> set[str]:
    with world.tools.database.reading() as tx:
        return set(tx.exec_driver_sql("SELECT state FROM jobs").scalars())


@pytest.mark.spec("decisions §17")
@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("people", "kills"),
    [
        pytest.param(1, 3, id="3 kills"),
        pytest.param(30, 100, id="100 kills", marks=pytest.mark.full),
    ],
)
def test_everybody_is_erased_though_workers_are_killed_at_random_moments(
    world: World, door: Application, database_url: str, tmp_path: Path, people: int, kills: int
) -> None:
    doomed = [live_through(world, door, number) for number in range(people)]
    spared = live_through(world, door, people)
    assert words_left(world, 0) == words_of(0)
    before = world.client.get(f"/routes/{spared.device.route_id}").json()
    asked = []
    for one in doomed:
        for identifier in one.identifiers():
            answer = world.client.post("/privacy/erasures", identifier)
            assert answer.status_code == 200, answer.text
            asked.append(answer.json()["id"])
    hits = erase_under_kills(world, partial(start_worker, database_url, tmp_path, KINDS), kills)
    assert hits > 0, "no kill ever hit a running job"
    print(f"{kills} kills, {hits} of them of a worker with a job, {len(asked)} erasures")  # noqa: T201 -- the figure
    for id_ in asked:
        world.clock.advance(seconds=1)  # or the client asks more often than it may
        assert world.client.get(f"/privacy/erasures/{id_}").json()["status"] == "COMPLETED"
    for one in doomed:
        assert words_left(world, one.number) == []
        for stop_id in one.stop_ids:
            world.clock.advance(seconds=1)
            assert problems(fetch(world, one.device, stop_id)) == ""
    assert world.client.get(f"/routes/{spared.device.route_id}").json() == before
    if database_url.startswith("sqlite"):
        held = b"".join(file.read_bytes() for file in tmp_path.glob("*.db*"))
        gone = [word for one in doomed for word in words_of(one.number) if word.encode() in held]
        assert gone == []
