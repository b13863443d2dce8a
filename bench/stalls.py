"""Print how long the event loop stalls while routes are searched, and how soon the first one is.

`python -m bench.stalls` serves from a process of its own, as `roundsman serve` does, with a meter
that asks every 5 ms how late it is, and how much of that was waiting for a core of a busy machine;
clients in another process keep every search thread busy.
"""

import argparse
import asyncio
import contextlib
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx2 as httpx
import uvicorn

from roundsman.api.app import BASE_PATH
from roundsman.app import make_application, warm_up
from roundsman.installation import make_registrar, make_tools, open_database
from roundsman.kit.telemetry import configure_logs
from roundsman.operations.api_clients import create_credentials
from roundsman.operations.organizations import create_organization
from roundsman.settings import Settings

TICK = 0.005
SCHEDULED = "2024-07-02T08:00:00Z"


def waited_for_a_core() -> float:
    """Return how many seconds this thread was ready to run and was not let; 0 where unknown."""
    known = Path("/proc/thread-self/schedstat")
    return int(known.read_text().split()[1]) / 1e9 if known.exists() else 0.0


@dataclass
class Meter:
    """Lateness of the event loop, by what was going on."""

    phase: str = "at rest"
    lags: dict[str, list[tuple[float, float]]] = field(default_factory=lambda: defaultdict(list))

    async def watch(self) -> None:
        """Ask for ever how late the loop is, in all and without waiting for a core."""
        while True:
            asked, queued = time.perf_counter(), waited_for_a_core()
            await asyncio.sleep(TICK)
            lag = time.perf_counter() - asked - TICK
            own = max(0.0, lag - (waited_for_a_core() - queued))
            self.lags[self.phase].append((lag, own))

    @property
    def longest(self) -> float:
        """The longest lag in seconds that was not a wait for a core, whatever went on."""
        return max(own for lags in self.lags.values() for _, own in lags)

    def report(self) -> None:
        """Print a row a phase."""
        figures = "".join(f"{name:>8}" for name in ("median", "99 %", "most"))
        print(
            f"{'event loop, ms late':<42}{figures} | {'cores apart':<13}{figures[8:]}{'asked':>8}"
        )
        for phase, lags in self.lags.items():
            whole, own = (sorted(lag[kind] * 1000 for lag in lags) for kind in (0, 1))
            rows = [
                "".join(
                    f"{value:8.1f}"
                    for value in (statistics.median(at), at[int(len(at) * 0.99)], at[-1])
                )
                for at in (whole, own)
            ]
            print(f"{phase:<42}{rows[0]} | {rows[1]}  ({len(lags)} times)")


@dataclass
class Client:
    """Talks to a server as an API client."""

    http: httpx.Client

    def post(self, path: str, body: Any = None, *, waits: bool = True) -> Any:
        """Send a request; wait out the rate limit, answer whatever comes."""
        while True:
            answer = self.http.post(path, json=body)
            if answer.status_code != 429 or not waits:
                return answer.json()
            time.sleep(int(answer.headers["Retry-After"]))

    def make_route(self, stops: int, seed: int, **fields: Any) -> str:
        """Make a route with stops scattered around its start."""
        draw = random.Random(seed)  # noqa: S311 -- repeats itself on purpose
        start = {"coordinates": {"latitude": 39.29, "longitude": -76.61}}
        drawn = [
            {
                "coordinates": {
                    "latitude": 39.29 + draw.uniform(-0.2, 0.2),
                    "longitude": -76.61 + draw.uniform(-0.2, 0.2),
                },
                **fields,
            }
            for _ in range(stops)
        ]
        route = self.post("/routes", {"start": start, "scheduledFor": SCHEDULED})["id"]
        for first in range(0, stops, 200):
            made = self.post("/stops/imports", drawn[first : first + 200])["stops"]
            self.post(f"/routes/{route}/stops", [{"importedStopId": one["id"]} for one in made])
        return str(route)

    def reoptimize(self, route: str) -> float:
        """Return how long a search took."""
        begun = time.perf_counter()
        self.post(f"/routes/{route}/reoptimize", {})
        return time.perf_counter() - begun


def signed_in(address: str, client_id: str, secret: str) -> Client:
    """Return a client with a token."""
    http = httpx.Client(base_url=f"{address}{BASE_PATH}", timeout=300)
    token = http.post("/authenticate", json={"clientId": client_id, "clientSecret": secret}).json()
    http.headers["Authorization"] = f"Bearer {token['accessToken']}"
    return Client(http)


def drive(address: str, client_id: str, secret: str, stops: int) -> None:
    """Keep the server busy; each phase is announced on standard output."""
    client = signed_in(address, client_id, secret)
    soon = {"timeWindows": [{"start": {"hours": 8}, "end": {"hours": 8, "minutes": 30}}]}
    print("importing and adding stops", flush=True)
    plain = [client.make_route(stops, seed) for seed in range(4)]
    late = [client.make_route(200, seed, **soon) for seed in range(4)]
    for name, routes in (
        (f"4 searches of {stops} stops, 2 at once", plain),
        ("4 unmeetable searches of 200, explained", late),
    ):
        print(name, flush=True)
        with ThreadPoolExecutor(4) as threads:
            took = list(threads.map(client.reoptimize, routes))
        print(f"# answered after {', '.join(f'{one:.2f}' for one in took)} s", flush=True)
    print("at rest again", flush=True)
    time.sleep(1)


def measure_stalls(stops: int) -> Meter:
    """Serve in this process, with the meter on the same loop; return what it read."""
    configure_logs()
    with tempfile.TemporaryDirectory() as folder:
        settings = Settings(data=Path(folder))
        tools = make_tools(settings, open_database(settings))
        registrar = make_registrar(tools)
        organization = create_organization(registrar, "Bench", "UTC")
        key = create_credentials(registrar, organization.id, "bench@example.com")
        warm_up(tools.geocoder)
        interface = make_application(settings, tools)
        server = uvicorn.Server(
            uvicorn.Config(interface, port=0, log_config=None, access_log=False, lifespan="off")
        )
        meter = Meter()
        asyncio.run(_serve(server, meter, key.client_id, key.client_secret, stops))
        interface.close()
        tools.database.close()
    return meter


async def _serve(
    server: uvicorn.Server, meter: Meter, client_id: str, secret: str, stops: int
) -> None:
    watching = asyncio.create_task(meter.watch())
    serving = asyncio.create_task(server.serve())
    while not server.started:  # noqa: ASYNC110 -- uvicorn has no event to wait for
        await asyncio.sleep(0.05)
    await asyncio.sleep(1)
    host, port = server.servers[0].sockets[0].getsockname()[:2]
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bench.stalls", "--drive", f"http://{host}:{port}"),
        *(f"--client={client_id}", f"--secret={secret}", f"--stops={stops}"),
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdout is not None
    async for line in process.stdout:
        text = line.decode().strip()
        if text.startswith("#"):
            print(text.removeprefix("# "), file=sys.stderr, flush=True)
        else:
            meter.phase = text
    await process.wait()
    watching.cancel()
    server.should_exit = True
    await serving


def measure_first_search() -> None:
    """Start `roundsman serve` on an existing database and reoptimize at once."""
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "roundsman"]
        keyed = _run(
            [*command, "organization", "create", "Bench", "--data", folder, "--json"],
            "organization",
        )
        made = [*command, "credentials", "create", "--organization", keyed["organization"]]
        key = _run([*made, "--email", "b@example.com", "--data", folder, "--json"], "clientId")
        for stops in (100, 200):
            begun = time.perf_counter()
            with _serving(folder) as address:
                ready = time.perf_counter() - begun
                client = signed_in(address, key["clientId"], key["clientSecret"])
                route = client.make_route(stops, 1)
                first = client.reoptimize(route)
                again = client.reoptimize(client.make_route(stops, 2))
            print(
                f"start: ready after {ready:.2f} s; {stops} stops: first reoptimize "
                f"{first:.2f} s, a later one {again:.2f} s"
            )


def _run(command: list[str], field_name: str) -> Any:
    done = subprocess.run(command, check=True, capture_output=True)  # noqa: S603 -- our own command
    answer = httpx.Response(200, content=done.stdout).json()
    assert field_name in answer
    return answer


@contextlib.contextmanager
def _serving(folder: str) -> Any:
    process = subprocess.Popen(  # noqa: S603 -- our own command
        [sys.executable, "-m", "roundsman", "serve", "--port", "0", "--data", folder],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ},
    )
    assert process.stdout is not None
    try:
        line = process.stdout.readline()
        while not line.startswith("listening on "):
            line = process.stdout.readline()
        drain = threading.Thread(target=process.stdout.read, daemon=True)
        drain.start()
        yield line.removeprefix("listening on ").strip()
    finally:
        process.terminate()
        process.wait(60)


def main() -> None:
    """Measure, or drive a server that is being measured."""
    parser = argparse.ArgumentParser(prog="python -m bench.stalls", description=__doc__)
    parser.add_argument("--stops", type=int, default=1000)
    parser.add_argument("--drive", help=argparse.SUPPRESS)
    parser.add_argument("--client", help=argparse.SUPPRESS)
    parser.add_argument("--secret", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.drive:
        drive(arguments.drive, arguments.client, arguments.secret, arguments.stops)
        return
    measure_stalls(arguments.stops).report()
    measure_first_search()


if __name__ == "__main__":
    main()
