"""The adapter against what a real Valhalla answered; `recorded/README.md` says how to record."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.exchanges import Replay, replaying

from roundsman.domain.address import Coordinates
from roundsman.kit.http import HttpClient
from roundsman.roads.engine import EngineAway, TooMany
from roundsman.roads.engine_roads import EngineRoads
from roundsman.roads.network import Leg, TravelProfile
from roundsman.roads.valhalla import ValhallaEngine

RECORDED = Path(__file__).parent / "recorded"
REAL = dict(
    one.split("=", 1) for one in os.environ.get("ROUNDSMAN_RECORD_VALHALLA", "").split() if one
)
"""Where real servers are, by the name of the file: `liechtenstein=http://… towns=http://…`."""

VADUZ = Coordinates(latitude=47.1410, longitude=9.5209)
SCHAAN = Coordinates(latitude=47.1650, longitude=9.5090)
TRIESENBERG = Coordinates(latitude=47.1180, longitude=9.5420)
BUCHS = Coordinates(latitude=47.1670, longitude=9.4780)
PASTURE = Coordinates(latitude=47.068263, longitude=9.564406)
"""On an alpine track that joins no road."""
ABROAD = Coordinates(latitude=47.0, longitude=9.0)
OUT_AT_SEA = Coordinates(latitude=0.0, longitude=0.0)

HEIDELBERG = Coordinates(latitude=49.4100, longitude=8.6900)
HEIDELBERG_SOUTH = Coordinates(latitude=49.4000, longitude=8.6800)
HELSINKI = Coordinates(latitude=60.1700, longitude=24.9400)
HELSINKI_WEST = Coordinates(latitude=60.1650, longitude=24.9300)

LOCUST_POINT = Coordinates(latitude=39.27764, longitude=-76.583375)
MASONVILLE = Coordinates(latitude=39.255067, longitude=-76.584369)

PLAIN = TravelProfile()
NO_TOLLS = TravelProfile(avoid_tolls=True)


def replay(name: str, data: str) -> Iterator[Replay]:
    file = RECORDED / f"valhalla-{name}.jsonl"
    about = {"engine": "Valhalla 3.9.1", "data": data, "licence": "ODbL 1.0"}
    with replaying(file, REAL.get(name, ""), **about) as running:
        yield running


@pytest.fixture(scope="module")
def liechtenstein_replay() -> Iterator[Replay]:
    yield from replay("liechtenstein", "© OpenStreetMap contributors, Liechtenstein, 2015-07")


@pytest.fixture(scope="module")
def towns_replay() -> Iterator[Replay]:
    yield from replay("towns", "© OpenStreetMap contributors, Liechtenstein, Heidelberg, Helsinki")


@pytest.fixture(scope="module")
def baltimore_replay() -> Iterator[Replay]:
    yield from replay("baltimore", "© OpenStreetMap contributors, Baltimore harbour, 2015-02")


def fresh(server: Replay) -> EngineRoads:
    """Return roads that know nothing yet, and a server that was asked nothing."""
    server.forget_asked()
    return EngineRoads(ValhallaEngine(HttpClient("test"), f"{server.url}/"))


def test_pairs_are_timed_by_the_engine_and_places_off_the_map_are_estimated(
    liechtenstein_replay: Replay,
) -> None:
    points = [VADUZ, ABROAD, SCHAAN, OUT_AT_SEA, BUCHS]
    matrix = fresh(liechtenstein_replay).matrix(points, points, PLAIN)
    off = [False, True, False, True, False]
    assert matrix.estimated.tolist() == [[one or other for other in off] for one in off]
    assert matrix.durations[0, 2] == 217
    assert matrix.durations[2, 0] == 218
    assert 2_800 < matrix.distances[0, 2] < 4_500
    assert [one.path for one in liechtenstein_replay.asked] == ["/locate", "/sources_to_targets"]


def test_a_road_that_joins_no_other_is_estimated_and_the_rest_is_not(
    liechtenstein_replay: Replay,
) -> None:
    points = [VADUZ, PASTURE, SCHAAN]
    matrix = fresh(liechtenstein_replay).matrix(points, points, PLAIN)
    assert matrix.estimated.tolist() == [
        [False, True, False],
        [True, False, True],
        [False, True, False],
    ]
    legs = fresh(liechtenstein_replay).legs([VADUZ, SCHAAN, PASTURE, VADUZ, SCHAAN], PLAIN)
    assert [leg.estimated for leg in legs] == [False, True, True, False]


def test_legs_that_are_driven_take_as_long_as_the_table_says(liechtenstein_replay: Replay) -> None:
    points = [VADUZ, SCHAAN, TRIESENBERG, BUCHS]
    matrix = fresh(liechtenstein_replay).matrix(points, points, PLAIN)
    legs = fresh(liechtenstein_replay).legs(points, PLAIN)
    assert [one.path for one in liechtenstein_replay.asked] == ["/route"]
    assert not any(leg.estimated for leg in legs)
    for leg, seconds, meters in zip(
        legs, matrix.durations.diagonal(1), matrix.distances.diagonal(1), strict=True
    ):
        assert leg.duration_seconds == pytest.approx(seconds, abs=2)
        assert leg.distance_meters == pytest.approx(meters, abs=20)


def test_going_straight_on_is_a_way_of_its_own(liechtenstein_replay: Replay) -> None:
    way = [VADUZ, TRIESENBERG, SCHAAN]
    turning = fresh(liechtenstein_replay).legs(way, PLAIN)
    straight = fresh(liechtenstein_replay).legs(way, TravelProfile(avoid_u_turns=True))
    assert not any(leg.estimated for leg in straight)
    assert seconds(straight) >= seconds(turning)


def test_lines_follow_the_roads(liechtenstein_replay: Replay) -> None:
    (path,) = fresh(liechtenstein_replay).paths([VADUZ, SCHAAN], PLAIN)
    assert not path.estimated
    assert len(path.points) > 20
    for end, point in ((path.points[0], VADUZ), (path.points[-1], SCHAAN)):
        assert end.latitude == pytest.approx(point.latitude, abs=2e-3)
        assert end.longitude == pytest.approx(point.longitude, abs=2e-3)


def test_a_route_of_more_waypoints_than_it_takes_is_driven_in_parts(
    liechtenstein_replay: Replay,
) -> None:
    way = [VADUZ, SCHAAN] * 11
    legs = fresh(liechtenstein_replay).legs(way, TravelProfile(avoid_u_turns=True))
    assert len(legs) == 21
    assert not any(leg.estimated for leg in legs)
    assert [len(one.body["locations"]) for one in liechtenstein_replay.asked] == [20, 3]


def test_more_places_than_it_takes_are_told_from_being_away(liechtenstein_replay: Replay) -> None:
    engine = ValhallaEngine(HttpClient("test"), liechtenstein_replay.url)
    many = [
        Coordinates(latitude=47.141 + 0.0001 * number, longitude=9.5209) for number in range(51)
    ]
    with pytest.raises(TooMany):
        engine.table(many, many, 10, avoid_tolls=False)
    with pytest.raises(TooMany):
        engine.drive(many[:21], PLAIN, 10, with_points=False)


def test_a_wrong_path_on_the_server_is_being_away(liechtenstein_replay: Replay) -> None:
    engine = ValhallaEngine(HttpClient("test"), f"{liechtenstein_replay.url}/api")
    with pytest.raises(EngineAway, match="answered 404, error 106"):
        engine.table([VADUZ], [SCHAAN], 10, avoid_tolls=False)


def test_towns_that_no_road_joins_keep_their_own_roads(towns_replay: Replay) -> None:
    points = [VADUZ, HEIDELBERG, SCHAAN, HEIDELBERG_SOUTH]
    matrix = fresh(towns_replay).matrix(points, points, PLAIN)
    apart = [[(row + column) % 2 == 1 for column in range(4)] for row in range(4)]
    assert matrix.estimated.tolist() == apart
    refused = [one for one in towns_replay.asked if one.status != 200]
    assert {one.answer["error_code"] for one in refused} == {170}


def test_towns_farther_apart_than_it_looks_keep_their_own_roads(towns_replay: Replay) -> None:
    points = [VADUZ, HELSINKI, SCHAAN, HELSINKI_WEST]
    roads = fresh(towns_replay)
    matrix = roads.matrix(points, points, PLAIN)
    apart = [[(row + column) % 2 == 1 for column in range(4)] for row in range(4)]
    assert matrix.estimated.tolist() == apart
    refused = [one for one in towns_replay.asked if one.status != 200]
    assert [one.answer["error_code"] for one in refused] == [154]
    # The limit is learned: nothing that it would refuse is asked again.
    towns_replay.forget_asked()
    assert roads.matrix(points[::-1], points, NO_TOLLS).estimated.sum() == 8
    assert {one.status for one in towns_replay.asked} == {200}


def test_a_drive_through_all_three_towns_is_driven_within_each(towns_replay: Replay) -> None:
    way = [VADUZ, SCHAAN, HEIDELBERG, HEIDELBERG_SOUTH, HELSINKI, HELSINKI_WEST]
    legs = fresh(towns_replay).legs(way, PLAIN)
    assert [leg.estimated for leg in legs] == [False, True, False, True, False]


def test_tolls_are_avoided_by_preference(baltimore_replay: Replay) -> None:
    ends = [LOCUST_POINT, MASONVILLE]
    paying = fresh(baltimore_replay).legs(ends, PLAIN)
    asked = fresh(baltimore_replay)
    avoiding = asked.legs(ends, NO_TOLLS)
    assert not any(leg.estimated for leg in [*paying, *avoiding])
    assert seconds(avoiding) > seconds(paying)
    matrix = asked.matrix(ends, ends, NO_TOLLS)
    assert not matrix.estimated.any()
    assert matrix.durations[0, 1] == pytest.approx(seconds(avoiding), abs=2)


def seconds(legs: list[Leg]) -> int:
    return sum(leg.duration_seconds for leg in legs)
