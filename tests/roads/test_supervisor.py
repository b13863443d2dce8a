"""Engines of installed maps: started, started again, replaced, and never left behind."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from structlog.testing import capture_logs
from tests.roads.conftest import LIMITS, hold
from tests.roads.town import EAST_BANK, OUT_AT_SEA, WEST_BANK, write_town
from tests.world import FixedClock

from roundsman.domain.address import Coordinates
from roundsman.kit.http import HttpClient
from roundsman.operations.maps import MapTools, delete_map, import_map
from roundsman.roads.graph_version import engine_version, graph_version, is_outdated
from roundsman.roads.installed_maps import InstalledMap, list_maps
from roundsman.roads.map_roads import MapRoads
from roundsman.roads.network import OPENSTREETMAP, TravelProfile
from roundsman.roads.supervisor import EngineSupervisor

PLAIN = TravelProfile()
NORTH = 0.2
"""Degrees between the town and its twin."""


@pytest.fixture
def maps(town: InstalledMap, tmp_path: Path) -> Path:
    """A folder of maps of one's own, with the town in it."""
    copied = tmp_path / "maps"
    shutil.copytree(town.folder.parent.parent, copied)
    return copied


@contextmanager
def watching(maps: Path) -> Iterator[tuple[MapRoads, EngineSupervisor]]:
    supervisor = EngineSupervisor(maps=maps, http=HttpClient("test", LIMITS))
    with closing(MapRoads(supervisor, patient=False)) as roads:
        supervisor.start()
        yield roads, supervisor


def is_real(roads: MapRoads, *points: Coordinates) -> bool:
    return not roads.matrix(points, points, PLAIN).estimated.any()


def is_gone(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
    except FileNotFoundError:
        return True


def import_town(maps: Path, extract: Path, name: str, clock: FixedClock) -> InstalledMap:
    map_tools = MapTools(
        maps=maps, clock=clock, http=HttpClient("test", LIMITS), index_addresses=None
    )
    made = import_map(map_tools, extract, name, lambda _doing, _share: None)
    map_tools.http.close()
    return made


def test_an_engine_that_is_killed_is_there_again(maps: Path) -> None:
    with watching(maps) as (roads, supervisor):
        assert hold(lambda: is_real(roads, WEST_BANK, EAST_BANK))
        (first,) = supervisor.engine_pids()
        os.kill(first, signal.SIGKILL)
        assert hold(lambda: first not in supervisor.engine_pids())
        assert len(roads.legs([WEST_BANK, EAST_BANK], PLAIN)) == 1  # answered all the same
        assert hold(lambda: bool(supervisor.engine_pids()) and supervisor.wait_settled(0))
        elsewhere = Coordinates(latitude=WEST_BANK.latitude, longitude=WEST_BANK.longitude + 1e-4)
        assert hold(lambda: is_real(roads, elsewhere, EAST_BANK))
        (second,) = supervisor.engine_pids()
    assert second != first
    assert is_gone(second)


def test_without_maps_everything_is_estimated_and_nothing_runs(tmp_path: Path) -> None:
    with watching(tmp_path / "maps") as (roads, supervisor):
        assert supervisor.wait_settled(10)
        assert roads.matrix([WEST_BANK], [EAST_BANK], PLAIN).estimated.all()
        assert roads.paths([WEST_BANK, EAST_BANK], PLAIN)[0].estimated
        assert supervisor.engine_pids() == []
        assert roads.attribution() == ""


def test_a_new_map_is_noticed_and_a_removed_one_forgotten(
    maps: Path, tmp_path: Path, clock: FixedClock
) -> None:
    twin = Coordinates(latitude=WEST_BANK.latitude + NORTH, longitude=WEST_BANK.longitude)
    twin_east = Coordinates(latitude=EAST_BANK.latitude + NORTH, longitude=EAST_BANK.longitude)
    extract = write_town(tmp_path / "twin.osm.pbf", south=47.0 + NORTH)
    with watching(maps) as (roads, supervisor):
        assert hold(lambda: is_real(roads, WEST_BANK, EAST_BANK))
        assert not is_real(roads, twin, twin_east)
        import_town(maps, extract, "twin", clock)
        assert hold(lambda: is_real(roads, twin, twin_east))
        points = [WEST_BANK, EAST_BANK, twin, twin_east]
        matrix = roads.matrix(points, points, PLAIN)
        across = [[False, False, True, True]] * 2 + [[True, True, False, False]] * 2
        assert matrix.estimated.tolist() == across
        legs = roads.legs(points, PLAIN)
        assert [leg.estimated for leg in legs] == [False, True, False]
        assert roads.attribution() == OPENSTREETMAP
        delete_map(maps, "twin")
        assert hold(lambda: not is_real(roads, twin, twin_east))
        assert is_real(roads, WEST_BANK, EAST_BANK)
        assert len(supervisor.mapped_roads()) == 1


def test_a_map_that_is_replaced_answers_until_the_new_one_does(
    maps: Path, extract: Path, clock: FixedClock
) -> None:
    clock.advance(days=1)
    with watching(maps) as (roads, supervisor):
        assert hold(lambda: is_real(roads, WEST_BANK, EAST_BANK))
        (old,) = supervisor.mapped_roads()
        new = import_town(maps, extract, "town", clock)

        def has_gone_over() -> bool:
            assert not roads.matrix([WEST_BANK], [EAST_BANK], PLAIN).estimated.any()
            (mapped,) = supervisor.mapped_roads()
            return mapped.manifest.version == new.manifest.version

        assert hold(has_gone_over)
        assert old.manifest.version != new.manifest.version
        assert [one.folder for one in list_maps(maps)] == [new.folder]


def test_nobody_is_left_behind_when_the_process_is_killed(maps: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from roundsman.kit.http import HttpClient;"
        "from roundsman.roads.supervisor import EngineSupervisor;"
        "one = EngineSupervisor(maps=Path(sys.argv[1]), http=HttpClient('test'));"
        "one.start(); one.wait_settled(30); print(*one.engine_pids(), flush=True);"
        "sys.stdin.read()"
    )
    with subprocess.Popen(  # noqa: S603 -- our own program
        [sys.executable, "-c", program, str(maps)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as parent:
        assert parent.stdout is not None
        engine = next(int(line) for line in parent.stdout if line.strip().isdigit())
        assert not is_gone(engine)
        parent.kill()
    assert hold(lambda: is_gone(engine), 5)


def test_only_this_machine_can_ask_the_engine(maps: Path) -> None:
    with watching(maps) as (roads, supervisor):
        assert hold(lambda: is_real(roads, WEST_BANK, EAST_BANK))
        (engine,) = supervisor.engine_pids()
        sockets = {str(file.readlink()) for file in Path(f"/proc/{engine}/fd").iterdir()}
        rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()[1:]]
        listening = [row[1] for row in rows if row[3] == "0A" and f"socket:[{row[9]}]" in sockets]
        assert [address.split(":")[0] for address in listening] == ["0100007F"]
        command = Path(f"/proc/{engine}/cmdline").read_bytes().split(b"\0")
        assert command[command.index(b"--verbosity") + 1] == b"WARNING"


def test_points_far_from_every_map_ask_nobody(maps: Path) -> None:
    with watching(maps) as (roads, _):
        assert hold(lambda: is_real(roads, WEST_BANK, EAST_BANK))
        assert roads.legs([OUT_AT_SEA, OUT_AT_SEA], PLAIN)[0].estimated


def age_graph(maps: Path) -> None:
    """Stamp every file of the graph as if the version before had written it."""
    for file in (maps / "town").rglob("roads.osrm*"):
        content = bytearray(file.read_bytes())
        stamp = content.find(b"OSRP")
        if stamp >= 0:
            content[stamp + 4] -= 1
            file.write_bytes(content)


def test_a_map_of_another_engine_version_is_given_up_and_says_so_once(maps: Path) -> None:
    age_graph(maps)
    with capture_logs() as log, watching(maps) as (roads, supervisor):
        assert supervisor.wait_settled(30)
        assert not is_real(roads, WEST_BANK, EAST_BANK)
        assert supervisor.engine_pids() == []
    (told,) = [line for line in log if line["event"] == "road_map_outdated"]
    assert (told["map"], told["remedy"]) == ("town", "import it again")
    assert told["made_by"] != told["engine"] == engine_version()
    (installed,) = list_maps(maps)
    assert is_outdated(installed.graph)


def test_a_map_that_is_imported_again_is_driven_on_again(maps: Path, extract: Path) -> None:
    age_graph(maps)
    with watching(maps) as (roads, supervisor):
        assert supervisor.wait_settled(30)
        again = import_town(maps, extract, "town", FixedClock())
        assert not is_outdated(again.graph)
        assert hold(lambda: is_real(roads, WEST_BANK, EAST_BANK))


def test_a_graph_without_a_stamp_is_not_called_outdated(maps: Path) -> None:
    (installed,) = list_maps(maps)
    assert graph_version(installed.graph) == engine_version()
    installed.graph.with_name("roads.osrm.nbg_nodes").write_bytes(b"no archive")
    assert graph_version(installed.graph) == ""
    assert not is_outdated(installed.graph)
