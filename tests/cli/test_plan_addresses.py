"""`roundsman plan` and `roundsman address` on an imported map, as a person who typed badly."""

import json
from pathlib import Path

import pytest
from tests.geocoding.town import small_town
from typer.testing import CliRunner, Result

from roundsman.cli.main import app
from roundsman.domain.address import Coordinates
from roundsman.geocoding.extract_index import build_index
from roundsman.kit.clock import SystemClock
from roundsman.roads.installed_maps import Bounds, MapManifest, install_build, prepare_build

TYPED = """\
name,address,city,country,phone
Exact,Hauptstrasse 4,Vaduz,LI,+423 232 41 11
Typo,Huaptstr. 10,Vadutz,Liechtenstein,232 41 11
Between,Hauptstrasse 6,Vaduz,LI,
Beyond,Hauptstrasse 7,Vaduz,LI,12
Street,Kirchgasse 3,Oberdorf,LI,
Town,Nowhere Lane 5,Oberdorf,LI,
Either,Hauptstrasse 2,,LI,
Lost,Main St 1,Atlantis,LI,
"""
QUALITY = {
    "Exact": ("EXACT", "Hauptstrasse 4, Vaduz, 9490, LI"),
    "Typo": ("EXACT", "Hauptstrasse 10, Vaduz, 9490, LI"),
    "Between": ("INTERPOLATED", "Hauptstrasse 6, Vaduz, 9490, LI"),
    "Beyond": ("NEAREST_NUMBER", "Hauptstrasse 3, Vaduz, 9490, LI"),
    "Street": ("STREET", "Kirchgasse, Oberdorf, LI"),
    "Town": ("LOCALITY", "Oberdorf, LI"),
}


@pytest.fixture
def data(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder with a map of the small town, addresses alone."""
    monkeypatch.setenv("ROUNDSMAN_ROADS", "builtin")
    folder = tmp_path / "data"
    (folder / "maps").mkdir(parents=True)
    build = prepare_build(folder / "maps", "town")
    extract = small_town().write(tmp_path / "town.osm.pbf")
    build_index(extract, build / "addresses.sqlite", lambda _: None)
    manifest = MapManifest(
        name="town",
        build=build.name,
        version="1",
        source="town.osm.pbf",
        source_sha256="",
        imported_at=SystemClock().now(),
        bounds=Bounds(south=47, west=9, north=48, east=10),
        roads=0,
        addresses=23,
    )
    install_build(build, manifest)
    return folder


def run(data: Path, *arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments, "--data", str(data)], catch_exceptions=False)


def plan(data: Path, *options: str) -> Result:
    sheet = data / "stops.csv"
    sheet.write_text(TYPED, encoding="utf-8")
    given = ["--start", "Vaduz, LI", "--start-at", "2026-07-01T08:00", "--seconds", "0.1"]
    return run(data, "plan", str(sheet), *given, *options)


@pytest.mark.spec("decisions §12")
def test_badly_typed_addresses_are_reported_row_by_row(data: Path) -> None:
    answer = json.loads(plan(data, "--json", "--matches").stdout)
    found = {stop["name"]: (stop["matchType"], stop["matchedAddress"]) for stop in answer["stops"]}
    assert found == QUALITY
    sure = {stop["name"]: stop["matchConfidence"] for stop in answer["stops"]}
    assert sure["Exact"] == 1.0 > sure["Typo"] > sure["Town"]
    assert [rejected["row"] for rejected in answer["rejectedRows"]] == [8, 9]
    either, lost = (rejected["reason"] for rejected in answer["rejectedRows"])
    assert "Hauptstrasse 2, Vaduz" in either
    assert "Hauptstrasse 2, Oberdorf" in either
    assert lost == 'unknown city "Atlantis" in LI'


def test_the_table_says_where_each_stop_was_placed(data: Path) -> None:
    result = plan(data)
    assert result.exit_code == 0
    table = " ".join(result.stdout.replace("│", " ").split())
    assert "read as Hauptstrasse 10, Vaduz" in table
    assert "placed between the neighbours of Hauptstrasse 6" in table
    assert "placed at the nearest door known, Hauptstrasse 3" in table
    assert "placed on Kirchgasse, Oberdorf" in table
    assert "placed at the centre of Oberdorf" in table
    assert "1 at the door, 1 at the door with a corrected spelling, 1 between two doors" in table
    assert "© OpenStreetMap contributors" in table
    assert "left out, in row 5" in result.stderr, "a phone number that is none in its country"


def test_a_landmark_at_the_centre_of_its_town_is_said_and_a_town_is_not(data: Path) -> None:
    sheet = data / "stops.csv"
    sheet.write_text("name,address\nSights,Schloss Vaduz\nAll,Vaduz\n", encoding="utf-8")
    result = run(data, "plan", str(sheet), "--start", "Oberdorf, LI", "--seconds", "0.1")
    table = " ".join(result.stdout.replace("│", " ").split())
    assert table.count("placed at the centre of Vaduz") == 1


def test_what_is_asked_for_one_by_one_is_answered_alike(data: Path) -> None:
    found = json.loads(run(data, "address", "find", "Huaptstr. 10, Vaduz", "--json").stdout)
    assert found["matchedAddress"] == "Hauptstrasse 10, Vaduz, 9490, LI"
    assert found["matchType"] == "EXACT"
    assert found["attribution"] == "© OpenStreetMap contributors"
    place = Coordinates(latitude=found["latitude"], longitude=found["longitude"])
    there = run(data, "address", "at", f"{place.latitude},{place.longitude}", "--json")
    assert json.loads(there.stdout)["matchedAddress"] == found["matchedAddress"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("find", "Hauptstrasse 2"), "may be any of"),
        (("find", "Main St 1, Atlantis, LI"), "unknown city"),
        (("at", "0,0"), "nothing on the map is near"),
        (("at", "here"), "no place of the form LAT,LON"),
        (("at", "95,0"), "latitude comes first"),
    ],
)
def test_what_cannot_be_found_is_one_line_and_exit_status_1(
    data: Path, arguments: tuple[str, ...], message: str
) -> None:
    result = run(data, "address", *arguments)
    assert result.exit_code == 1
    assert message in result.stderr
    assert result.stderr.count("\n") == 1
    assert result.stdout == ""


def test_a_geocoder_that_is_away_is_one_line(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ROUNDSMAN_GEOCODER", "photon:http://127.0.0.1:1")
    result = plan(data)
    assert result.exit_code == 1
    assert "the geocoder is away" in result.stderr
    assert result.stderr.count("\n") == 1


def test_many_vehicles_are_told_where_each_stop_was_placed(data: Path) -> None:
    many = ("--vehicles", "1", "--round-trip")
    table = " ".join(plan(data, *many).stdout.replace("│", " ").split())
    assert "placed between the neighbours of Hauptstrasse 6" in table
    assert "placed at the nearest door known, Hauptstrasse 3" in table
    assert "addresses: " in table
    (route,) = json.loads(plan(data, *many, "--json", "--matches").stdout)["routes"]
    assert {
        stop["name"]: (stop["matchType"], stop["matchedAddress"]) for stop in route["stops"]
    } == QUALITY
    (bare,) = json.loads(plan(data, *many, "--json").stdout)["routes"]
    assert all("matchType" not in stop for stop in bare["stops"])
