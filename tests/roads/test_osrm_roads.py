import json
import random
import socket
import threading
import urllib.request
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from tests.roads.town import (
    EAST_BANK,
    FARM,
    ISLAND,
    OUT_AT_SEA,
    WEST_BANK,
    place,
)

from roundsman.domain.address import Coordinates
from roundsman.kit.http import HttpClient, HttpLimits
from roundsman.roads.circuit_breaker import CircuitBreaker
from roundsman.roads.engine_roads import EngineRoads
from roundsman.roads.estimate import EstimatedRoads
from roundsman.roads.network import TravelProfile
from roundsman.roads.osrm import OsrmEngine
from roundsman.roads.travel_cache import TravelCache

PLAIN = TravelProfile()
NO_TOLLS = TravelProfile(avoid_tolls=True)
STRAIGHT_ON = TravelProfile(avoid_u_turns=True)


def corners(count: int, seed: int = 1) -> list[Coordinates]:
    draw = random.Random(seed)  # noqa: S311 -- repeats itself on purpose
    return [place(draw.randrange(12), draw.randrange(12)) for _ in range(count)]


def ask_osrm(address: str, kind: str, points: list[Coordinates], query: str) -> Any:
    """Ask `osrm-routed` itself: its answers are what ours are held against."""
    where = ";".join(f"{point.longitude:.6f},{point.latitude:.6f}" for point in points)
    url = f"{address}/{kind}/v1/driving/{where}?{query}"
    with urllib.request.urlopen(url) as answer:  # noqa: S310 -- loopback
        return json.load(answer)


def test_a_table_is_what_osrm_says(engine: OsrmEngine, engine_address: str) -> None:
    sources, targets = corners(7), corners(5, seed=2)
    matrix = EngineRoads(engine).matrix(sources, targets, PLAIN)
    told = ask_osrm(
        engine_address,
        "table",
        sources + targets,
        "annotations=duration,distance&sources=0;1;2;3;4;5;6&destinations=7;8;9;10;11",
    )
    np.testing.assert_array_equal(matrix.durations, np.rint(told["durations"]))
    np.testing.assert_array_equal(matrix.distances, np.rint(told["distances"]))
    assert not matrix.estimated.any()
    assert matrix.durations.max() > 0


def test_tiles_make_the_same_table(engine: OsrmEngine) -> None:
    points = corners(40)
    whole = EngineRoads(engine).matrix(points, points, PLAIN)
    engine.table_points = 7
    tiled = EngineRoads(engine).matrix(points, points, PLAIN)
    np.testing.assert_array_equal(whole.durations, tiled.durations)
    np.testing.assert_array_equal(whole.distances, tiled.distances)
    np.testing.assert_array_equal(whole.estimated, tiled.estimated)


def test_legs_are_what_osrm_says_and_what_the_table_says(
    engine: OsrmEngine, engine_address: str
) -> None:
    points = corners(30)
    driven = EngineRoads(engine).legs(points, PLAIN)
    told = ask_osrm(engine_address, "route", points, "overview=false&continue_straight=false")
    assert [(leg.duration_seconds, leg.distance_meters) for leg in driven] == [
        (round(leg["duration"]), round(leg["distance"])) for leg in told["routes"][0]["legs"]
    ]
    roads = EngineRoads(engine)
    matrix = roads.matrix(points, points, PLAIN)
    known = roads.legs(points, PLAIN)
    assert [leg.duration_seconds for leg in known] == matrix.durations.diagonal(1).tolist()
    for leg, other in zip(known, driven, strict=True):
        # A table counts tenths of a metre leg by leg, a route along its way.
        assert leg.distance_meters == pytest.approx(other.distance_meters, abs=1)
        assert not leg.estimated


def test_a_leg_added_to_a_known_route_is_the_only_one_driven(engine: OsrmEngine) -> None:
    asked: list[int] = []

    class Counting(OsrmEngine):
        def drive(self, waypoints: Any, *rest: Any, **options: Any) -> Any:
            asked.append(len(waypoints) - 1)
            return engine.drive(waypoints, *rest, **options)

    roads = EngineRoads(Counting(HttpClient("test"), lambda: None))
    points = corners(20)
    before = roads.legs(points, PLAIN)
    after = roads.legs([*points[:9], WEST_BANK, *points[9:]], PLAIN)
    assert asked == [19, 2]
    assert after[:8] == before[:8]
    assert after[10:] == before[9:]


def test_a_stop_off_the_map_is_estimated_and_the_rest_is_not(engine: OsrmEngine) -> None:
    points = [WEST_BANK, OUT_AT_SEA, EAST_BANK]
    matrix = EngineRoads(engine).matrix(points, points, PLAIN)
    expected = [[False, True, False], [True, True, True], [False, True, False]]
    assert matrix.estimated.tolist() == expected
    estimate = EstimatedRoads().matrix(points, points, PLAIN)
    assert matrix.durations[0, 1] == estimate.durations[0, 1]
    legs = EngineRoads(engine).legs([WEST_BANK, EAST_BANK, OUT_AT_SEA, EAST_BANK], PLAIN)
    assert [leg.estimated for leg in legs] == [False, True, True]
    paths = EngineRoads(engine).paths([WEST_BANK, EAST_BANK, OUT_AT_SEA], PLAIN)
    assert [path.estimated for path in paths] == [False, True]


def test_roads_that_do_not_meet_are_estimated_between(engine: OsrmEngine) -> None:
    points = [WEST_BANK, ISLAND]
    matrix = EngineRoads(engine).matrix(points, points, PLAIN)
    assert matrix.estimated.tolist() == [[False, True], [True, False]]
    assert EngineRoads(engine).legs(points, PLAIN)[0].estimated


@pytest.mark.spec("design, Roads")
def test_tolls_are_avoided_where_there_is_another_way(engine: OsrmEngine) -> None:
    roads = EngineRoads(engine)
    banks = [WEST_BANK, EAST_BANK]
    with_tolls = roads.matrix(banks, banks, PLAIN)
    without = roads.matrix(banks, banks, NO_TOLLS)
    assert not without.estimated.any()
    assert without.distances[0, 1] > 2 * with_tolls.distances[0, 1]
    (path,) = roads.paths(banks, NO_TOLLS)
    assert max(point.latitude for point in path.points) > place(10.9, 0).latitude


@pytest.mark.spec("design, Roads")
def test_a_stop_behind_a_toll_road_is_reached_all_the_same(engine: OsrmEngine) -> None:
    roads = EngineRoads(engine)
    points = [place(6, 0), FARM, WEST_BANK]
    matrix = roads.matrix(points, points, NO_TOLLS)
    assert not matrix.estimated.any()
    plain = roads.matrix(points, points, PLAIN)
    np.testing.assert_array_equal(matrix.durations, plain.durations)
    legs = EngineRoads(engine).legs([*points, EAST_BANK], NO_TOLLS)
    assert [leg.estimated for leg in legs] == [False, False, False]
    assert legs[2] == EngineRoads(engine).legs([WEST_BANK, EAST_BANK], NO_TOLLS)[0]


@pytest.mark.spec("design, Roads")
def test_avoiding_u_turns_goes_straight_on_from_a_stop(
    engine: OsrmEngine, engine_address: str
) -> None:
    """There and back along a street: turning round is short, going on is not."""
    points = [place(3, 1.5), place(3, 3.5), place(3, 1.5)]
    turning = EngineRoads(engine).legs(points, PLAIN)
    going_on = EngineRoads(engine).legs(points, STRAIGHT_ON)
    there_and_back = [sum(leg.distance_meters for leg in legs) for legs in (turning, going_on)]
    assert there_and_back[1] > there_and_back[0] + 100
    told = ask_osrm(engine_address, "route", points, "overview=false&continue_straight=true")
    expected = [round(leg["duration"]) for leg in told["routes"][0]["legs"]]
    assert [leg.duration_seconds for leg in going_on] == expected


def test_paths_follow_the_roads_from_end_to_end(engine: OsrmEngine) -> None:
    points = corners(12)
    engine.drive_points = 5
    paths = EngineRoads(engine).paths(points, PLAIN)
    assert len(paths) == 3
    for one, other in pairwise(paths):
        assert one.points[-1] == other.points[0]
    assert paths[0].points[0].latitude == pytest.approx(points[0].latitude, abs=1e-5)
    assert sum(len(path.points) for path in paths) > 2 * len(points)


@pytest.mark.parametrize("points", [[], [WEST_BANK]])
def test_nothing_to_drive_is_no_trouble(engine: OsrmEngine, points: list[Coordinates]) -> None:
    assert EngineRoads(engine).legs(points, PLAIN) == []
    assert EngineRoads(engine).paths(points, PLAIN) == []
    assert EngineRoads(engine).matrix([], points, PLAIN).durations.shape == (0, len(points))


def test_an_engine_that_is_away_is_estimated(http: HttpClient) -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{unused.getsockname()[1]}"
        roads = EngineRoads(OsrmEngine(http, lambda: address))
        assert roads.matrix([WEST_BANK], [EAST_BANK], PLAIN).estimated.all()
    assert (
        EngineRoads(OsrmEngine(http, lambda: None)).legs([WEST_BANK, EAST_BANK], PLAIN)[0].estimated
    )


def test_another_map_behind_the_address_is_not_believed(
    engine_address: str, http: HttpClient
) -> None:
    roads = EngineRoads(OsrmEngine(http, lambda: engine_address, version="another"))
    assert roads.matrix([WEST_BANK], [EAST_BANK], PLAIN).estimated.all()


def test_an_engine_that_hangs_is_waited_for_once_and_then_left_alone() -> None:
    """The listener accepts connections into its backlog and never answers."""
    http = HttpClient("test", HttpLimits(read_seconds=0.2))
    with socket.create_server(("127.0.0.1", 0)) as silent:
        address = f"http://127.0.0.1:{silent.getsockname()[1]}"
        asked = []

        def locate() -> str:
            asked.append(threading.get_ident())
            return address

        roads = EngineRoads(OsrmEngine(http, locate), breaker=CircuitBreaker(now=lambda: 0.0))
        for _ in range(5):
            assert roads.matrix([WEST_BANK], [EAST_BANK], PLAIN).estimated.all()
        assert len(asked) == 1
        http.close()


def test_an_answer_that_failed_is_not_remembered(engine_address: str) -> None:
    where: list[str | None] = [None]
    known = TravelCache()
    roads = EngineRoads(OsrmEngine(HttpClient("test"), lambda: where[0]), known)
    assert roads.matrix([WEST_BANK], [EAST_BANK], PLAIN).estimated.all()
    assert roads.legs([WEST_BANK, EAST_BANK], PLAIN)[0].estimated
    where[0] = engine_address
    assert not roads.matrix([WEST_BANK], [EAST_BANK], PLAIN).estimated.any()
    assert not roads.legs([WEST_BANK, EAST_BANK], PLAIN)[0].estimated
    roads.close()


def test_what_is_known_is_asked_for_once_until_it_is_old(engine_address: str) -> None:
    asked: list[str] = []
    time = [0.0]

    def locate() -> str:
        asked.append("once")
        return engine_address

    known = TravelCache(lifetime_seconds=100, now=lambda: time[0])
    roads = EngineRoads(OsrmEngine(HttpClient("test"), locate), known)
    points = corners(9)
    first = roads.matrix(points, points, PLAIN)
    part = roads.matrix(points[2:5], points[4:], PLAIN)
    roads.legs(points, PLAIN)
    assert len(asked) == 1
    np.testing.assert_array_equal(part.durations, first.durations[2:5, 4:])
    time[0] = 101.0
    roads.matrix(points, points, PLAIN)
    assert len(asked) == 2
    roads.close()


def test_a_table_of_which_all_parts_are_known_is_not_asked_for(engine_address: str) -> None:
    asked: list[str] = []

    def locate() -> str:
        asked.append("once")
        return engine_address

    roads = EngineRoads(OsrmEngine(HttpClient("test"), locate), TravelCache())
    points = corners(9)
    for rows in (points[:5], points[5:]):
        for columns in (points[:4], points[4:8]):
            roads.matrix(rows, columns, PLAIN)
    assert len(asked) == 4
    together = roads.matrix(points[3:7], points[7:1:-1], PLAIN)
    assert len(asked) == 4
    whole = roads.matrix(points, points, PLAIN)  # of the last column nothing is known
    assert len(asked) == 5
    np.testing.assert_array_equal(together.durations, whole.durations[3:7, 7:1:-1])
    np.testing.assert_array_equal(together.distances, whole.distances[3:7, 7:1:-1])
    roads.close()


def test_a_server_that_takes_small_tables_gets_small_ones(engine: OsrmEngine) -> None:
    points = [place(number / 64, number % 11 + 0.3) for number in range(700)]
    engine.table_points = 700  # more than the engine was started for
    matrix = EngineRoads(engine).matrix(points, points, PLAIN)
    assert engine.table_points == 350
    engine.table_points = 250
    again = EngineRoads(engine).matrix(points, points, PLAIN)
    np.testing.assert_array_equal(matrix.durations, again.durations)
    assert not matrix.estimated.any()


def test_a_server_that_cannot_exclude_tolls_is_asked_with_them(engine: OsrmEngine) -> None:
    class WithoutClasses(OsrmEngine):
        """Refuses as `osrm-routed` does when the profile has no class to exclude."""

        def _request(
            self, kind: Any, points: Any, query: Any, shape: Any, timeout_seconds: float
        ) -> Any:
            if "exclude" in query:
                query = query | {"exclude": "banana"}
            return engine._request(kind, points, query, shape, timeout_seconds)

    roads = EngineRoads(WithoutClasses(HttpClient("test"), lambda: None))
    points = [WEST_BANK, EAST_BANK]
    plain = EngineRoads(engine).matrix(points, points, PLAIN)
    matrix = roads.matrix(points, points, NO_TOLLS)
    assert not matrix.estimated.any()
    np.testing.assert_array_equal(matrix.durations, plain.durations)
    assert not EngineRoads(roads._engine).legs(points, NO_TOLLS)[0].estimated
