"""What the rows of a sheet of stops ask of vehicles, as `roundsman plan --vehicles` reads them."""

from datetime import UTC, date, datetime
from pathlib import Path

import pytest
from typer.testing import CliRunner

from roundsman.cli.fleet_plan import locate_vehicles, stops_to_plan
from roundsman.cli.main import app
from roundsman.cli.plan_input import locate_stops
from roundsman.domain.address import Coordinates
from roundsman.domain.day_to_plan import StopToPlan
from roundsman.domain.route import RouteOptions
from roundsman.geocoding.gazetteer import Gazetteer
from roundsman.kit.ids import RandomIds
from roundsman.spreadsheets.load_columns import PLAN_COLUMNS, find_loads_of_stops
from roundsman.spreadsheets.stop_sheet import StopSheet, read_stop_sheet
from roundsman.spreadsheets.vehicle_sheet import read_vehicle_sheet

NOW = datetime(2026, 7, 1, tzinfo=UTC)
VEHICLES = b'name,start,pallets,skills\nvan,"39.29,-76.61",4,fridge\n'
STOPS = """\
name,latitude,longitude,kg,loads,requiredSkills,skills,pallets
A,39.30,-76.60,5,"{""Pallets"":1.5}","fridge, lift",,
B,39.30,-76.60,5,"{""Pallets"":1.5}",fridge,fridge;crane,3
"""


def plan(sheet: StopSheet, gazetteer: Gazetteer) -> tuple[StopToPlan, ...]:
    rows = read_vehicle_sheet(VEHICLES, find_loads_of_stops(sheet, PLAN_COLUMNS)).vehicles
    given = locate_stops(sheet, gazetteer, options=RouteOptions(), ids=RandomIds(), now=NOW)
    depot = Coordinates(latitude=39.29, longitude=-76.61)
    vehicles = locate_vehicles(rows, gazetteer, depot, NOW, date(2030, 7, 1))
    return stops_to_plan(given, sheet, vehicles, rows, NOW)


def test_loads_and_skills_as_an_export_writes_them_are_heeded(gazetteer: Gazetteer) -> None:
    listed, beside = plan(read_stop_sheet(STOPS.encode()), gazetteer)
    assert listed.loads["pallets"] == pytest.approx(1.5)
    assert listed.required_skills == ("fridge", "lift")
    assert beside.loads["pallets"] == pytest.approx(3)
    assert beside.required_skills == ("fridge", "crane")


def test_a_limit_of_what_stops_list_as_loads_is_not_said_to_limit_nothing() -> None:
    sheet = read_stop_sheet(STOPS.replace(",skills,pallets", ",skills,x").encode())
    fleet = read_vehicle_sheet(VEHICLES, find_loads_of_stops(sheet, PLAN_COLUMNS))
    assert fleet.doubts == ()
    assert fleet.loads() == ("pallets",)


def test_a_departure_that_has_passed_is_said_of_vehicles_of_a_file_too(tmp_path: Path) -> None:
    (tmp_path / "vehicles.csv").write_bytes(VEHICLES)
    stops = tmp_path / "stops.csv"
    # A cell that cannot be meant ends the command before it searches.
    stops.write_text("name,latitude,longitude,fixedVehicle\nA,39.30,-76.60,nobody\n")
    said = ["plan", str(stops), "--vehicles", str(tmp_path / "vehicles.csv"), "--start-at", "00:00"]
    done = CliRunner().invoke(app, said)
    assert 'row 2: fixedVehicle: "nobody" is no vehicle' in done.stderr
    assert "--start-at 00:00 has passed today; say tomorrow 00:00" in done.stderr
    dated = CliRunner().invoke(app, [*said, "--date", "2020-01-01"])
    assert '"nobody" is no vehicle' in dated.stderr
    assert "has passed" not in dated.stderr
