"""What finding a place for one stop on 50 routes of 200 stops costs: the search, and a request.

    python -m bench.insertions

Decisions §15 allows 150 ms. Estimated travel times; every fifth stop has a window.
"""

import random
import statistics
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from bench.databases import KINDS
from bench.in_process import opened_application
from roundsman.domain.address import Coordinates
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteEnd, RouteStart
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.kit.durations import from_seconds
from roundsman.roads.estimate import EstimatedRoads
from roundsman.routing.insertion import Candidate, find_places
from roundsman.storage.routes import add_route

_NOW = datetime(2024, 7, 1, 12, tzinfo=UTC)
_ROUTES, _STOPS, _ROUNDS = 50, 200, 10


def _somewhere(chance: random.Random) -> Coordinates:
    return Coordinates(latitude=39.2 + chance.random() / 60, longitude=-76.7 + chance.random() / 60)


def _make_stop(chance: random.Random, id_: str, *, has_window: bool) -> RouteStop:
    late = TimeWindow(start=TimeOfDay(hours=8), end=TimeOfDay(hours=23, minutes=59))
    return RouteStop(
        id=id_,
        updated_at=_NOW,
        duration=from_seconds(60),
        planned_coordinates=_somewhere(chance),
        time_windows=(late,) if has_window else (),
    )


def _make_route(chance: random.Random, number: int) -> Route:
    home = _somewhere(chance)
    stops = (
        _make_stop(chance, f"rst-{number}-{index}", has_window=index % 5 == 0)
        for index in range(_STOPS)
    )
    return Route(
        id=f"rte-{number}",
        number=number,
        name=f"#{number}",
        start=RouteStart(coordinates=home),
        end=RouteEnd(coordinates=home),
        stops=tuple(stops),
        created_at=_NOW,
        updated_at=_NOW,
        scheduled_for=_NOW + timedelta(hours=1),
    )


def _search_alone(stop: RouteStop, routes: Sequence[Route]) -> None:
    """Print the processor time of the search, without the database."""
    candidates = [Candidate(route=route, stop=stop) for route in routes]
    roads = EstimatedRoads()
    find_places(candidates, roads, _NOW)
    began = time.process_time()
    for _ in range(_ROUNDS):
        places = find_places(candidates, roads, _NOW)
    milliseconds = (time.process_time() - began) / _ROUNDS * 1000
    broken = sum(bool(place.violations) for place in places)
    print(f"search: {milliseconds:.0f} ms of processor; {broken} routes would break something")


def _ask(kind: str, routes: Sequence[Route]) -> None:
    """Print how long a whole request takes, through every part of the service but the socket."""
    with opened_application(kind) as opened:
        with opened.database.writing() as tx:
            for route in routes:
                add_route(tx, opened.organization_id, route)
        draft = {"coordinates": {"latitude": 39.205, "longitude": -76.695}}
        http, headers = opened.http, opened.headers
        imported = http.post("/api/2024-07/stops/imports", json=[draft], headers=headers)
        asked = {
            "stops": [{"importedStopId": imported.json()["stops"][0]["id"]}],
            "routeIds": [route.id for route in routes],
        }
        taken, worked = [], []
        for _ in range(_ROUNDS + 1):
            began, worked_before = time.perf_counter(), time.process_time()
            answer = http.post("/api/2024-07/insertions", json=asked, headers=headers)
            taken.append(time.perf_counter() - began)
            worked.append(time.process_time() - worked_before)
            assert answer.status_code == 200, answer.text
            assert len(answer.json()["stops"][0]["places"]) == len(routes)
    first, *others = (seconds * 1000 for seconds in taken)
    print(
        f"{kind}: a request takes {statistics.median(others):.0f} ms (median of {_ROUNDS}),"
        f" {max(others):.0f} at most, the first {first:.0f};"
        f" {statistics.median(worked) * 1000:.0f} ms of processor"
    )


def main() -> None:
    """Print what the search costs, and how long a request takes on each database."""
    chance = random.Random(1)  # noqa: S311 -- no secret
    stop = _make_stop(chance, "new", has_window=True)
    routes = [_make_route(chance, number) for number in range(_ROUTES)]
    _search_alone(stop, routes)
    for kind in KINDS:
        _ask(kind, routes)


if __name__ == "__main__":
    main()
