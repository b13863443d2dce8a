"""What `plan --vehicles` says would help holds when it is done in the files and planned again."""

import json
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace
from typer.testing import CliRunner

from roundsman.cli.fleet_plan import (
    FleetReport,
    FleetSearch,
    locate_vehicles,
    plan_fleet_sheet,
    stops_to_plan,
)
from roundsman.cli.fleet_table import describe_fix
from roundsman.cli.main import app
from roundsman.cli.plan_input import locate_stops
from roundsman.domain.model import UNSET
from roundsman.domain.route import RouteOptions
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.domain.unassigned_stop import PlanFix, PlanFixType
from roundsman.geocoding.gazetteer import Gazetteer
from roundsman.kit.ids import RandomIds
from roundsman.roads.estimate import EstimatedRoads
from roundsman.spreadsheets.stop_sheet import read_stop_sheet
from roundsman.spreadsheets.vehicle_sheet import read_vehicle_sheet

pytestmark = pytest.mark.spec("decisions §21")

STOPS = """\
name,latitude,longitude,kilograms,unassignedCost
Small,49.4010,8.6900,90,{small}
Piano,49.4500,8.6800,150,{piano}
Sofa,49.4050,8.6800,60,
"""
VAN = 'name,start,end,shiftStart,shiftEnd,kilograms\nvan,"49.4036,8.6755",=,8:00,17:00,{most}\n'
NOW = datetime(2026, 7, 1, tzinfo=UTC)
DAY = ("--date", "2030-07-01", "--effort", "QUICK")


def plan(folder: Path, stops: str, vehicles: str, *said: str) -> Any:
    (folder / "stops.csv").write_text(stops)
    (folder / "vehicles.csv").write_text(vehicles)
    files = [str(folder / "stops.csv"), "--vehicles", str(folder / "vehicles.csv")]
    done = CliRunner().invoke(app, ["plan", *files, *DAY, *said])
    assert done.exit_code == 0, done.output
    return done


def plan_pieces(folder: Path, most: float, *said: str, small: str = "", piano: str = "") -> Any:
    stops = STOPS.format(small=small, piano=piano)
    return plan(folder, stops, VAN.format(most=most), *said)


def out_of(done: Any) -> dict[str, Any]:
    return {one["name"]: one for one in json.loads(done.stdout)["unassigned"]}


def help_of(done: Any) -> str:
    """Return what the last column of the table of stops that stay out says."""
    _, table = done.stdout.split("What would help", 1)
    lines = (line for line in table.splitlines() if line.startswith("│"))
    return " ".join(line.split("│")[-2].strip() for line in lines)


def test_room_that_would_go_to_another_stop_is_said_to_with_the_price_that_keeps_it(
    tmp_path: Path,
) -> None:
    out = out_of(plan_pieces(tmp_path, 100, "--json"))
    assert set(out) == {"Small", "Piano"}
    (fix,) = (one for one in out["Piano"]["fixes"] if one["type"] == "RAISE_CAPACITY")
    assert (fix["amount"], fix["servesInstead"], fix["leavesOut"]) == (110, ["row 2"], [])
    assert set(out_of(plan_pieces(tmp_path, 210, "--json"))) == {"Piano"}
    dear = str(fix["unassignedCost"])
    assert set(out_of(plan_pieces(tmp_path, 210, "--json", piano=dear))) == {"Small"}
    said = help_of(plan_pieces(tmp_path, 100))
    price = f"{fix['unassignedCost']:.2f}"
    assert f"and unassignedCost {price} for it (else Small is served instead)" in said
    (fix,) = (one for one in out["Small"]["fixes"] if one["type"] == "RAISE_CAPACITY")
    assert (fix["amount"], fix["servesInstead"], fix.get("unassignedCost")) == (50, [], None)
    assert set(out_of(plan_pieces(tmp_path, 150, "--json"))) == {"Piano"}


def fix_of(kind: PlanFixType, amount: float, **said: Any) -> PlanFix:
    return PlanFix(type=kind, subject="van", amount=amount, **said)


@pytest.fixture
def report(gazetteer: Gazetteer) -> FleetReport:
    """Return a plan of the pieces."""
    sheet = read_stop_sheet(STOPS.format(small="", piano="").encode())
    given = locate_stops(sheet, gazetteer, options=RouteOptions(), ids=RandomIds(), now=NOW)
    rows = read_vehicle_sheet(VAN.format(most=100).encode(), {}).vehicles
    depot = given.stops[0].planned_coordinates
    vehicles = locate_vehicles(rows, gazetteer, depot, NOW, date(2030, 7, 1))
    stops = stops_to_plan(given, sheet, vehicles, rows, NOW)
    search = FleetSearch(moves=100, seconds=10, seed=0)
    return plan_fleet_sheet(given, stops, vehicles, search, EstimatedRoads(), lambda: True)


def test_a_change_that_may_be_less_is_said_to_be_at_most_and_whom_else_it_serves(
    report: FleetReport,
) -> None:
    ids = {stop.order_name: stop.id for stop in report.given.stops}
    hours = fix_of(PlanFixType.EXTEND_SHIFT, 14_400, minimal=True)
    assert describe_fix(report, hours) == "van ends 4 h 00 min later"
    some = replace(hours, minimal=False, also_serves=(ids["Sofa"], ids["Small"]))
    assert describe_fix(report, some) == (
        "van ends at most 4 h 00 min later, which also serves Small, Sofa"
    )


@pytest.mark.parametrize(
    ("kind", "name", "amount", "words"),
    [
        ("RAISE_CAPACITY", "kilograms", 9, "carries at most 9 kg more"),
        ("RAISE_CAPACITY", "items", 1, "carries at most 1 item more"),
        ("RAISE_CAPACITY", "pallets", 1.5, "carries at most 1.5 pallets more"),
        ("RAISE_LIMIT", "maxStops", 1, "has at most 1 stop more"),
        ("RAISE_LIMIT", "maxDuration", 1_800, "is on the road at most 30 min longer"),
        ("RAISE_LIMIT", "maxDistanceMeters", 5_000, "drives at most 5 km more"),
    ],
)
def test_more_room_and_a_higher_limit_are_said_in_words_with_their_units(
    report: FleetReport, kind: str, name: str, amount: float, words: str
) -> None:
    fix = fix_of(PlanFixType(kind), amount, name=name)
    assert describe_fix(report, fix) == f"van {words}"


@pytest.mark.parametrize(
    ("kind", "window", "minutes", "words"),
    [
        ("CLOSE_LATER", "10:00-10:15", 4, "later (10:00-10:19 instead of 10:00-10:15)"),
        ("OPEN_EARLIER", "10:00-10:15", 4, "earlier (9:56-10:15 instead of 10:00-10:15)"),
        ("OPEN_EARLIER", "10:00-", 4, "earlier (from 9:56 instead of from 10:00)"),
        ("CLOSE_LATER", "-17:00", 4, "later (until 17:04 instead of until 17:00)"),
        ("CLOSE_LATER", "22:00-23:58", 4, "later (22:00-0:02 instead of 22:00-23:58)"),
        ("CLOSE_LATER", "-23:58", 4, "later (of until 23:58)"),
        ("CLOSE_LATER", "22:00-21:58", 4, "later (of 22:00-21:58)"),
        ("OPEN_EARLIER", "0:02-6:00", 4, "earlier (of 0:02-6:00)"),
        ("OPEN_EARLIER", "22:02-22:00", 4, "earlier (of 22:02-22:00)"),
    ],
)
def test_a_window_is_said_as_it_is_to_be_typed(
    report: FleetReport, kind: str, window: str, minutes: int, words: str
) -> None:
    start, end = (
        TimeOfDay(hours=int(side.split(":")[0]), minutes=int(side.split(":")[1])) if side else UNSET
        for side in window.split("-")
    )
    wider = TimeWindow(start=start, end=end)
    fix = fix_of(PlanFixType(kind), 60 * minutes, time_window=wider, minimal=True)
    assert (
        describe_fix(report, fix).replace("\N{EN DASH}", "-").endswith(f"its window 4 min {words}")
    )
