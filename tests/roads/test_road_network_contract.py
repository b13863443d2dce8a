"""What every road network must hold, whatever is behind it."""

import threading
from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest
from tests.roads.recorded_valhalla import recorded_valhalla
from tests.roads.town import EAST_BANK, FARM, ISLAND, OUT_AT_SEA, WEST_BANK, place

from roundsman.domain.address import Coordinates
from roundsman.kit.http import HttpClient
from roundsman.roads.engine_roads import EngineRoads
from roundsman.roads.estimate import EstimatedRoads
from roundsman.roads.installed_maps import InstalledMap
from roundsman.roads.map_roads import MapRoads
from roundsman.roads.network import RoadNetwork, TravelProfile
from roundsman.roads.osrm import OsrmEngine
from roundsman.roads.supervisor import EngineSupervisor
from roundsman.roads.valhalla import ValhallaEngine

POINTS = [WEST_BANK, place(2, 3.4), EAST_BANK, FARM, ISLAND, OUT_AT_SEA, place(9, 9), WEST_BANK]
PROFILES = [
    TravelProfile(avoid_tolls=tolls, avoid_u_turns=turns)
    for tolls in (False, True)
    for turns in (False, True)
]


@pytest.fixture(params=["estimate", "osrm", "maps", "valhalla", "away"])
def roads(
    request: pytest.FixtureRequest, town: InstalledMap, engine_address: str
) -> Iterator[RoadNetwork]:
    http = HttpClient("test")
    if request.param == "valhalla":
        with recorded_valhalla() as (address, _):
            yield EngineRoads(ValhallaEngine(http, address))
            http.close()
        return
    networks: dict[str, RoadNetwork] = {
        "estimate": EstimatedRoads(),
        "osrm": EngineRoads(OsrmEngine(http, lambda: engine_address)),
        "away": EngineRoads(OsrmEngine(http, lambda: None)),
        "maps": MapRoads(EngineSupervisor(maps=town.folder.parent.parent, http=http), patient=True),
    }
    with closing(networks[request.param]) as network:
        yield network


@pytest.mark.parametrize("profile", PROFILES)
def test_a_matrix_has_a_row_a_source_and_a_column_a_target(
    roads: RoadNetwork, profile: TravelProfile
) -> None:
    matrix = roads.matrix(POINTS, POINTS[:3], profile)
    for part in (matrix.durations, matrix.distances, matrix.estimated):
        assert part.shape == (len(POINTS), 3)
    assert matrix.durations.dtype == np.int32
    assert matrix.distances.dtype == np.int32
    assert matrix.estimated.dtype == np.bool_


@pytest.mark.parametrize("profile", PROFILES)
def test_every_pair_has_a_finite_time_and_a_place_is_no_way_from_itself(
    roads: RoadNetwork, profile: TravelProfile
) -> None:
    matrix = roads.matrix(POINTS, POINTS, profile)
    assert not matrix.durations.diagonal().any()
    apart = ~np.equal.outer(np.array(POINTS, object), np.array(POINTS, object))
    assert (matrix.durations[apart] > 0).all()
    assert (matrix.distances[apart] > 0).all()
    assert matrix.durations.max() < 10**7


def test_legs_agree_with_the_matrix(roads: RoadNetwork) -> None:
    matrix = roads.matrix(POINTS, POINTS, TravelProfile())
    legs = roads.legs(POINTS, TravelProfile())
    assert [leg.duration_seconds for leg in legs] == matrix.durations.diagonal(1).tolist()
    assert [leg.distance_meters for leg in legs] == matrix.distances.diagonal(1).tolist()
    assert [leg.estimated for leg in legs] == matrix.estimated.diagonal(1).tolist()


@pytest.mark.parametrize("profile", PROFILES)
def test_paths_lead_from_the_first_waypoint_to_the_last(
    roads: RoadNetwork, profile: TravelProfile
) -> None:
    way = [WEST_BANK, place(2, 3.4), EAST_BANK]
    paths = roads.paths(way, profile)
    for end, point in ((paths[0].points[0], way[0]), (paths[-1].points[-1], way[-1])):
        assert end.latitude == pytest.approx(point.latitude, abs=1e-4)
        assert end.longitude == pytest.approx(point.longitude, abs=1e-4)


def test_no_points_and_one_point_are_no_trouble(roads: RoadNetwork) -> None:
    assert roads.matrix([], [], TravelProfile()).durations.shape == (0, 0)
    assert roads.legs([], TravelProfile()) == []
    assert roads.legs([WEST_BANK], TravelProfile()) == []
    assert roads.paths([WEST_BANK], TravelProfile()) == []


def test_many_may_ask_at_once(roads: RoadNetwork) -> None:
    alone = roads.matrix(POINTS, POINTS, TravelProfile())
    answers: list[np.ndarray[tuple[int, ...], np.dtype[np.int32]]] = []

    def ask(moved: int) -> None:
        points = [
            Coordinates(latitude=point.latitude, longitude=point.longitude + 1e-9 * moved)
            for point in POINTS
        ]
        answers.append(roads.matrix(points, points, TravelProfile()).durations)

    threads = [threading.Thread(target=ask, args=[number]) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 8
    for answer in answers:
        np.testing.assert_allclose(answer, alone.durations, atol=1)
