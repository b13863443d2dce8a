from collections.abc import Iterator

import pytest
from tests.roads.recorded_valhalla import Json, recorded_valhalla
from tests.roads.town import EAST_BANK, ISLAND, OUT_AT_SEA, WEST_BANK, place

from roundsman.kit.http import HttpClient
from roundsman.roads.engine_roads import EngineRoads
from roundsman.roads.network import TravelProfile
from roundsman.roads.valhalla import ValhallaEngine

PLAIN = TravelProfile()


@pytest.fixture
def valhalla() -> Iterator[tuple[EngineRoads, list[tuple[str, Json]]]]:
    with recorded_valhalla() as (address, asked):
        roads = EngineRoads(ValhallaEngine(HttpClient("test"), address))
        yield roads, asked
        roads.close()


def test_a_table_is_asked_of_places_on_the_map_only(
    valhalla: tuple[EngineRoads, list[tuple[str, Json]]],
) -> None:
    roads, asked = valhalla
    points = [WEST_BANK, OUT_AT_SEA, EAST_BANK, ISLAND]
    matrix = roads.matrix(points, points, PLAIN)
    assert matrix.estimated.tolist() == [
        [False, True, False, True],
        [True, True, True, True],
        [False, True, False, True],
        [True, True, True, False],
    ]
    assert matrix.distances[0, 2] == pytest.approx(10 * matrix.durations[0, 2], abs=10)
    (first, located), (second, table) = asked
    assert (first, second) == ("/locate", "/sources_to_targets")
    assert len(located["locations"]) == 4
    assert located["locations"][0]["search_cutoff"] == 1_000
    assert len(table["sources"]) == len(table["targets"]) == 3
    assert (table["costing"], table["units"]) == ("auto", "kilometers")
    assert "costing_options" not in table


def test_avoidances_are_told_in_valhallas_words(
    valhalla: tuple[EngineRoads, list[tuple[str, Json]]],
) -> None:
    roads, asked = valhalla
    way = [WEST_BANK, place(1, 1), EAST_BANK]
    legs = roads.legs(way, TravelProfile(avoid_tolls=True, avoid_u_turns=True))
    assert not any(leg.estimated for leg in legs)
    ((path, told),) = asked
    assert path == "/route"
    assert told["costing_options"] == {"auto": {"use_tolls": 0}}
    assert [one["type"] for one in told["locations"]] == ["break", "break_through", "break"]


def test_long_routes_are_asked_for_in_parts_and_broken_ones_leg_by_leg(
    valhalla: tuple[EngineRoads, list[tuple[str, Json]]],
) -> None:
    roads, asked = valhalla
    way = [place(number % 12, number % 7) for number in range(45)]
    legs = roads.legs(way, PLAIN)
    assert [len(told["locations"]) for _, told in asked] == [20, 20, 7]
    assert not any(leg.estimated for leg in legs)
    broken = [*way[:5], ISLAND, *way[5:8]]
    paths = roads.paths(broken, PLAIN)
    assert [path.estimated for path in paths].count(True) == 2
    legs = EngineRoads(roads._engine).legs(broken, PLAIN)
    assert [leg.estimated for leg in legs] == [False] * 4 + [True] * 2 + [False] * 2
