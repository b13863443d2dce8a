"""What a large past costs: the same requests to a small and to a large installation, in turn.

python -m bench.growth [--databases sqlite postgresql] [--stops 1000000 --routes 50000]
                       [--small-stops 1000 --small-routes 50]

Both are served at the same time and asked alternately, so that a busy machine slows both; the ratio
of the medians counts. The budget is 1.5 (the same figures within 1.5 times).
"""

import argparse
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path
from typing import Any

import httpx2 as httpx

from bench.databases import KINDS, database_server, new_database
from bench.installation import DEPOT, Installation, draw_bodies, fill, process
from bench.throughput import await_rest
from roundsman.settings import Settings

BASE = "/api/2024-07"
BUDGET = 1.5
_CLIENTS = 60
_QUICK, _SLOW = 40, 8

type Work = Callable[["Served"], object]


@dataclass(frozen=True, kw_only=True)
class Served:
    """An installation that is being served."""

    made: Installation
    http: httpx.Client
    tokens: Iterator[str]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        headers = {"Authorization": f"Bearer {next(self.tokens)}"}
        answer = self.http.request(method, BASE + path, json=body, headers=headers)
        return answer.raise_for_status().json()


def main() -> None:
    """Print a table a database."""
    parser = argparse.ArgumentParser(prog="python -m bench.growth", description=__doc__)
    parser.add_argument("--databases", nargs="+", default=list(KINDS), choices=KINDS)
    parser.add_argument("--stops", type=int, default=1_000_000)
    parser.add_argument("--routes", type=int, default=50_000)
    parser.add_argument("--small-stops", type=int, default=1_000)
    parser.add_argument("--small-routes", type=int, default=50)
    asked = parser.parse_args()
    small, large = (asked.small_stops, asked.small_routes), (asked.stops, asked.routes)
    for kind in asked.databases:
        print(f"{kind}: {small[0]} and {large[0]} stops stored, ms", flush=True)
        with database_server(kind) as server:
            for name, before, after in measure(server, small, large):
                verdict = "" if after / before <= BUDGET else "  over budget"
                times = f"{1000 * before:9.1f}{1000 * after:9.1f}"
                print(f"{name:<34}{times}   x {after / before:.2f}{verdict}", flush=True)


def measure(
    server: str, small: tuple[int, int], large: tuple[int, int]
) -> Iterator[tuple[str, float, float]]:
    """Yield each kind of request, its median seconds with few (stops, routes), and with many."""
    with ExitStack() as stack:
        before, after = (
            stack.enter_context(_serving(new_database(server), stops, routes))
            for stops, routes in (small, large)
        )
        for name, work, rounds in _WORKS:
            for side in (before, after):
                work(side)
            pairs = [(_timed(work, before), _timed(work, after)) for _ in range(rounds)]
            medians = [statistics.median(side) for side in zip(*pairs, strict=True)]
            yield name, medians[0], medians[1]


@contextmanager
def _serving(url: str, stops: int, routes: int) -> Iterator[Served]:
    with ExitStack() as stack:
        folder = stack.enter_context(tempfile.TemporaryDirectory(prefix="roundsman-growth-"))
        settings = Settings(data=Path(folder), database_url=url)
        made = fill(settings, clients=_CLIENTS, stored_stops=stops, stored_routes=routes)
        environment = {"ROUNDSMAN_DATA": folder, "ROUNDSMAN_DATABASE_URL": url}
        serve = ("-m", "roundsman", "serve", "--port", "0")
        address, pid = stack.enter_context(process(*serve, ready="listening on ", **environment))
        await_rest(pid)  # else the one that started last is measured while it still loads
        http = stack.enter_context(httpx.Client(base_url=address, timeout=120))
        yield Served(made=made, http=http, tokens=cycle(made.tokens))


def _timed(work: Work, side: Served) -> float:
    begun = time.perf_counter()
    work(side)
    return time.perf_counter() - begun


def _import(side: Served) -> None:
    side.ask("POST", "/stops/imports", draw_bodies(200, seed=99))


def _import_again(side: Served) -> None:
    named = [
        {**stop, "clientStopId": f"again-{number}"}
        for number, stop in enumerate(draw_bodies(200, seed=98))
    ]
    side.ask("POST", "/stops/imports", named)


def _plan(side: Served) -> None:
    start = {"coordinates": {"latitude": DEPOT.latitude, "longitude": DEPOT.longitude}}
    route = side.ask("POST", "/routes", {"start": start})
    path = f"/routes/{route['id']}"
    stops = side.ask("POST", "/stops/imports", draw_bodies(50, seed=97))["stops"]
    side.ask("POST", f"{path}/stops", [{"importedStopId": stop["id"]} for stop in stops])
    side.ask("POST", f"{path}/reoptimize", {})
    side.ask("DELETE", path)


def _get(path: str) -> Work:
    return lambda side: side.ask("GET", path)


_WORKS: tuple[tuple[str, Work, int], ...] = (
    ("GET /vehicles/{id}", lambda one: one.ask("GET", f"/vehicles/{one.made.vehicle_id}"), _QUICK),
    (
        "GET /routes/{id}, 200 stops",
        lambda one: one.ask("GET", f"/routes/{one.made.long_route_id}"),
        _QUICK,
    ),
    ("list of 20 routes x 100 stops", _get("/routes?query.limit=20"), _SLOW),
    ("  by UPDATED_AT", _get("/routes?query.limit=20&query.sortKey=UPDATED_AT"), _SLOW),
    ("  by SCHEDULED_AT", _get("/routes?query.limit=20&query.sortKey=SCHEDULED_AT"), _SLOW),
    ("list of 200 imported stops", _get("/stops/imports?query.limit=200"), _SLOW),
    (
        "list of 20 unrouted stops",
        _get("/stops/imports?query.limit=20&query.unrouted=true"),
        _SLOW,
    ),
    ("list of 20 events", _get("/events?query.limit=20"), _SLOW),
    ("import of 200 stops", _import, _SLOW),
    ("import of 200 known stops", _import_again, _SLOW),
    ("plan a route of 50 stops", _plan, _SLOW),
)


if __name__ == "__main__":
    main()
