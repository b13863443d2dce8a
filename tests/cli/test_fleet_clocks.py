"""Times in a plan of several vehicles are by the clocks where each is, as in a plan of one."""

import csv
import io
import re
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from roundsman.cli.main import app

pytestmark = pytest.mark.spec("decisions §21")

BORDER = """\
name,latitude,longitude,timeWindows
Tui,42.0470,-8.6440,9:00-9:30
Valenca,42.0270,-8.6410,9:00-9:30
"""
FROM_SPAIN = 'name,start,end,shiftStart,shiftEnd\nvan,"42.0470,-8.6450",=,8:00,17:00\n'


def plan(folder: Path, stops: str, vehicles: str, day: str, *said: str) -> Any:
    (folder / "stops.csv").write_text(stops)
    (folder / "vehicles.csv").write_text(vehicles)
    files = [str(folder / "stops.csv"), "--vehicles", str(folder / "vehicles.csv")]
    done = CliRunner().invoke(app, ["plan", *files, "--date", day, "--effort", "QUICK", *said])
    assert done.exit_code == 0, done.output
    return done


def times_of(table: str) -> dict[str, str]:
    rows = ([cell.strip() for cell in line.split("│")] for line in table.splitlines())
    return {row[3] or row[4]: row[5] for row in rows if len(row) > 6}


def test_clocks_on_both_sides_of_a_border_are_those_of_the_stop_and_named(tmp_path: Path) -> None:
    out = tmp_path / "out.csv"
    done = plan(tmp_path, BORDER, FROM_SPAIN, "2030-12-02", "--out", str(out))
    times = times_of(done.stdout)
    assert times["Tui"].endswith(" CET")
    assert times["Valenca"].endswith(" WET")
    rows = {row["order"]: row for row in csv.DictReader(io.StringIO(out.read_text("utf-8-sig")))}
    for name in ("Tui", "Valenca"):
        assert times[name][:5] == rows[name]["plannedArrival"][-5:] < "09:31"
    (end,) = (row["plannedEnd"] for row in rows.values() if row["plannedEnd"])
    assert times["End"] == f"{end[-5:]} CET"
    title = next(line for line in done.stdout.splitlines() if line.startswith("van: "))
    assert f" CET to {end[-5:]} CET (" in title


def test_a_night_shows_its_next_day_and_both_of_its_clocks(tmp_path: Path) -> None:
    stops = "name,latitude,longitude,timeWindows\nA,49.41,8.69,23:30-23:45\nB,49.40,8.68,3:10-5:00"
    night = 'name,start,shiftStart,shiftEnd\nn,"49.4036,8.6755",23:00,6:00\n'
    rows = stops.replace("timeWindows", "timeWindows,deliveryDate").splitlines()
    dated = "\n".join([rows[0], f"{rows[1]},2027-03-27", f"{rows[2]},2027-03-28"])
    page = tmp_path / "map.html"
    done = plan(tmp_path, dated, night, "2027-03-27", "--map", str(page))
    assert times_of(done.stdout)["A"].endswith(" CET")
    (title,) = (line for line in done.stdout.splitlines() if line.startswith("n: "))
    assert re.match(r"n: 23:\d\d CET to 03:\d\d \+1d CEST \(", title)
    assert re.search(r"23:\d\d CET \S+ 03:\d\d \+1d CEST", page.read_text())


def test_one_clock_is_not_named(tmp_path: Path) -> None:
    stops = "name,latitude,longitude\nA,49.41,8.69\n"
    vehicles = 'name,start,shiftStart,shiftEnd\nn,"49.4036,8.6755",8:00,16:00\n'
    times = times_of(plan(tmp_path, stops, vehicles, "2030-07-01").stdout)
    assert times["A"].startswith("08:0")
    assert len(times["A"]) == 5
