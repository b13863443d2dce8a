"""What real roads cost: `python -m bench.real_roads EXTRACT.osm.pbf`, on one machine in one run.

Imports the extract into a folder that goes away, serves it, and prints: a table of 200 by 200 over
our adapter beside the same table asked of `osrm-routed` directly; reoptimizing 200 stops over HTTP;
and what clients saw while the engine was killed in the middle of a run of reoptimizes.
"""

import json
import os
import random
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from roundsman.domain.address import Coordinates
from roundsman.kit.http import HttpClient, HttpLimits
from roundsman.roads.engine_process import TABLE_POINTS, EngineProcess
from roundsman.roads.engine_roads import EngineRoads
from roundsman.roads.extract import read_road_points
from roundsman.roads.installed_maps import InstalledMap, list_maps
from roundsman.roads.network import TravelProfile
from roundsman.roads.osrm import OsrmEngine

STOPS = 200
ROUNDS = 9
KILL_RUNS = 30


def main() -> None:
    """Print the figures."""
    extract = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        began = time.perf_counter()
        roundsman(data, "map", "import", str(extract), "--name", "bench")
        print(f"import of {extract.name}: {time.perf_counter() - began:.1f} s")
        (installed,) = list_maps(data / "maps")
        points = connected_points(installed)
        compare_tables(installed, points)
        with serving(data) as (address, pid):
            client = Client(data, address)
            reoptimize_alone(client, points, pid)
            reoptimize_while_killed(client, points, pid)


def connected_points(installed: InstalledMap) -> list[Coordinates]:
    """Return points of the graph that most others can be reached from."""
    draw = random.Random(1)  # noqa: S311 -- repeats itself on purpose
    nodes = read_road_points(installed.graph)
    drawn = [nodes[draw.randrange(len(nodes))] / 1e6 for _ in range(2 * STOPS)]
    points = [Coordinates(latitude=float(lat), longitude=float(lon)) for lon, lat in drawn]
    with engine_on(installed) as (engine, _):
        matrix = EngineRoads(engine).matrix(points, points, TravelProfile())
    lost = matrix.estimated.sum(axis=0) + matrix.estimated.sum(axis=1)
    return [points[position] for position in np.argsort(lost)[:STOPS].tolist()]


def compare_tables(installed: InstalledMap, points: list[Coordinates]) -> None:
    """Ask for the same table in turns, directly and over the adapter, nothing cached."""
    with engine_on(installed) as (engine, address):
        positions = ";".join(f"{one.longitude:.6f},{one.latitude:.6f}" for one in points)
        url = f"{address}/table/v1/driving/{positions}?annotations=duration,distance"
        direct, adapted = [], []
        for _ in range(ROUNDS):
            began = time.perf_counter()
            with urllib.request.urlopen(url) as answer:  # noqa: S310 -- loopback
                json.load(answer)
            direct.append(time.perf_counter() - began)
            roads = EngineRoads(engine)
            began = time.perf_counter()
            matrix = roads.matrix(points, points, TravelProfile())
            adapted.append(time.perf_counter() - began)
    one, other = statistics.median(direct), statistics.median(adapted)
    print(
        f"table {STOPS}x{STOPS}: osrm-routed {1000 * one:.0f} ms, adapter {1000 * other:.0f} ms, "
        f"ratio {other / one:.2f}, estimated {matrix.estimated.mean():.1%}"
    )


def reoptimize_alone(client: "Client", points: list[Coordinates], server: int) -> None:
    """Time the whole request, on routes that no cache has seen, and again on the same stops.

    The processor's time is that of the service and of its engine: what the wall clock would show
    on a machine that does nothing else.
    """
    fresh, again, worked = [], [], []
    for number in range(3):
        moved = [
            Coordinates(latitude=one.latitude + 1e-5 * number, longitude=one.longitude)
            for one in points
        ]
        route = client.make_route(moved)
        before = processor_seconds(server)
        fresh.append(client.reoptimize(route).seconds)
        worked.append(processor_seconds(server) - before)
        client.outdate(route)
        answer = client.reoptimize(route)
        again.append(answer.seconds)
    print(
        f"reoptimize of {STOPS} stops over HTTP: {statistics.median(fresh):.2f} s "
        f"({statistics.median(worked):.2f} s of processor time), "
        f"with the table known {statistics.median(again):.2f} s, "
        f"estimated: {answer.estimated}"
    )


def reoptimize_while_killed(client: "Client", points: list[Coordinates], server: int) -> None:
    """Kill the engine a third into a run; every request must be answered all the same."""
    route = client.make_route(points[:60])
    answers, killed, back = [], 0.0, 0.0
    for number in range(KILL_RUNS):
        if number == KILL_RUNS // 3:
            os.kill(engine_pid(server), signal.SIGKILL)
            killed = time.perf_counter()
        answer = client.drive_anew(route, number)
        answers.append(answer)
        if killed and not back and not answer.estimated:
            back = time.perf_counter()
    print(
        f"kill -9 of the engine during {KILL_RUNS} reoptimizes: "
        f"{sum(one.status == 200 for one in answers)} answered with 200, "
        f"{sum(one.estimated for one in answers)} on estimates, "
        f"real roads again after {back - killed:.1f} s, "
        f"slowest {max(one.seconds for one in answers):.2f} s"
    )


class Answer:
    """What came back, and how long it took."""

    def __init__(self, status: int, body: Any, seconds: float, *, estimated: bool) -> None:
        self.status, self.body, self.seconds = status, body, seconds
        self.estimated = estimated


class Client:
    """An API client of a new organization."""

    def __init__(self, data: Path, address: str) -> None:
        self._api = f"{address}/api/2024-07"
        slug = roundsman(data, "organization", "create", "Bench")["organization"]
        email = ("--email", "bench@example.com")
        key = roundsman(data, "credentials", "create", "--organization", slug, *email)
        sign_in = {"clientId": key["clientId"], "clientSecret": key["clientSecret"]}
        self._token = ""
        self._token = self.send("POST", "/authenticate", sign_in).body["accessToken"]

    def make_route(self, points: list[Coordinates]) -> str:
        """Return the id of a new route over these stops."""
        stops = [
            {"coordinates": {"latitude": one.latitude, "longitude": one.longitude}}
            for one in points
        ]
        imported = self.send("POST", "/stops/imports", stops).body["stops"]
        start = {"start": stops[0], "scheduledFor": "2024-07-02T08:00:00Z"}
        route: str = self.send("POST", "/routes", start).body["id"]
        ids = [{"importedStopId": stop["id"]} for stop in imported]
        self.send("POST", f"/routes/{route}/stops", ids)
        return route

    def reoptimize(self, route: str) -> Answer:
        """Order the stops."""
        return self.send("POST", f"/routes/{route}/reoptimize", {})

    def outdate(self, route: str, speed: float = 1.5) -> None:
        """Change something that the order depends on."""
        body = {"route": {"speedFactor": speed}, "updateMask": "speedFactor"}
        self.send("PATCH", f"/routes/{route}", body)

    def drive_anew(self, route: str, number: int) -> Answer:
        """Order the stops of a route from another start, so that no table is known."""
        start = {"latitude": 39.285 + number * 1e-5, "longitude": -76.600}
        body = {"location": {"coordinates": start}, "updateMask": "coordinates"}
        self.send("PATCH", f"/routes/{route}/start/location", body)
        self.outdate(route, 1 + number / 100)
        return self.reoptimize(route)

    def send(self, method: str, path: str, body: Any) -> Answer:
        """Send a request and read the whole answer."""
        request = urllib.request.Request(  # noqa: S310 -- loopback
            self._api + path, json.dumps(body).encode(), method=method
        )
        request.add_header("Content-Type", "application/json")
        request.add_header("Authorization", f"Bearer {self._token}")
        began = time.perf_counter()
        try:
            with urllib.request.urlopen(request, timeout=60) as response:  # noqa: S310 -- as above
                status, headers, text = response.status, response.headers, response.read()
        except urllib.error.HTTPError as error:
            status, headers, text = error.code, error.headers, error.read()
        seconds = time.perf_counter() - began
        if status != 200:
            print(f"{method} {path} answered {status}: {text[:200]!r}")
        estimated = headers.get("Roundsman-Estimated") == "true"
        return Answer(status, json.loads(text), seconds, estimated=estimated)


def processor_seconds(server: int) -> float:
    """Return what the service and its engine have worked so far."""
    ticks = 0
    for pid in (server, engine_pid(server)):
        numbers = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()
        ticks += int(numbers[11]) + int(numbers[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def engine_pid(server: int) -> int:
    """Return the server's child process."""
    children = Path(f"/proc/{server}/task").glob("*/children")
    pids = [pid for file in children for pid in file.read_text().split()]
    return next(int(p) for p in pids if "osrm-routed" in Path(f"/proc/{p}/comm").read_text())


@contextmanager
def engine_on(installed: InstalledMap) -> Iterator[tuple[OsrmEngine, str]]:
    """Run an engine on a map."""
    http = HttpClient("bench", HttpLimits(max_bytes=1 << 28))
    process = EngineProcess(installed.graph)
    try:
        while not process.answers(http):
            time.sleep(0.05)
        version = installed.manifest.version
        engine = OsrmEngine(
            http, lambda: process.address, version=version, table_points=TABLE_POINTS
        )
        yield engine, process.address
    finally:
        process.stop()


@contextmanager
def serving(data: Path) -> Iterator[tuple[str, int]]:
    """Run the service; give its address and process id."""
    command = [sys.executable, "-m", "roundsman", "serve", "--port", "0", "--data", str(data)]
    process = subprocess.Popen(  # noqa: S603 -- our own command
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        line = next(line for line in process.stdout if line.startswith("listening on"))
        found = re.search(r"http\S+", line)
        assert found is not None
        yield found[0], process.pid
    finally:
        process.terminate()
        process.wait(60)


def roundsman(data: Path, *arguments: str) -> Any:
    """Run a command; return the JSON it prints."""
    command = [sys.executable, "-m", "roundsman", *arguments, "--data", str(data), "--json"]
    done = subprocess.run(command, check=True, capture_output=True)  # noqa: S603 -- our own
    return json.loads(done.stdout)


if __name__ == "__main__":
    main()
