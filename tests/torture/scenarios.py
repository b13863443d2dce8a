"""What is done to an installation, and what must hold afterwards."""

import random
import signal
import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from tests.torture.installation import Installation, Process, installed
from tests.torture.load import Load
from tests.webhooks.receiver import Received, Receiver

_QUIET_WITHIN_SECONDS = 180
_AT_ONCE = 25


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """What a scenario counted."""

    kills: int
    under_load: int
    """How many of them fell while stops were still being imported."""

    events: int
    received: int
    lost: int
    doubled: int
    """Stops that an import made though nobody was told so: one that was made twice."""

    differing: int
    seconds: float

    def holds(self) -> bool:
        return (self.lost, self.doubled, self.differing) == (0, 0, 0)

    def __str__(self) -> str:
        return (
            f"{self.kills} kills ({self.under_load} under load), {self.events} events,"
            f" {self.received} received ({self.received - self.events} duplicates),"
            f" {self.lost} lost, {self.doubled} doubled,"
            f" {self.differing} duplicates with other bytes, {self.seconds:.0f} s"
        )


type Blow = Callable[[Installation, Sequence[Process], random.Random], None]


def kill_one(installation: Installation, processes: Sequence[Process], draw: random.Random) -> None:
    """Kill the server or a worker as the machine's power would, and start it again."""
    del installation
    victim = draw.choice(processes)
    victim.end(signal.SIGKILL)
    victim.start()


def restart_database(
    installation: Installation, processes: Sequence[Process], draw: random.Random
) -> None:
    """Let PostgreSQL crash and recover under the processes' hands."""
    del processes, draw
    assert installation.postgres is not None
    installation.postgres.restart()


def tear_log(installation: Installation, processes: Sequence[Process], draw: random.Random) -> None:
    """Kill everything while SQLite writes: half a frame stands at the end of its log."""
    for process in processes:
        process.end(signal.SIGKILL)
    log = Path(installation.url.removeprefix("sqlite:///") + "-wal")
    if log.exists():
        with log.open("ab") as torn:
            torn.write(draw.randbytes(draw.randrange(1, 4_000)))
    for process in processes:
        process.start()


def strike(kind: str, blow: Blow, *, blows: int, events: int, port: int, seed: int = 1) -> Outcome:
    """Import stops while blows fall; count what the receiver got against what the log says."""
    draw = random.Random(seed)  # noqa: S311 -- repeats itself on purpose
    begun = time.monotonic()
    with (
        installed(kind, port) as installation,
        Receiver().listening() as receiver,
        (installation.data / "log").open("wb") as log,
    ):
        subscribe(installation, receiver.url("/in"))
        processes = installation.processes(log)
        for process in processes:
            process.start()
        fallen = 0
        with Load(installation, events, _AT_ONCE).running() as load:
            share = events / blows
            while not load.is_over.is_set():
                # Blows fall where the work is: each waits for its share of it.
                if len(load.acknowledged) >= fallen * share and fallen < blows:
                    blow(installation, processes, draw)
                    fallen += 1
                load.is_over.wait(draw.uniform(0.05, 0.5))
        for _ in range(fallen, blows):
            blow(installation, processes, draw)
        wait_until_quiet(installation)
        for process in processes:
            assert process.end(signal.SIGTERM) == 0, "did not end well"
        return tally(
            installation, load, receiver.received, (blows, fallen), time.monotonic() - begun
        )


def subscribe(installation: Installation, *urls: str) -> None:
    """Register receivers before anything happens."""
    with installation.database() as database, database.writing() as tx:
        for number, url in enumerate(urls):
            body = (
                f'{{"url":"{url}","topics":["IMPORTED_STOP_CREATED"],'
                f'"id":"sub-{number}","active":true}}'
            )
            tx.exec_driver_sql(
                "INSERT INTO subscriptions (id, organization_id, active, created_at, body)"  # noqa: S608 -- a world of the test's own
                f" VALUES ('sub-{number}', '{installation.organization_id}', true, 0, '{body}')"
            )


def wait_until_quiet(installation: Installation) -> None:
    """Wait until nothing is left to be sent."""
    deadline = time.monotonic() + _QUIET_WITHIN_SECONDS
    query = "SELECT count(*) FROM outbox WHERE state = 'PENDING'"
    while left := installation.count(query):
        assert time.monotonic() < deadline, f"{left} events are still to be sent"
        time.sleep(0.5)


def tally(
    installation: Installation,
    load: Load,
    received: Sequence[Received],
    kills: tuple[int, int],
    seconds: float,
) -> Outcome:
    """Compare what was received with what happened, and that with what was acknowledged."""
    with installation.database() as database, database.reading() as tx:
        rows = tx.exec_driver_sql("SELECT id, object_id FROM events").fetchall()
    told = {str(row[0]) for row in rows}
    unrecorded = set(load.acknowledged) - {str(row[1]) for row in rows}
    bodies: dict[str, set[bytes]] = defaultdict(set)
    for one in received:
        bodies[one.headers["x-service-event-id"]].add(one.body)
    return Outcome(
        kills=kills[0],
        under_load=kills[1],
        events=len(told),
        received=len(received),
        lost=len(told - bodies.keys()) + len(unrecorded),
        doubled=len({str(row[1]) for row in rows} - set(load.acknowledged)),
        differing=sum(len(same) > 1 for same in bodies.values()),
        seconds=seconds,
    )


BAD = ("/silent", "/reset", "/dribble", "/endless-head")


@dataclass(frozen=True, kw_only=True)
class Delays:
    """How long after they happened events reached a healthy receiver beside bad ones."""

    bad: int
    events: int
    median: float
    late: float
    """The 95th percentile."""

    cpu_seconds: float
    """Of the server, requests included."""

    def __str__(self) -> str:
        return (
            f"{self.bad} of {self.bad + 1} receivers bad: the healthy one's {self.events} events"
            f" after {self.median:.2f} s (median), {self.late:.2f} s (95 of 100);"
            f" {1000 * self.cpu_seconds / self.events:.1f} ms CPU an event, imports included"
        )


def delays_beside_bad_receivers(kind: str, *, events: int, port: int, bad: int = 4) -> Delays:
    """Import stops as fast as the server takes them, and see when a healthy receiver hears."""
    with (
        installed(kind, port) as installation,
        Receiver().listening() as receiver,
        (installation.data / "log").open("wb") as log,
    ):
        subscribe(installation, *(receiver.url(path) for path in (*BAD[:bad], "/in")))
        (server,) = installation.processes(log, workers=0)
        server.start()
        with Load(installation, events, 5).running():
            pass
        receiver.wait_until(lambda them: len(_healthy(them)) >= events, 120)
        used = server.cpu_seconds()
        server.end(signal.SIGTERM)
        delays = sorted(_delay(one) for one in _healthy(receiver))
        return Delays(
            bad=bad,
            events=len(delays),
            median=statistics.median(delays),
            late=statistics.quantiles(delays, n=20)[-1],
            cpu_seconds=used,
        )


def _healthy(receiver: Receiver) -> list[Received]:
    return [one for one in receiver.received if one.path == "/in"]


def _delay(one: Received) -> float:
    happened = datetime.fromisoformat(one.headers["x-service-event-timestamp"])
    return one.at - happened.timestamp()
