"""Importing maps: what is built, and that nothing goes wrong in the middle."""

import json
import signal
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from tests.roads.conftest import hold
from tests.roads.town import write_town
from tests.world import FixedClock
from typer.testing import CliRunner, Result

from roundsman.cli.main import app
from roundsman.kit.http import HttpClient
from roundsman.operations.maps import MapTools, delete_map, import_map
from roundsman.roads.capacity import Capacity, TooLittleRoom
from roundsman.roads.extract import BadExtract
from roundsman.roads.installed_maps import (
    BadMapName,
    InstalledMap,
    MapsBusy,
    changing_maps,
    list_maps,
    name_of_extract,
)


def index_nothing(_extract: Path, target: Path, progress: Callable[[float], None]) -> int:
    progress(1.0)
    target.write_text("an index of addresses")
    return 3


@pytest.fixture
def extract(tmp_path: Path) -> Path:
    return write_town(tmp_path / "Little-Town-latest.osm.pbf")


@pytest.fixture
def map_tools(tmp_path: Path, clock: FixedClock) -> MapTools:
    return MapTools(
        maps=tmp_path / "maps",
        clock=clock,
        http=HttpClient("test"),
        index_addresses=index_nothing,
    )


def make(map_tools: MapTools, extract: Path, name: str | None = None) -> InstalledMap:
    return import_map(map_tools, extract, name, lambda _doing, _share: None)


def everything_in(maps: Path) -> dict[str, int]:
    files = (file for file in maps.rglob("*") if file.is_file())
    return {str(file.relative_to(maps)): file.stat().st_mtime_ns for file in files}


def command(*arguments: str, data: Path) -> list[str]:
    return [sys.executable, "-m", "roundsman", *arguments, "--data", str(data)]


def test_a_map_says_what_it_is(map_tools: MapTools, extract: Path, clock: FixedClock) -> None:
    told: list[tuple[str, float]] = []
    made = import_map(map_tools, extract, None, lambda doing, share: told.append((doing, share)))
    manifest = made.manifest
    assert (manifest.name, manifest.source) == ("little-town", "Little-Town-latest.osm.pbf")
    assert manifest.imported_at == clock.now()
    assert manifest.addresses == 3
    assert made.addresses.read_text() == "an index of addresses"
    assert manifest.attribution == "© OpenStreetMap contributors"
    assert 46.99 < manifest.bounds.south < manifest.bounds.north < 47.02
    assert [share for _, share in told] == sorted(share for _, share in told)
    assert told[-1][1] == 1
    assert list_maps(map_tools.maps) == [made]


def test_importing_again_replaces_the_map_and_its_files(map_tools: MapTools, extract: Path) -> None:
    first, second = make(map_tools, extract), make(map_tools, extract)
    assert first.manifest.version != second.manifest.version
    assert not first.folder.exists()
    assert list_maps(map_tools.maps) == [second]


def test_an_import_that_lacks_room_is_refused_before_anything_is_built(
    map_tools: MapTools, extract: Path
) -> None:
    make(map_tools, extract, "town")
    before = everything_in(map_tools.maps)
    cramped = replace(map_tools, capacity=lambda _maps: Capacity(disk=10**12, memory=10_000_000))
    with pytest.raises(TooLittleRoom, match="of memory, and 10 MB are free"):
        make(cramped, extract, "town")
    assert everything_in(map_tools.maps) == before
    anyway = replace(cramped, capacity=None)
    assert make(anyway, extract, "town").manifest.build == "build-2"


@pytest.mark.parametrize("damage", ["cut short", "no extract", "no roads", "missing"])
def test_an_extract_that_cannot_be_used_leaves_the_map_as_it_was(
    map_tools: MapTools, extract: Path, tmp_path: Path, damage: str
) -> None:
    make(map_tools, extract, "town")
    before = everything_in(map_tools.maps)
    bad = tmp_path / "bad.osm.pbf"
    if damage == "cut short":
        bad.write_bytes(extract.read_bytes()[:-200])
    if damage == "no extract":
        bad.write_text("hello")
    if damage == "no roads":
        empty = write_town(tmp_path / "empty.osm.pbf").read_bytes()
        header = 4 + int.from_bytes(empty[:4])
        bad.write_bytes(empty[: header + _blob_size(empty[4:header])])
    with pytest.raises(BadExtract, match=r"bad\.osm\.pbf cannot") as caught:
        make(map_tools, bad, "town")
    assert "\n" not in str(caught.value)
    assert ".cpp" not in str(caught.value)
    assert everything_in(map_tools.maps) == before


def _blob_size(header: bytes) -> int:
    """Return the last number of a blob's header, a variable-length integer: the blob's size."""
    size = shift = 0
    for byte in header[header.rindex(b"\x18") + 1 :]:
        size |= (byte & 0x7F) << shift
        shift += 7
    return size


def test_a_failing_address_index_leaves_the_map_as_it_was(
    map_tools: MapTools, extract: Path
) -> None:
    make(map_tools, extract, "town")
    before = everything_in(map_tools.maps)

    def fail(_extract: Path, target: Path, _progress: Callable[[float], None]) -> int:
        target.write_text("half an index")
        raise KeyboardInterrupt

    broken = MapTools(
        maps=map_tools.maps, clock=map_tools.clock, http=map_tools.http, index_addresses=fail
    )
    with pytest.raises(KeyboardInterrupt):
        make(broken, extract, "town")
    assert everything_in(map_tools.maps) == before


def test_one_import_at_a_time(map_tools: MapTools, extract: Path) -> None:
    with changing_maps(map_tools.maps), pytest.raises(MapsBusy):
        make(map_tools, extract)
    with changing_maps(map_tools.maps), pytest.raises(MapsBusy):
        delete_map(map_tools.maps, "town")


@pytest.mark.parametrize("name", ["", "../town", "Town", "a b", ".town", "x" * 64])
def test_a_name_that_no_folder_should_have_is_refused(
    map_tools: MapTools, extract: Path, name: str
) -> None:
    with pytest.raises(BadMapName):
        delete_map(map_tools.maps, name)
    if name:
        with pytest.raises(BadMapName):
            make(map_tools, extract, name)
    assert list_maps(map_tools.maps) == []


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("liechtenstein-latest.osm.pbf", "liechtenstein"),
        ("Île de France.osm.pbf", "le-de-france"),
        ("a.PBF", "a"),
        (".osm.pbf", "map"),
    ],
)
def test_a_map_is_called_after_its_file(file: str, name: str) -> None:
    assert name_of_extract(Path(file)) == name


def test_removing_a_map_removes_its_files(map_tools: MapTools, extract: Path) -> None:
    make(map_tools, extract, "town")
    assert delete_map(map_tools.maps, "town")
    assert not delete_map(map_tools.maps, "town")
    assert everything_in(map_tools.maps).keys() == {".lock"}


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGKILL])
def test_an_import_may_be_interrupted_at_any_moment(
    tmp_path: Path, map_tools: MapTools, extract: Path, number: signal.Signals
) -> None:
    """Interrupted at moments spread over its run, it leaves the map; the next one clears up."""
    old = make(map_tools, extract, "town")
    before = everything_in(map_tools.maps)
    for mark in ("roads.osrm.fileIndex", "roads.osrm.partition"):
        run = command("map", "import", str(extract), "--name", "town", data=tmp_path)
        # At the lowest priority, so that it waits for this process and not the other way round.
        slow = ["nice", "-n", "19", *run]
        with subprocess.Popen(slow, stderr=subprocess.PIPE, stdout=subprocess.PIPE) as process:  # noqa: S603 -- ours
            begun = map_tools.maps / "town" / "build-2" / "roads" / mark
            assert hold(begun.exists, 60)
            process.send_signal(number)
            _, log = process.communicate(timeout=60)
        assert list_maps(map_tools.maps) == [old]
        assert before.items() <= everything_in(map_tools.maps).items()
        if number == signal.SIGINT:
            assert process.returncode == 130
            assert log.decode() == "roundsman: interrupted; maps in use are as they were\n"
            assert everything_in(map_tools.maps) == before
    make(map_tools, extract, "town")
    assert len(list((map_tools.maps / "town").iterdir())) == 2


def test_the_command_lists_and_removes_what_it_imported(tmp_path: Path, extract: Path) -> None:
    def run(*arguments: str) -> Result:
        return CliRunner().invoke(app, [*arguments, "--data", str(tmp_path)])

    assert "No maps" in run("map", "list").stdout
    made = run("map", "import", str(extract), "--json")
    assert made.exit_code == 0, made.stderr
    shown = json.loads(run("map", "list", "--json").stdout)
    assert shown == [json.loads(made.stdout)]
    assert "© OpenStreetMap contributors" in run("map", "list").stdout
    unknown = run("map", "remove", "elsewhere")
    assert (unknown.exit_code, unknown.stderr.count("\n")) == (1, 1)
    assert "little-town" in unknown.stderr
    bad = tmp_path / "bad.osm.pbf"
    bad.write_text("hello")
    refused = run("map", "import", str(bad), "--name", "little-town")
    assert (refused.exit_code, refused.stderr.count("\n")) == (1, 1)
    note = tmp_path / "note.txt"
    note.write_text("hello")
    said = run("map", "import", str(note), "--name", "little-town").stderr
    assert said.endswith("'; maps in use are as they were\n")  # another's full stop is left out
    assert run("map", "remove", "little-town").stdout == "removed little-town\n"
    assert json.loads(run("map", "list", "--json").stdout) == []
