"""What finding a place for one stop on 50 routes of 200 stops costs, in processor time.

    PYTHONPATH=src python -m bench.insertions

Decisions §15 allows 150 ms. Estimated travel times; every fifth stop has a window.
"""

import random
import time
from datetime import UTC, datetime, timedelta

from roundsman.domain.address import Coordinates
from roundsman.domain.route import Route
from roundsman.domain.route_ends import RouteEnd, RouteStart
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.kit.durations import from_seconds
from roundsman.roads.estimate import EstimatedRoads
from roundsman.routing.insertion import Candidate, find_places

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


def main() -> None:
    """Print the milliseconds of processor time of one request's work, without the database."""
    chance = random.Random(1)  # noqa: S311 -- no secret
    stop = _make_stop(chance, "new", has_window=True)
    candidates = [
        Candidate(route=_make_route(chance, number), stop=stop) for number in range(_ROUTES)
    ]
    roads = EstimatedRoads()
    find_places(candidates, roads, _NOW)
    began = time.process_time()
    for _ in range(_ROUNDS):
        places = find_places(candidates, roads, _NOW)
    milliseconds = (time.process_time() - began) / _ROUNDS * 1000
    broken = sum(bool(place.violations) for place in places)
    print(f"{milliseconds:.0f} ms of processor time; {broken} routes would break something")


if __name__ == "__main__":
    main()
