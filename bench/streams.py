"""Print how soon followers are told of changes, whether any is lost, and what streams cost.

python -m bench.streams [--database postgresql] [--processes 3] [--changes 2000]
                        [--followers 10] [--disconnects 100] [--open 500]

Clients change an organization by HTTP while half of the followers, on any of the processes, lose
their connection at random and go on from the last id. Then many more streams are opened on which
nothing is sent.
Exits 1 when a follower misses a change, sees one twice or sees another order than the others.
"""

import argparse
import asyncio
import itertools
import json
import random
import sys
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import aiohttp

from bench.databases import database_server, new_database
from bench.installation import list_family, process, resident_megabytes
from roundsman.installation import make_registrar, make_tools, open_database
from roundsman.operations.api_clients import Credentials, create_credentials
from roundsman.operations.organizations import create_organization
from roundsman.settings import Settings

BASE = "/api/2024-07"
_STREAMS_EACH = 20
"""So many may one API client have open in a process (decisions §14)."""

_CHANGES_A_SECOND_EACH = 8.0
_CHANGERS = 8
_PATIENCE_SECONDS = 60


@dataclass
class Follower:
    """Follows the changes of an organization and remembers what it was told, and when."""

    seen: list[str] = field(default_factory=list)
    at: dict[str, float] = field(default_factory=dict)
    last_id: str = ""
    reconnects: int = 0
    has_begun: asyncio.Event = field(default_factory=asyncio.Event)

    async def follow(
        self, session: aiohttp.ClientSession, headers: dict[str, str], leave_after: list[float]
    ) -> None:
        """Follow for good, leaving after so many seconds and coming back each time."""
        while True:
            seconds = leave_after.pop() if leave_after else None
            try:
                async with asyncio.timeout(seconds):
                    await self._follow_once(session, headers)
            except TimeoutError:
                self.reconnects += 1

    async def _follow_once(self, session: aiohttp.ClientSession, headers: dict[str, str]) -> None:
        resumed = {"Last-Event-ID": self.last_id} if self.last_id else {}
        async with session.get(f"{BASE}/changes", headers={**headers, **resumed}) as answer:
            answer.raise_for_status()
            self.has_begun.set()
            async for event in events_of(answer):
                if event.get("event") == "change":
                    changed = json.loads(event["data"])["id"]
                    self.seen.append(changed)
                    self.at.setdefault(changed, time.perf_counter())
                    self.last_id = event["id"]


async def events_of(answer: aiohttp.ClientResponse) -> AsyncIterator[dict[str, str]]:
    """Yield the events of a stream, comments left out."""
    event: dict[str, str] = {}
    async for line in answer.content:
        name, _, value = line.decode().rstrip("\n").partition(": ")
        if name:
            event[name] = value
        elif event:
            yield event
            event = {}


async def sign_in(session: aiohttp.ClientSession, key: Credentials) -> dict[str, str]:
    """Return the headers of a signed-in client."""
    body = {"clientId": key.client_id, "clientSecret": key.client_secret}
    async with session.post(f"{BASE}/authenticate", json=body) as answer:
        answer.raise_for_status()
        return {"Authorization": f"Bearer {(await answer.json())['accessToken']}"}


async def change(
    session: aiohttp.ClientSession, headers: dict[str, str], made: dict[str, float], left: list[int]
) -> None:
    """Make vehicles at a steady rate until none is left, and remember when each was answered."""
    begun = time.perf_counter()
    for number in itertools.count():
        if not left:
            return
        left.pop()
        await asyncio.sleep(max(0.0, begun + number / _CHANGES_A_SECOND_EACH - time.perf_counter()))
        async with session.post(
            f"{BASE}/vehicles", headers=headers, json={"name": "Van"}
        ) as answer:
            answer.raise_for_status()
            made[(await answer.json())["id"]] = time.perf_counter()


async def storm(address: str, keys: list[Credentials], asked: argparse.Namespace) -> bool:
    """Change and follow; print the figures, and say whether every follower saw all in one order."""
    draw = random.Random(0)  # noqa: S311 -- repeats itself on purpose
    seconds = asked.changes / (_CHANGERS * _CHANGES_A_SECOND_EACH)
    leaving: list[list[float]] = [[] for _ in range(asked.followers)]
    unsteady = leaving[len(leaving) // 2 :]
    for number in range(asked.disconnects):
        share = seconds * len(unsteady) / asked.disconnects
        unsteady[number % len(unsteady)].append(draw.uniform(0.2, 1.8) * share)
    connector = aiohttp.TCPConnector(limit=0)
    unlimited = aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(address, connector=connector, timeout=unlimited) as session:
        headers = [await sign_in(session, key) for key in keys[:_CHANGERS]]
        followers = [Follower() for _ in leaving]
        tasks = [
            asyncio.create_task(one.follow(session, headers[k % _CHANGERS], leaving[k]))
            for k, one in enumerate(followers)
        ]
        await asyncio.gather(*(one.has_begun.wait() for one in followers))
        made: dict[str, float] = {}
        left = list(range(asked.changes))
        await asyncio.gather(*(change(session, one, made, left) for one in headers))
        begun = time.perf_counter()
        while any(len(one.seen) < len(made) for one in followers):
            if time.perf_counter() - begun > _PATIENCE_SECONDS:
                break
            await asyncio.sleep(0.1)
        await asyncio.sleep(2)  # whatever would come twice has come by then
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
    return report(followers, made)


def report(followers: list[Follower], made: dict[str, float]) -> bool:
    """Print what followers saw; say whether it was everything, once, in one order."""
    first = followers[0].seen
    lost = sum(len(set(made) - set(one.seen)) for one in followers)
    doubled = sum(len(one.seen) - len(set(one.seen)) for one in followers)
    in_order = all(one.seen == first for one in followers)
    steady = [one for one in followers if not one.reconnects] or followers
    delays = sorted(one.at[id_] - made[id_] for one in steady for id_ in made if id_ in one.at)
    print(
        f"{len(made)} changes, {len(followers)} followers, "
        f"{sum(one.reconnects for one in followers)} disconnects: "
        f"{lost} lost, {doubled} doubled, {'one order' if in_order else 'ORDERS DIFFER'}"
    )
    print(
        f"answer to event (of {len(steady)} followers): p50 {at(delays, 0.5) * 1000:.0f} ms, "
        f"p99 {at(delays, 0.99) * 1000:.0f} ms, most {delays[-1] * 1000:.0f} ms"
    )
    return not lost and not doubled and in_order


def at(values: list[float], share: float) -> float:
    """Return the value below which so large a share lies."""
    return values[min(len(values) - 1, int(share * len(values)))]


async def open_streams(address: str, keys: list[Credentials], count: int, pid: int) -> None:
    """Open so many streams on which nothing comes, and print what they add to the memory."""
    connector = aiohttp.TCPConnector(limit=0)
    unlimited = aiohttp.ClientTimeout(total=None)
    async with aiohttp.ClientSession(address, connector=connector, timeout=unlimited) as session:
        headers = [await sign_in(session, key) for key in keys]
        before = sum(resident_megabytes(one) for one in list_family(pid))
        streams = []
        for number in range(count):
            head = headers[number // _STREAMS_EACH]
            streams.append(await session.get(f"{BASE}/changes", headers=head))
            streams[-1].raise_for_status()
        await asyncio.sleep(16)  # a heartbeat has gone out on each
        after = sum(resident_megabytes(one) for one in list_family(pid))
        print(f"{count} open streams: {before} -> {after} MB in all processes")
        for stream in streams:
            stream.close()


def main() -> int:
    """Serve, follow and change; 0 when nothing was lost."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--database", default="sqlite", choices=("sqlite", "postgresql"))
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--changes", type=int, default=2000)
    parser.add_argument("--followers", type=int, default=10)
    parser.add_argument("--disconnects", type=int, default=100)
    parser.add_argument("--open", type=int, default=500)
    asked = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="roundsman-streams-")))
        url = new_database(stack.enter_context(database_server(asked.database)))
        keys = make_keys(folder, url, max(_CHANGERS, -(-asked.open // _STREAMS_EACH)))
        environment = {
            "ROUNDSMAN_DATA": str(folder),
            "ROUNDSMAN_DATABASE_URL": url,
            "ROUNDSMAN_WORKERS": str(asked.processes),
        }
        serve = ("-m", "roundsman", "serve", "--port", "0")
        address, pid = stack.enter_context(process(*serve, ready="listening on ", **environment))
        print(f"{asked.database}, {asked.processes} processes")
        is_whole = asyncio.run(storm(address, keys, asked))
        if asked.open:
            asyncio.run(open_streams(address, keys, asked.open, pid))
    return 0 if is_whole else 1


def make_keys(folder: Path, url: str, count: int) -> list[Credentials]:
    """Make an organization with so many API clients."""
    settings = Settings(data=folder, database_url=url)
    database = open_database(settings)
    registrar = make_registrar(make_tools(settings, database))
    organization = create_organization(registrar, "Streams", "UTC")
    keys = [
        create_credentials(registrar, organization.id, f"client{number}@example.com")
        for number in range(count)
    ]
    database.close()
    return keys


if __name__ == "__main__":
    sys.exit(main())
