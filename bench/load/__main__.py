"""Plays many organizations through their day at a chosen rate, and tells how long answers took.

python -m bench.load --rate 30 --minutes 10 [--organizations 20]
                     [--database postgresql] [--processes 4] [--days 2]

The rate is of requests in all; each organization's share must stay below the 10 a second that an
API client may ask. `--database` takes an address, or `postgresql` for a server that goes away
again. `--days` has so many further organizations play a simulated day beside it, which lasts as
long as the run: 200 stops and 8 drivers each, at the driver's door.
Exits 1 when a request failed or an event was not delivered.
"""

import argparse
import asyncio
import random
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx2 as httpx
import uvloop

from bench.databases import database_server, new_database
from bench.installation import process
from bench.load.day import Organization
from bench.load.playing import Play
from bench.load.simulated import SimulatedDays, SizeOfDay
from bench.load.watching import Memory
from bench.receiver import Counter, receiving
from roundsman.installation import make_registrar, make_tools, open_database
from roundsman.operations.api_clients import create_credentials
from roundsman.operations.organizations import create_organization
from roundsman.settings import Settings
from roundsman.storage.database import Database

BASE = "/api/2024-07"
_TOPICS = ["ROUTE_CREATED", "ROUTE_DISPATCHED", "STOP_STATUS_UPDATED", "ROUTE_COMPLETED"]
_DRAIN_SECONDS = 60
_MOST_SHARE = 9.0
"""Requests a second of one organization; 10 are let in."""


def main() -> int:
    """Run and report; 0 when nothing failed."""
    asked = _read_arguments()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="roundsman-load-")))
        url = asked.database
        if url == "postgresql":
            url = new_database(stack.enter_context(database_server(url)))
        counter = Counter()
        port = stack.enter_context(receiving(counter))
        keys = _make_keys(folder, url, asked.organizations + asked.days)
        environment = {
            "ROUNDSMAN_DATA": str(folder),
            "ROUNDSMAN_DATABASE_URL": url,
            "ROUNDSMAN_WORKERS": str(asked.processes),
            "ROUNDSMAN_WEBHOOK_ALLOW": "127.0.0.0/8",
        }
        serve = ("-m", "roundsman", "serve", "--port", "0")
        address, pid = stack.enter_context(process(*serve, ready="listening on ", **environment))
        playing, simulated = keys[: asked.organizations], keys[asked.organizations :]
        organizations = [_open(address, key, port, n) for n, key in enumerate(playing)]
        for number, key in enumerate(simulated, start=asked.organizations):
            with httpx.Client(timeout=60) as http:
                _subscribe(http, address, key, port, number)
        play = Play(
            address=address,
            organizations=organizations,
            rate=asked.rate,
            seconds=60 * asked.minutes,
        )
        memory = Memory()
        slugs = [key.organization for key in simulated]
        days = stack.enter_context(SimulatedDays(slugs, environment, play.seconds, SizeOfDay()))
        with memory.of(pid), asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
            runner.run(play.run())
        days.finish()
        undelivered = _wait_for_deliveries(Settings(data=folder, database_url=url))
        return _report(asked, play, memory, days, (counter.count, undelivered))


def _read_arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.load", description=__doc__)
    parser.add_argument("--rate", type=float, default=30, help="requests a second, in all")
    parser.add_argument("--minutes", type=float, default=1)
    parser.add_argument("--organizations", type=int, default=20)
    parser.add_argument("--database", default="", help="postgresql, or an address; SQLite if none")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--days", type=int, default=0, help="simulated days beside the requests")
    asked = parser.parse_args()
    if asked.rate / asked.organizations > _MOST_SHARE:
        parser.error(f"--organizations must be {asked.rate / _MOST_SHARE:.0f} or more at this rate")
    return asked


@dataclass(frozen=True)
class _Key:
    """What an organization's program signs in with."""

    organization: str
    client_id: str
    client_secret: str


def _make_keys(folder: Path, url: str, count: int) -> list[_Key]:
    settings = Settings(data=folder, database_url=url)
    database = open_database(settings)
    registrar = make_registrar(make_tools(settings, database))
    keys = []
    for number in range(count):
        organization = create_organization(registrar, f"Load {number}", "UTC")
        made = create_credentials(registrar, organization.id, "load@example.com")
        keys.append(_Key(organization.id, made.client_id, made.client_secret))
    database.close()
    return keys


def _post(http: httpx.Client, url: str, body: Any) -> Any:
    return http.post(url, json=body).raise_for_status().json()


def _subscribe(http: httpx.Client, address: str, key: _Key, port: int, number: int) -> str:
    """Sign in and have events sent to the receiver; return the access token."""
    secret = {"clientId": key.client_id, "clientSecret": key.client_secret}
    token: str = _post(http, f"{address}{BASE}/authenticate", secret)["accessToken"]
    http.headers["Authorization"] = f"Bearer {token}"
    hook = {"url": f"http://127.0.0.1:{port}/{number}", "topics": _TOPICS}
    _post(http, f"{address}{BASE}/webhooks", hook)
    return token


def _open(address: str, key: _Key, port: int, number: int) -> Organization:
    """Set up what a day needs: a vehicle, a driver with a device, a subscription."""
    with httpx.Client(timeout=60) as http:
        token = _subscribe(http, address, key, port, number)
        vehicle = _post(http, f"{address}{BASE}/vehicles", {"name": "Van"})
        made = _post(http, f"{address}{BASE}/drivers", {"firstName": "Dana"})
        invite = made["inviteUrl"].replace("/driver/invite/", "/driver/api/invites/")
        device = _post(http, invite, {"device": "phone"})
    return Organization(
        token=token,
        driver_token=device["token"],
        driver_id=made["driver"]["id"],
        vehicle_id=vehicle["id"],
        draw=random.Random(number),  # noqa: S311 -- repeats itself on purpose
    )


def _wait_for_deliveries(settings: Settings) -> int:
    """Wait until every event is delivered; return how many are not."""
    database = Database(settings.database())
    deadline = time.monotonic() + _DRAIN_SECONDS
    while True:
        with database.reading() as tx:
            query = "SELECT count(*) FROM outbox WHERE state <> 'DELIVERED'"
            left = int(tx.exec_driver_sql(query).scalar_one())
        if left == 0 or time.monotonic() > deadline:
            database.close()
            return left
        time.sleep(0.5)


def _report(
    asked: argparse.Namespace,
    play: Play,
    memory: Memory,
    days: SimulatedDays,
    events: tuple[int, int],
) -> int:
    received, undelivered = events
    figures = play.figures
    where = "PostgreSQL" if asked.database else "SQLite"
    print(
        f"{where}, {asked.processes} process(es), {asked.organizations} organizations:"
        f" {figures.answered / play.took:.1f} answers/s of {asked.rate:g},"
        f" done after {play.took / 60:.1f} of {asked.minutes:g} min,"
        f" {figures.sent_late} sent late"
    )
    for line in (*figures.table(), *memory.lines(), *days.lines()):
        print(line)
    print(f"events: {received} received, {undelivered} not delivered")
    for what, count in figures.errors.most_common():
        print(f"error: {count} x {what}")
    print(f"errors: {figures.errors.total() + len(days.errors)}")
    return int(bool(figures.errors or days.errors) or undelivered > 0)


if __name__ == "__main__":
    sys.exit(main())
