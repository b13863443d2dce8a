"""Plans a whole day over HTTP on real roads: `python -m bench.plans EXTRACT.osm.pbf`.

    python -m bench.plans heidelberg.osm.pbf --stops 5000 --vehicles 200 --effort QUICK

Imports the map into a folder that goes away, serves it, imports the stops, asks for a plan, follows
its progress to the end, applies it and prints what each step took, how often progress was told, and
how much memory the service and its road engine had at most.
"""

import argparse
import itertools
import random
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np

from bench.real_roads import Client, engine_on, roundsman, serving
from roundsman.domain.address import Coordinates
from roundsman.roads.engine_roads import EngineRoads
from roundsman.roads.extract import read_road_points
from roundsman.roads.installed_maps import InstalledMap, list_maps
from roundsman.roads.network import TravelProfile

_BATCH = 200
_PROBES = 40
_SHIFT = {"start": "2030-07-01T06:00:00Z", "end": "2030-07-01T14:00:00Z"}
_DAY = {"year": 2030, "month": 7, "day": 1}
_ITEMS_A_VAN = 30
_WINDOWED = 0.3


def draw_places(installed: InstalledMap, count: int) -> list[Coordinates]:
    """Return points of the roads that can be reached from most of some others, and back."""
    draw = random.Random(1)  # noqa: S311 -- repeats itself on purpose
    nodes = read_road_points(installed.graph)
    chosen = draw.sample(range(len(nodes)), min(len(nodes), count + count // 5))
    points = [
        Coordinates(latitude=float(lat), longitude=float(lon))
        for lon, lat in (nodes[one] / 1e6 for one in chosen)
    ]
    probes = points[:_PROBES]
    with engine_on(installed) as (engine, _):
        roads = EngineRoads(engine)
        out = roads.matrix(probes, points, TravelProfile()).estimated.sum(axis=0)
        back = roads.matrix(points, probes, TravelProfile()).estimated.sum(axis=1)
    return [points[one] for one in np.argsort(out + back, kind="stable")[:count].tolist()]


def draw_stops(places: list[Coordinates]) -> list[dict[str, Any]]:
    """Return bodies of imported stops, a third with a window of two hours."""
    draw = random.Random(2)  # noqa: S311 -- the same each time
    stops = []
    for number, place in enumerate(places):
        stop: dict[str, Any] = {
            "clientStopId": f"order-{number}",
            "coordinates": {"latitude": place.latitude, "longitude": place.longitude},
            "items": [{"name": "Box", "quantity": 1}],
            "duration": f"{draw.randrange(120, 301)}s",
            "deliveryDate": _DAY,
        }
        if draw.random() < _WINDOWED:
            opens = draw.choice((8, 10, 12, 14))
            stop["timeWindows"] = [{"start": {"hours": opens}, "end": {"hours": opens + 2}}]
        stops.append(stop)
    return stops


def measure(asked: argparse.Namespace) -> None:
    """Print what each step takes."""
    with tempfile.TemporaryDirectory() as folder:
        data = Path(folder)
        roundsman(data, "map", "import", str(asked.extract), "--name", "bench")
        (installed,) = list_maps(data / "maps")
        places = draw_places(installed, asked.stops + 1)
        with serving(data) as (address, pid):
            _plan(Client(data, address), asked, places, pid)


def _plan(client: Client, asked: argparse.Namespace, places: list[Coordinates], pid: int) -> None:
    depot, *others = places
    stops = draw_stops(others)
    began = time.perf_counter()
    for first in range(0, len(stops), _BATCH):
        client.send("POST", "/stops/imports", stops[first : first + _BATCH])
    _say(f"{len(stops)} stops imported", began)
    before = _peaks(pid)
    plan = _search(client, _draft(asked, depot), pid)
    named = {"vehiclesUsed", "unassigned", "cost", "seconds", "moves", "estimated"}
    print({name: plan["statistics"].get(name) for name in sorted(named)})
    began = time.perf_counter()
    applied = client.send("POST", f"/plans/{plan['id']}/apply", {}).body
    _say(f"{len(applied['routes'])} routes made", began)
    for one, (name, most) in _peaks(pid).items():
        was = f"{before[one][1]} MB before, " if one in before else ""
        print(f"{name}: {was}{most} MB at most")


def _draft(asked: argparse.Namespace, depot: Coordinates) -> dict[str, Any]:
    home = {"coordinates": {"latitude": depot.latitude, "longitude": depot.longitude}}
    van = {"id": "van", "count": asked.vehicles, "start": home, "end": home, "shift": _SHIFT}
    costs = {"fixed": 60, "perHour": 25}
    return {
        "stopFilter": {"deliveryDate": "2030-07-01"},
        "vehicles": [van | {"capacities": {"items": _ITEMS_A_VAN}, "costs": costs}],
        "options": {"effort": asked.effort, "maxSeconds": asked.seconds},
    }


def _search(client: Client, draft: dict[str, Any], pid: int) -> Any:
    """Ask for a plan and follow it to its end; return it."""
    began = time.perf_counter()
    plan = client.send("POST", "/plans", draft).body
    _say("queued", began)
    told: list[tuple[float, Any]] = []
    peaks: dict[str, int] = {}
    while plan["status"] in {"QUEUED", "RUNNING"}:
        plan = client.send("GET", f"/plans/{plan['id']}?query.wait=1", None).body
        if plan["progress"] != (told[-1][1] if told else None):
            told.append((time.perf_counter() - began, plan["progress"]))
        peaks[plan["progress"]["phase"]] = _peaks(pid)[pid][1]
    _say(f"{plan['status']} by {plan['statistics']['stoppedBy']}", began)
    gaps = [
        (after - before, progress["phase"])
        for (before, progress), (after, _) in itertools.pairwise(told)
    ]
    longest, phase = max(gaps)
    print(f"progress told {len(told)} times, at most {longest:.1f} s apart, in {phase}")
    for phase in dict.fromkeys(progress["phase"] for _, progress in told):
        first = next(after for after, progress in told if progress["phase"] == phase)
        print(f"  {phase} from {first:.1f} s on, {peaks[phase]} MB at most by its end")
    return plan


def _say(what: str, began: float) -> None:
    print(f"{what}: {time.perf_counter() - began:.1f} s", flush=True)


def _peaks(pid: int) -> dict[int, tuple[str, int]]:
    """Return name and most megabytes so far of each process of a service."""
    lists = Path(f"/proc/{pid}/task").glob("*/children")
    peaks: dict[int, tuple[str, int]] = {}
    for one in [pid, *(int(child) for own in lists for child in own.read_text().split())]:
        lines = Path(f"/proc/{one}/status").read_text().splitlines()
        status = dict(line.split(":", 1) for line in lines)
        peaks[one] = status["Name"].strip(), int(status["VmHWM"].split()[0]) // 1024
    return peaks


def main() -> None:
    """Measure one day."""
    parser = argparse.ArgumentParser(prog="bench.plans", description=__doc__)
    parser.add_argument("extract", type=Path)
    parser.add_argument("--stops", type=int, default=1_000)
    parser.add_argument("--vehicles", type=int, default=40)
    parser.add_argument("--effort", default="NORMAL")
    parser.add_argument("--seconds", type=int, default=600)
    measure(parser.parse_args())
    sys.stdout.flush()


if __name__ == "__main__":
    main()
