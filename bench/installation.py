"""An installation to measure: an organization, many clients signed in, a fleet, routes with stops.

Filled through the operations, so that what is stored is what the service stores.
"""

import json
import os
import random
import select
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from msgspec.json import encode

from bench.past import STOPS_A_ROUTE, add_past
from roundsman.domain.address import Coordinates
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.item import Item
from roundsman.domain.principal import operator
from roundsman.domain.route_draft import RouteDraft, RouteEndDraft
from roundsman.domain.vehicle import VehicleDraft
from roundsman.installation import make_registrar, make_tools, open_database
from roundsman.operations.api_clients import create_credentials, sign_in_client
from roundsman.operations.imported_stops import import_stops
from roundsman.operations.organizations import create_organization
from roundsman.operations.request import Request
from roundsman.operations.route_stops import add_stops
from roundsman.operations.routes import archive_route, create_route
from roundsman.operations.tools import Tools
from roundsman.operations.vehicles import add_vehicle
from roundsman.settings import Settings

DEPOT = Coordinates(latitude=39.29, longitude=-76.61)


@dataclass(frozen=True, kw_only=True)
class Installation:
    """What a measurement asks for."""

    tokens: list[str]
    vehicle_id: str
    long_route_id: str


def fill(
    settings: Settings, *, clients: int, stored_stops: int, stored_routes: int
) -> Installation:
    """Make the installation; `stored_*` say how many rows lie there beside the ones asked for."""
    database = open_database(settings)
    tools = make_tools(settings, database)
    registrar = make_registrar(tools)
    organization = create_organization(registrar, "Bench Goods", "UTC").id
    request = Request(principal=operator(organization, "a@b.example"))
    tokens = []
    for _ in range(clients):
        made = create_credentials(registrar, organization, "dev@example.com")
        tokens.append(sign_in_client(tools, request, made.client_id, made.client_secret).text)
    vehicle = add_vehicle(tools, request, VehicleDraft(name="Van"))
    long_route = make_route(tools, request, 200, seed=1)
    for seed in range(20):
        make_route(tools, request, 100, seed=2 + seed)
    pattern = make_route(tools, request, STOPS_A_ROUTE, seed=100)
    add_past(database, organization, stored_stops, stored_routes)
    archive_route(tools, request, pattern)
    database.close()
    return Installation(tokens=tokens, vehicle_id=vehicle.id, long_route_id=long_route)


def make_route(tools: Tools, request: Request, stops: int, seed: int) -> str:
    """Import stops around the depot and put them on a new route; return its id."""
    start = RouteEndDraft(coordinates=DEPOT)
    route = create_route(tools, request, RouteDraft(start=start)).route
    imported = import_stops(tools, request, draw_stops(stops, seed))
    add_stops(tools, request, route.id, [("importedStopId", stop.id) for stop in imported])
    return route.id


def draw_stops(count: int, seed: int) -> list[StopDraft]:
    """Return stops around the depot, the same for the same seed."""
    draw = random.Random(seed)  # noqa: S311 -- repeats itself on purpose
    return [
        StopDraft(
            coordinates=Coordinates(
                latitude=DEPOT.latitude + draw.uniform(-0.2, 0.2),
                longitude=DEPOT.longitude + draw.uniform(-0.2, 0.2),
            ),
            items=(Item(name="Box", quantity=1, grams=700, sku=f"SKU-{seed}"),),
            note="Ring twice",
        )
        for _ in range(count)
    ]


def draw_bodies(count: int, seed: int) -> list[Any]:
    """Return the same stops as a client sends them."""
    return [json.loads(encode(stop)) for stop in draw_stops(count, seed)]


@contextmanager
def process(*command: str, ready: str, **environment: str) -> Iterator[tuple[str, int]]:
    """Run a server; yield the address it tells and its process id."""
    server = subprocess.Popen(  # noqa: S603 -- our own commands
        [sys.executable, *command],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, **environment},
    )
    try:
        yield _read_address(server, ready), server.pid
    finally:
        server.terminate()
        server.wait(60)


def _read_address(server: subprocess.Popen[str], ready: str) -> str:
    assert server.stdout is not None
    while select.select([server.stdout], [], [], 120)[0]:
        line = server.stdout.readline()
        if line.startswith(ready):
            return line.removeprefix(ready).strip()
        if not line:
            break
    raise RuntimeError("the server did not start")


def list_family(pid: int) -> list[int]:
    """Return a process and its children."""
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    return [pid, *map(int, children)]


def resident_megabytes(pid: int) -> int:
    """Return how much memory a process holds."""
    status = Path(f"/proc/{pid}/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) // 1024 for line in status.splitlines() if "VmRSS" in line)
