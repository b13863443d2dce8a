"""Print what drivers who tell where they are cost beside planners who edit their routes.

python -m bench.drivers [--drivers 200] [--minutes 2] [--planners 4] [--database postgresql]

Every driver sends a position each five seconds by HTTP, and planners change the notes of the same
routes. Conflicts are answers that neither side should get: 409, 412, 429 or a 5xx. Exits 1 when
there is one.
"""

import argparse
import asyncio
import itertools
import os
import random
import sys
import tempfile
import time
import uuid
from collections import Counter
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import aiohttp

from bench.databases import database_server, new_database
from bench.installation import list_family, process
from bench.streams import make_keys, sign_in

BASE = "/api/2024-07"
_EVERY_SECONDS = 5.0
_STOPS = 10
_CLIENTS = 24
"""An API client may ask ten times a second; making 200 routes takes more."""


@dataclass
class Van:
    """A driver on a route."""

    device: dict[str, str]
    route_id: str
    sequence: int = 1
    answers: Counter[int] = field(default_factory=Counter)

    async def act(self, session: aiohttp.ClientSession, kind: str, **more: Any) -> None:
        """Submit one action."""
        action = {
            "id": str(uuid.uuid4()),  # noqa: TID251 -- a device draws its own
            "kind": kind,
            "sequence": self.sequence,
            "at": datetime.now(UTC).isoformat(),  # noqa: TID251 -- a device's own clock
            "routeId": self.route_id,
            **more,
        }
        self.sequence += 1
        async with session.post(
            "/driver/api/actions", headers=self.device, json={"actions": [action]}
        ) as answer:
            self.answers[answer.status] += 1
            await answer.read()


async def make_van(
    session: aiohttp.ClientSession, address: str, planner: dict[str, str], number: int
) -> Van:
    """Make a driver with a device on a route that is under way."""

    async def post(path: str, body: Any, headers: dict[str, str] | None = None) -> Any:
        async with session.post(path, json=body, headers=headers) as answer:
            answer.raise_for_status()
            return await answer.json()

    made = await post(f"{BASE}/drivers", {"firstName": f"Dana {number}"}, planner)
    invite = made["inviteUrl"].partition("/driver/invite/")[2]
    device = await take_up(address, invite, number)
    near = [
        {"coordinates": {"latitude": 39.29 + number / 2000, "longitude": -76.61 + k / 500}}
        for k in range(_STOPS)
    ]
    stops = (await post(f"{BASE}/stops/imports", near, planner))["stops"]
    start = {"coordinates": near[0]["coordinates"], "tasks": []}
    body = {"start": start, "driverId": made["driver"]["id"]}
    route = await post(f"{BASE}/routes", body, planner)
    path = f"{BASE}/routes/{route['id']}"
    await post(f"{path}/stops", [{"importedStopId": one["id"]} for one in stops], planner)
    await post(f"{path}/dispatch", {}, planner)
    van = Van(device={"Authorization": f"Bearer {device['token']}"}, route_id=route["id"])
    await van.act(session, "ROUTE_STARTED")
    return van


async def take_up(address: str, invite: str, number: int) -> Any:
    """Sign a device up from a network of its own, as who signs up is limited by network."""
    own = aiohttp.TCPConnector(local_addr=(f"127.{1 + number // 250}.{number % 250}.1", 0))
    async with aiohttp.ClientSession(address, connector=own) as session:
        path = f"/driver/api/invites/{invite}"
        async with session.post(path, json={"device": "phone"}) as answer:
            answer.raise_for_status()
            return await answer.json()


async def drive(session: aiohttp.ClientSession, van: Van, until: float) -> None:
    """Say where the van is each five seconds."""
    begun = time.perf_counter() + random.random() * _EVERY_SECONDS  # noqa: S311 -- a load
    for number in itertools.count():
        moment = begun + number * _EVERY_SECONDS
        if moment > until:
            return
        await asyncio.sleep(max(0.0, moment - time.perf_counter()))
        here = {"latitude": 39.29 + number / 10_000, "longitude": -76.61}
        await van.act(session, "POSITION", position=here)


async def edit(
    session: aiohttp.ClientSession, planner: dict[str, str], vans: list[Van], until: float
) -> Counter[int]:
    """Change the note of a route twice a second."""
    answers: Counter[int] = Counter()
    for number in itertools.count():
        if time.perf_counter() > until:
            return answers
        van = vans[number * 7 % len(vans)]
        body = {"route": {"note": f"call first {number}"}, "updateMask": "note"}
        async with session.patch(
            f"{BASE}/routes/{van.route_id}", headers=planner, json=body
        ) as answer:
            answers[answer.status] += 1
            await answer.read()
        await asyncio.sleep(0.5)
    return answers


async def run(address: str, keys: list[Any], asked: argparse.Namespace, pid: int) -> bool:
    """Make the vans, let them drive beside planners, and print the figures."""
    async with aiohttp.ClientSession(address) as session:
        planners = [await sign_in(session, key) for key in keys]
        vans = [
            await make_van(session, address, planners[number % len(planners)], number)
            for number in range(asked.drivers)
        ]
        quiet = await measure(pid, [edit_for(session, planners, vans, asked)])
        for van in vans:
            van.answers.clear()
        until = time.perf_counter() + 60 * asked.minutes
        driving = [drive(session, van, until) for van in vans]
        busy = await measure(pid, [edit_for(session, planners, vans, asked), *driving])
    sent = sum((van.answers for van in vans), Counter[int]())
    print(f"{asked.database}: {asked.drivers} drivers, answers to positions {dict(sent)}")
    print(f"planners alone {dict(quiet[1])}, beside drivers {dict(busy[1])}")
    seconds = 60 * asked.minutes
    print(
        f"processor: planners alone {quiet[0] / seconds:.1%} of a core, with drivers "
        f"{busy[0] / seconds:.1%}; {(busy[0] - quiet[0]) / sent.total() * 1000:.2f} ms a position"
    )
    return set(sent) == {200} and set(busy[1]) == {200}


async def edit_for(
    session: aiohttp.ClientSession,
    planners: list[dict[str, str]],
    vans: list[Van],
    asked: argparse.Namespace,
) -> Counter[int]:
    """Have every planner edit for as long as is measured."""
    until = time.perf_counter() + 60 * asked.minutes
    edited = await asyncio.gather(
        *(edit(session, planner, vans, until) for planner in planners[: asked.planners])
    )
    return sum(edited, Counter[int]())


async def measure(pid: int, work: list[Any]) -> tuple[float, Counter[int]]:
    """Return the processor seconds of the server meanwhile, and what the first work returns."""
    before = processor_seconds(pid)
    done = await asyncio.gather(*work)
    return processor_seconds(pid) - before, done[0]


def processor_seconds(pid: int) -> float:
    """Return the processor seconds of a process and its children so far."""
    ticks = 0
    for one in list_family(pid):
        fields = Path(f"/proc/{one}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def main() -> int:
    """Serve, drive and edit; 0 without a conflict."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--database", default="sqlite", choices=("sqlite", "postgresql"))
    parser.add_argument("--drivers", type=int, default=200)
    parser.add_argument("--planners", type=int, default=4)
    parser.add_argument("--minutes", type=float, default=2.0)
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="roundsman-drivers-")))
        url = new_database(stack.enter_context(database_server(asked.database)))
        keys = make_keys(folder, url, _CLIENTS)
        environment = {"ROUNDSMAN_DATA": str(folder), "ROUNDSMAN_DATABASE_URL": url}
        serve = ("-m", "roundsman", "serve", "--port", "0")
        address, pid = stack.enter_context(process(*serve, ready="listening on ", **environment))
        return 0 if asyncio.run(run(address, keys, asked, pid)) else 1


if __name__ == "__main__":
    sys.exit(main())
