import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from roundsman.cli.plan import plan

START = "39.29,-76.61"
THREE_STOPS = """\
name,latitude,longitude,timeWindows,duration
Far,39.60,-76.61,,5
Near,39.30,-76.61,,5
Middle,39.45,-76.61,10:00-12:00,5
"""


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "stops.csv"
    path.write_text(THREE_STOPS, encoding="utf-8")
    return path


def run(sheet: Path, *options: str) -> Result:
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(plan)
    given = [str(sheet), "--start-at", "2026-07-01T08:00:00-04:00", "--seconds", "0.2", *options]
    if "--start" not in options:
        given += ["--start", START]
    return CliRunner().invoke(app, given, catch_exceptions=False)


def answer(sheet: Path, *options: str) -> dict[str, Any]:
    result = run(sheet, "--json", *options)
    assert result.exit_code == 0, result.output
    decoded: dict[str, Any] = json.loads(result.stdout)
    return decoded


@pytest.mark.spec("decisions §12")
def test_json_has_the_shape_that_is_promised(sheet: Path) -> None:
    decoded = answer(sheet, "--end", "39.70,-76.61")
    assert list(decoded) == [
        "stops",
        "totalDistanceMeters",
        "totalDuration",
        "plannedEnd",
        "estimated",
        "provenOptimal",
        "violations",
        "rejectedRows",
    ]
    assert [stop["name"] for stop in decoded["stops"]] == ["Near", "Middle", "Far"]
    assert decoded["stops"][1] == {
        "row": 4,
        "name": "Middle",
        "address": "",
        "latitude": 39.45,
        "longitude": -76.61,
        "plannedArrival": decoded["stops"][1]["plannedArrival"],
        "plannedDeparture": "2026-07-01T14:05:00Z",
        "distanceMeters": decoded["stops"][1]["distanceMeters"],
    }
    assert decoded["estimated"] is True
    assert decoded["provenOptimal"] is True
    assert decoded["violations"] == []
    assert decoded["rejectedRows"] == []


@pytest.mark.spec("decisions §12")
def test_totals_agree_with_the_stops(sheet: Path) -> None:
    decoded = answer(sheet)
    assert decoded["totalDistanceMeters"] == sum(
        stop["distanceMeters"] for stop in decoded["stops"]
    )
    assert decoded["plannedEnd"] == decoded["stops"][-1]["plannedDeparture"]


def test_equal_input_gives_equal_output(sheet: Path) -> None:
    assert run(sheet, "--json").stdout == run(sheet, "--json").stdout


def test_bad_rows_are_listed_and_the_good_ones_planned(sheet: Path) -> None:
    sheet.write_text(THREE_STOPS + "Lost,,,,\nLoud,99,0,,5\n", encoding="utf-8")
    decoded = answer(sheet)
    assert len(decoded["stops"]) == 3
    assert [rejected["row"] for rejected in decoded["rejectedRows"]] == [5, 6]
    table = run(sheet).stdout
    assert "2 rows left out" in table
    assert "latitude: 99 is outside -90 to 90" in table


def test_strict_plans_nothing_when_a_row_is_bad(sheet: Path) -> None:
    sheet.write_text(THREE_STOPS + "Lost,,,,\n", encoding="utf-8")
    result = run(sheet, "--strict", "--json")
    assert result.exit_code == 1
    decoded = json.loads(result.stdout)
    assert decoded["stops"] == []
    assert [rejected["row"] for rejected in decoded["rejectedRows"]] == [5]
    assert run(sheet, "--strict").exit_code == 1


def test_a_sheet_without_a_good_row_is_an_error(sheet: Path) -> None:
    sheet.write_text("name,city\nAnn,\n", encoding="utf-8")
    result = run(sheet)
    assert result.exit_code == 1
    assert "1 row left out" in result.stdout
    assert "no row can be planned" in result.stderr


def test_a_missed_window_is_said_and_the_route_printed_all_the_same(sheet: Path) -> None:
    sheet.write_text(
        "name,latitude,longitude,timeWindows\nToo far,41.5,-76.61,8:00-8:30\n", encoding="utf-8"
    )
    (violation,) = answer(sheet)["violations"]
    assert violation["type"] == "timeWindows"
    assert violation["subject"] == "row 2"
    assert "Too far" in violation["description"]
    assert "1 late" in run(sheet).stdout


def test_the_table_shows_times_by_the_clocks_at_the_stops(sheet: Path) -> None:
    table = run(sheet, "--round-trip").stdout
    assert "3 stops" in table
    assert "08:00" in table
    assert "10:00\N{EN DASH}12:00" in table
    assert "estimates from straight lines" in table
    assert "GeoNames" not in table


def test_a_time_zone_is_named_where_the_route_crosses_one(sheet: Path) -> None:
    sheet.write_text("latitude,longitude\n41.88,-87.63\n", encoding="utf-8")
    table = run(sheet).stdout
    assert "EDT" in table
    assert "CDT" in table


def test_the_map_is_one_file_without_addresses_of_others(sheet: Path, tmp_path: Path) -> None:
    page = tmp_path / "out.html"
    result = run(sheet, "--map", str(page))
    assert result.exit_code == 0
    assert str(page) in result.stderr.replace("\n", "")
    html = page.read_text(encoding="utf-8")
    assert "Middle" in html
    for outside in ('src="', "@import", "url(", "https://"):
        assert outside not in html


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--start", "Nowhere at all, XX"), "unknown province"),
        (("--start", "95,0"), "latitude comes first"),
        (("--end", "Springfield, US"), "several places"),
        (("--start-at", "tomorrow"), "RFC 3339"),
        (("--start-at", "9999-12-31T23:30:00Z"), "must be in the years 1900 to 2199"),
        (("--start-at", "0001-01-01 08:00"), "must be in the years 1900 to 2199"),
        (("--max-duration", "long"), "not a number"),
        (("--map", "no/such/folder/out.html"), "no folder"),
        (("--speed-factor", "0"), "speed-factor"),
        (("--end", "39.70,-76.61", "--round-trip"), "a route has one end"),
        (("--matches",), "add --json"),
        (("--speed-factor", "nan"), "Input should be"),
        (("--seconds", "nan"), "Input should be"),
        (("--max-kilograms", "nan"), "Input should be"),
        (("--max-kilograms", "inf"), "less than or equal to 1000000000"),
        (("--max-kilograms", "1e306"), "less than or equal to"),
    ],
)
def test_what_the_command_line_gets_wrong_is_named(
    sheet: Path,
    options: tuple[str, ...],
    message: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    result = run(sheet, *options)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_day_that_stands_for_none_is_named_and_left_out(
    sheet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    first, *rest = THREE_STOPS.splitlines()
    dated = [f"{first},deliveryDate", *(f"{row},9999-12-31" for row in rest)]
    sheet.write_text("\n".join(dated), encoding="utf-8")
    result = run(sheet)
    assert result.exit_code == 0, result.output
    assert (
        'deliveryDate cannot be read, left out, in rows 2, 3 and 4: "9999-12-31"' in result.output
    )
    assert '"9999-12-31" must be in the years 1900 to 2199' in run(sheet, "--strict").output


def test_a_data_folder_that_is_a_file_is_refused(
    sheet: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "300")
    result = run(sheet, "--data", str(sheet))
    assert result.exit_code == 2
    assert "is a file" in result.stderr
    monkeypatch.setenv("ROUNDSMAN_DATA", str(sheet / "inside"))
    result = run(sheet)
    assert result.exit_code == 2
    assert "must be a folder, not a file" in result.stderr


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "the file is empty"),
        (b"Ann,Bob\n", 'row 1, the first, is "Ann, Bob"'),
        (b"name,city\n", "a header but no rows below it"),
        (b"%PDF-1.7\n", "no spreadsheet"),
        (b"\xd0\xcf\x11\xe0", "old Excel format"),
    ],
)
def test_a_file_that_is_no_table_of_stops_is_named(
    sheet: Path, content: bytes, message: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "500")
    sheet.write_bytes(content)
    result = run(sheet)
    assert result.exit_code == 2
    assert f"{sheet}: " in result.stderr
    assert "STOPS.csv: " not in result.stderr
    assert message in result.stderr


@pytest.mark.spec("decisions §12")
def test_addresses_are_located_without_a_map(sheet: Path) -> None:
    sheet.write_text(
        "name,address1,city,state,zip\nAnn,1 Main St,Towson,MD,21204\nBob,,Atlantis,MD,\n",
        encoding="utf-8",
    )
    decoded = answer(sheet, "--start", "Baltimore, MD")
    assert decoded["stops"][0]["address"] == "1 Main St, Towson, MD 21204"
    assert decoded["stops"][0]["latitude"] == pytest.approx(39.4, abs=0.05)
    assert decoded["rejectedRows"][0]["row"] == 3
    table = run(sheet, "--start", "Baltimore, MD").stdout
    assert "placed at the middle of Towson, MD 21204, US" in table
    assert "GeoNames" in table


def test_what_a_start_was_taken_for_is_told_beside_the_route(sheet: Path) -> None:
    result = run(sheet, "--json", "--start", "Baltimor, MD")
    assert result.exit_code == 0
    assert "--start Baltimor, MD: Baltimore" in result.stderr
    assert "Baltimor" not in result.stdout
