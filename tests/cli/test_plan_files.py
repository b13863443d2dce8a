"""Spreadsheets and pages to print that `plan` writes, and stored routes that `export` does."""

import csv
import io
import stat
from pathlib import Path
from typing import Any

import pytest
from openpyxl import load_workbook
from tests.cli.running import organization, run
from typer.testing import CliRunner

from roundsman.cli.main import app
from roundsman.domain.address import Coordinates
from roundsman.domain.imported_stop import StopDraft
from roundsman.domain.principal import operator
from roundsman.domain.route_draft import RouteDraft, RouteEndDraft
from roundsman.installation import make_tools, open_database
from roundsman.operations.imported_stops import import_stops
from roundsman.operations.request import Request
from roundsman.operations.route_stops import add_stops
from roundsman.operations.routes import create_route
from roundsman.settings import Settings

pytestmark = pytest.mark.spec("decisions §18")

STOPS = """order,name,latitude,longitude,zip,time windows
00123,Ann,39.30,-76.61,00501,9:00-12:00
#2,Bob,39.31,-76.62,21201,
"""
START = ("--start", "39.29,-76.61", "--start-at", "2030-07-01 08:00")


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    path = tmp_path / "stops.csv"
    path.write_text(STOPS, encoding="utf-8")
    return path


def plan(sheet: Path, *said: str) -> Any:
    return CliRunner().invoke(app, ["plan", str(sheet), *START, *said])


def rows_of(content: bytes) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline="")))


@pytest.mark.parametrize("vehicles", [(), ("--vehicles", "1")], ids=["one van", "a fleet"])
def test_a_plan_is_written_as_a_spreadsheet_and_as_a_page(
    sheet: Path, vehicles: tuple[str, ...]
) -> None:
    table, book, page = (sheet.with_name(name) for name in ("plan.csv", "plan.XLSX", "plan.html"))
    done = plan(sheet, *vehicles, "--out", str(table), "--sheet", str(page))
    assert done.exit_code == 0, done.output
    assert f"plan written to {table}" in done.stderr
    assert plan(sheet, *vehicles, "--out", str(book)).exit_code == 0
    first, second = rows_of(table.read_bytes())
    assert (first["order"], first["position"], first["zip"]) == ("00123", "1", "00501")
    assert first["plannedArrival"].startswith("2030-07-01 0")
    assert second["order"] == "#2"
    opened: Any = load_workbook(book).active
    header, one, _ = opened.iter_rows(values_only=True)
    assert one[header.index("order")] == "00123"
    words = page.read_text(encoding="utf-8")
    assert words.count(">Signature<") == 2
    assert first["plannedArrival"][-5:] in words
    for file in (table, book, page):
        assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_sheets_own_header_is_written_as_text_whatever_it_begins_with_or_holds(
    tmp_path: Path,
) -> None:
    sheet, table, book = (tmp_path / name for name in ("stops.csv", "plan.csv", "plan.xlsx"))
    sheet.write_text("name,latitude,longitude,=1+1,+Depot,Own\x0bcolumn\nAnn,39.3,-76.61,a,b,c\n")
    for file in (table, book):
        done = plan(sheet, "--out", str(file))
        assert done.exit_code == 0, done.output
    (row,) = rows_of(table.read_bytes())
    assert list(row)[-3:-1] == ["'=1+1", "'+Depot"]
    written: Any = load_workbook(book).active
    header, _ = written.iter_rows()
    assert [(cell.value, cell.data_type) for cell in header[-3:]] == [
        ("=1+1", "s"),
        ("+Depot", "s"),
        ("Owncolumn", "s"),
    ]


def test_a_plan_that_was_written_is_planned_again(sheet: Path) -> None:
    table = sheet.with_name("plan.csv")
    assert plan(sheet, "--out", str(table)).exit_code == 0
    again = sheet.with_name("again.csv")
    done = plan(table, "--out", str(again))
    assert done.exit_code == 0, done.output
    assert "refused" not in done.output
    kept = ("order", "latitude", "longitude", "zip", "timeWindows", "plannedArrival")
    before, after = (
        [[row[name] for name in kept] for row in rows_of(file.read_bytes())]
        for file in (table, again)
    )
    assert after == before


@pytest.mark.parametrize(
    ("said", "words"),
    [
        (("--out", "plan.txt"), "must end in .xlsx or .csv"),
        (("--out", "stops.csv"), "is the file with the stops"),
        (("--sheet", "stops.csv"), "is the file with the stops"),
        (("--sheet", "nowhere/plan.html"), "no folder"),
    ],
)
def test_a_file_that_cannot_be_written_is_refused_before_the_work(
    sheet: Path, said: tuple[str, str], words: str
) -> None:
    option, name = said
    done = plan(sheet, option, str(sheet.with_name(name) if "/" not in name else name))
    assert done.exit_code == 2
    assert words in done.stderr
    assert done.stdout == ""
    assert sheet.read_text(encoding="utf-8") == STOPS


@pytest.mark.parametrize("option", ["--out", "--sheet", "--csv"])
def test_the_file_of_the_vehicles_is_never_replaced(sheet: Path, option: str) -> None:
    vehicles = sheet.with_name("vehicles.csv")
    vehicles.write_text('name,start\nvan,"39.29,-76.61"\n')
    before = vehicles.read_text()
    done = plan(sheet, "--vehicles", str(vehicles), option, str(vehicles))
    assert done.exit_code == 2
    assert "is the file with the vehicles" in done.stderr
    assert vehicles.read_text() == before


def test_two_options_that_would_write_one_file_are_refused(sheet: Path) -> None:
    file = str(sheet.with_name("plan.csv"))
    done = plan(sheet, "--out", file, "--csv", file)
    assert done.exit_code == 2
    assert "is what --out writes" in done.stderr
    assert not Path(file).exists()


def add_route(data: Path, slug: str) -> str:
    database = open_database(Settings(data=data))
    tools = make_tools(Settings(data=data), database)
    request = Request(principal=operator(slug))
    place = Coordinates(latitude=39.3, longitude=-76.6)
    stop = StopDraft(client_stop_id="one", order_name="00123", coordinates=place)
    (imported,) = import_stops(tools, request, [stop])
    draft = RouteDraft(start=RouteEndDraft(coordinates=place), name="North")
    route = create_route(tools, request, draft).route
    add_stops(tools, request, route.id, [("importedStopId", imported.id)])
    database.close()
    return route.id


def test_stored_routes_are_taken_away_by_what_a_name_ends_in(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    route = add_route(tmp_path, slug)
    owner = ("--organization", slug)
    for ending, begins in {
        "csv": b"\xef\xbb\xbfroute,",
        "xlsx": b"PK",
        "gpx": b"<?xml",
        "geojson": b"{",
        "ics": b"BEGIN:VCALENDAR",
        "html": b"<!doctype html>",
    }.items():
        out = tmp_path / f"route.{ending}"
        done = run(tmp_path, "export", "route", route, *owner, "--out", str(out))
        assert done.exit_code == 0, done.output
        assert out.read_bytes().lstrip().startswith(begins), ending
        assert stat.S_IMODE(out.stat().st_mode) == 0o600
    printed = run(tmp_path, "export", "route", route, *owner)
    assert [row["order"] for row in rows_of(printed.stdout_bytes)] == ["00123"]


def test_a_day_offers_no_format_that_it_refuses(tmp_path: Path) -> None:
    told = run(tmp_path, "export", "day", "--help").stdout
    assert "--format CSV|XLSX|GEOJSON|SHEET\n" in told


def test_a_day_is_taken_away_and_what_is_not_there_is_said(tmp_path: Path) -> None:
    slug = organization(tmp_path)
    add_route(tmp_path, slug)
    owner = ("--organization", slug)
    empty = run(tmp_path, "export", "day", "2020-01-01", *owner)
    assert rows_of(empty.stdout_bytes) == []
    page = run(tmp_path, "export", "day", "2020-01-01", *owner, "--format", "sheet")
    assert "No routes on this day" in page.stdout
    for said, words in (
        (("day", "2020-01-01", *owner, "--format", "GPX"), "'GPX' is not one of"),
        (("day", "2020-01-01", *owner, "--out", "day.ics"), "not as ICS: export each of its"),
        (("day", "2020-02-30", *owner), "date must be a day of the calendar"),
        (("day", "2020-01-01", "--organization", "nobody"), '"nobody" not found'),
        (("route", "rte-x", *owner), "not found"),
        (("day", "2020-01-01", *owner, "--out", "day.txt"), "say --format"),
    ):
        done = run(tmp_path, "export", *said)
        assert done.exit_code != 0
        assert words in done.stderr, done.stderr
