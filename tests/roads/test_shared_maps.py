"""Tolls on a real map, when one is at hand: OSRM's own answers say what can be avoided."""

import json
import os
import urllib.request
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from tests.roads.conftest import hold
from tests.world import FixedClock

from roundsman.domain.address import Coordinates
from roundsman.kit.http import HttpClient
from roundsman.operations.maps import MapTools, import_map
from roundsman.roads.engine_process import EngineProcess
from roundsman.roads.engine_roads import EngineRoads
from roundsman.roads.extract import read_road_points, sample_points
from roundsman.roads.network import TravelProfile
from roundsman.roads.osrm import OsrmEngine

pytestmark = pytest.mark.full

NO_TOLLS = TravelProfile(avoid_tolls=True)
SHARED = Path(os.environ.get("ROUNDSMAN_SHARED", Path(__file__).parents[3] / "shared"))
BALTIMORE = SHARED / "maps" / "baltimore.osm.pbf"


@pytest.fixture(scope="module")
def baltimore(
    tmp_path_factory: pytest.TempPathFactory, http: HttpClient
) -> Iterator[tuple[str, OsrmEngine, list[Coordinates]]]:
    if not BALTIMORE.exists():
        pytest.skip(f"{BALTIMORE.name} is not at hand")
    folder = tmp_path_factory.mktemp("baltimore")
    map_tools = MapTools(maps=folder, clock=FixedClock(), http=http, index_addresses=None)
    made = import_map(map_tools, BALTIMORE, None, lambda _doing, _share: None)
    process = EngineProcess(made.graph)
    assert hold(lambda: process.answers(http))
    engine = OsrmEngine(http, lambda: process.address, version=made.manifest.version)
    yield process.address, engine, sample_points(read_road_points(made.graph), 80)
    process.stop()


def ask_osrm(address: str, kind: str, points: list[Coordinates], query: str) -> Any:
    where = ";".join(f"{point.longitude:.6f},{point.latitude:.6f}" for point in points)
    url = f"{address}/{kind}/v1/driving/{where}?{query}"
    with urllib.request.urlopen(url) as answer:  # noqa: S310 -- loopback
        return json.load(answer)


@pytest.mark.spec("design, Roads")
def test_avoiding_tolls_reaches_every_stop_and_pays_only_where_it_must(
    baltimore: tuple[str, OsrmEngine, list[Coordinates]],
) -> None:
    address, engine, points = baltimore
    matrix = EngineRoads(engine).matrix(points, points, NO_TOLLS)
    assert not matrix.estimated.any()
    annotations = "annotations=duration"
    strict = np.array(
        ask_osrm(address, "table", points, f"{annotations}&exclude=toll")["durations"], float
    )
    free = np.array(ask_osrm(address, "table", points, annotations)["durations"], float)
    must_pay = np.isnan(strict)
    assert 0.02 < must_pay.mean() < 0.5  # a map where strictness alone would lose stops
    np.testing.assert_array_equal(matrix.durations, np.rint(np.where(must_pay, free, strict)))


@pytest.mark.spec("design, Roads")
def test_legs_without_tolls_have_none_where_there_is_another_way(
    baltimore: tuple[str, OsrmEngine, list[Coordinates]],
) -> None:
    address, engine, points = baltimore
    roads = EngineRoads(engine)
    legs = roads.legs(points, NO_TOLLS)
    assert not any(leg.estimated for leg in legs)
    paid = 0
    for leg, ends in zip(legs, pairwise(points), strict=True):
        strict = np.array(
            ask_osrm(address, "table", list(ends), "exclude=toll")["durations"], float
        )[0, 1]
        if np.isnan(strict):
            paid += 1
            continue
        assert leg.duration_seconds == pytest.approx(strict, abs=1)
        route = ask_osrm(address, "route", list(ends), "steps=true&exclude=toll")["routes"][0]
        classes = [
            name
            for step in route["legs"][0]["steps"]
            for crossing in step["intersections"]
            for name in crossing.get("classes", [])
        ]
        assert "toll" not in classes
    assert paid < len(legs) / 2
