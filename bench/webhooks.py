"""Deliveries per second from one process to loopback, beside a bare client posting the same bytes.

`python -m bench.webhooks [--events 20000] [--database postgresql]`. The receiver is a process of
its own; both senders talk to it in turn, in one run, with as many posts in flight. PostgreSQL is a
server of the run's own; an address in place of the word is one that runs already.

`python -m bench.webhooks --bad 4 --events 5000 [--database postgresql]` asks instead how long after
they happened events reach a healthy receiver beside so many bad ones (silent, resetting, dribbling,
endless), while clients import into a real server as fast as it lets them; `--bad 0` is the control.
"""

import argparse
import asyncio
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from ipaddress import ip_network
from pathlib import Path

import aiohttp
import uvloop
from tests.postgres import find_binaries, postgres_server
from tests.support.ports import free_port
from tests.torture.scenarios import BAD, delays_beside_bad_receivers

from bench.receiver import receiving
from roundsman.domain.address import Coordinates
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.principal import operator
from roundsman.domain.topics import Topic
from roundsman.domain.webhook_subscription import WebhookSubscriptionDraft
from roundsman.installation import make_registrar, make_tools, open_database
from roundsman.operations.event_deliveries import Round, advance
from roundsman.operations.imported_stops import import_stops
from roundsman.operations.organizations import create_organization
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.operations.webhook_subscriptions import add_subscription
from roundsman.settings import Settings
from roundsman.webhooks.envelope import PLAIN
from roundsman.webhooks.sender import Sender
from roundsman.workers.webhook_delivery import WebhookDelivery

_ORGANIZATIONS = 8
_RECEIVERS = 5
"""Of each organization, as many as it may have."""

_IN_FLIGHT = 10 * _RECEIVERS * _ORGANIZATIONS


@dataclass(frozen=True)
class Figure:
    """What a sender did."""

    posts: int
    seconds: float
    cpu_seconds: float

    def __str__(self) -> str:
        return (
            f"{self.posts / self.seconds:8.0f} posts/s   "
            f"{1000 * self.cpu_seconds / self.posts:.3f} ms CPU each"
        )


def main() -> None:
    """Print both figures and their ratio."""
    parser = argparse.ArgumentParser(prog="python -m bench.webhooks")
    parser.add_argument("--events", type=int, default=20_000)
    parser.add_argument("--database", default="sqlite")
    parser.add_argument("--bad", type=int, choices=range(len(BAD) + 1))
    asked = parser.parse_args()
    if asked.bad is not None:
        some = {"events": asked.events, "port": free_port(), "bad": asked.bad}
        print(f"{asked.database}, {delays_beside_bad_receivers(asked.database, **some)}")
        return
    with bench_database(asked.database) as url:
        bare, sent = measure_deliveries(url, asked.events)
    print(f"bare client   {bare}")
    print(f"roundsman     {sent}   claims, signatures, history and commits included")
    print(f"ratio         {bare.seconds / sent.seconds:8.2f} of the bare client")


@contextmanager
def bench_database(named: str) -> Iterator[str]:
    """Return where the database is; an empty address is a file in the run's own folder."""
    if named != "postgresql":
        yield "" if named == "sqlite" else named
        return
    binaries = find_binaries()
    if binaries is None:
        raise SystemExit("PostgreSQL's binaries are not installed")
    with postgres_server(binaries, fsync=True) as server:
        yield f"{server.address}/postgres"


def measure_deliveries(database_url: str, events: int) -> tuple[Figure, Figure]:
    """Return what a bare client did, and what we did, with as many events."""
    with receiving() as port, tempfile.TemporaryDirectory() as folder:
        tools = _fill(Path(folder), database_url, port, events)
        body, headers = _sample(tools)
        bare = _measure(events, lambda: _post_bare(port, body, headers, events))
        sender = Sender(tools.address_guard, None, tools.clock)
        worker = WebhookDelivery(tools, sender)
        sent = _measure(events, worker.send_due)
        tools.database.close()
    return bare, sent


def _fill(folder: Path, database_url: str, port: int, events: int) -> Tools:
    settings = Settings(
        data=folder, database_url=database_url, webhook_allow=(ip_network("127.0.0.0/8"),)
    )
    tools = make_tools(settings, open_database(settings))
    for number in range(_ORGANIZATIONS):
        _fill_organization(tools, number, port, events // _ORGANIZATIONS)
    return tools


def _fill_organization(tools: Tools, number: int, port: int, events: int) -> None:
    organization = create_organization(make_registrar(tools), f"Bench {number}", "UTC")
    request = Request(principal=operator(organization.id))
    draft = WebhookSubscriptionDraft(
        url=f"http://127.0.0.1:{port}/in", topics=(Topic.IMPORTED_STOP_CREATED,)
    )
    for _ in range(_RECEIVERS):
        add_subscription(tools, request, draft)
    stop = StopDraft(coordinates=Coordinates(latitude=39.29, longitude=-76.61))
    import_stops(tools, request, [stop] * (events // _RECEIVERS))


def _sample(tools: Tools) -> tuple[bytes, dict[str, str]]:
    (errand,) = advance(tools, Round(worker_id="sample", room=1, room_for_failing=1))
    body = PLAIN.encode_body(errand)
    return body, dict(PLAIN.make_headers(errand, body, tools.clock.now()))


def _measure(posts: int, run: Callable[[], Awaitable[None]]) -> Figure:
    async def timed() -> None:
        await run()

    begun, cpu = time.perf_counter(), time.process_time()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(timed())
    return Figure(posts, time.perf_counter() - begun, time.process_time() - cpu)


async def _post_bare(port: int, body: bytes, headers: dict[str, str], posts: int) -> None:
    left = iter(range(posts))
    connector = aiohttp.TCPConnector(limit=0)
    async with aiohttp.ClientSession(connector=connector) as session:

        async def post_some() -> None:
            for _ in left:
                async with session.post(
                    f"http://127.0.0.1:{port}/in", data=body, headers=headers
                ) as answer:
                    await answer.read()

        await asyncio.gather(*(post_some() for _ in range(_IN_FLIGHT)))


if __name__ == "__main__":
    main()
