"""The town's map, made once by the real programs, and an engine running on it."""

import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from tests.roads.town import write_town
from tests.world import FixedClock

from roundsman.kit.http import HttpClient, HttpLimits
from roundsman.operations.maps import MapTools, import_map
from roundsman.roads.engine_process import EngineProcess
from roundsman.roads.installed_maps import InstalledMap
from roundsman.roads.osrm import OsrmEngine

LIMITS = HttpLimits(connect_seconds=1, read_seconds=5, max_bytes=1 << 26)


def hold(condition: Callable[[], bool], seconds: float = 30) -> bool:
    """Wait for something that other processes bring about; tell whether it came."""
    pause = threading.Event()
    for _ in range(int(seconds / 0.02)):
        if condition():
            return True
        pause.wait(0.02)
    return condition()


@pytest.fixture(scope="session")
def http() -> Iterator[HttpClient]:
    client = HttpClient("Roundsman/test", LIMITS)
    yield client
    client.close()


@pytest.fixture(scope="session")
def extract(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_town(tmp_path_factory.mktemp("extract") / "town.osm.pbf")


@pytest.fixture(scope="session")
def town(tmp_path_factory: pytest.TempPathFactory, extract: Path, http: HttpClient) -> InstalledMap:
    map_tools = MapTools(
        maps=tmp_path_factory.mktemp("maps"), clock=FixedClock(), http=http, index_addresses=None
    )
    return import_map(map_tools, extract, None, lambda _doing, _share: None)


@pytest.fixture(scope="session")
def engine_address(town: InstalledMap, http: HttpClient) -> Iterator[str]:
    """Where an `osrm-routed` on the town answers."""
    process = EngineProcess(town.graph)
    assert hold(lambda: process.answers(http))
    yield process.address
    process.stop()


@pytest.fixture
def engine(town: InstalledMap, engine_address: str, http: HttpClient) -> OsrmEngine:
    return OsrmEngine(http, lambda: engine_address, version=town.manifest.version)
