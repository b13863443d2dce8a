"""What files of a plan of several vehicles say of breaks."""

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from roundsman.cli.main import app

pytestmark = pytest.mark.spec("decisions §21")

STOPS = """\
name,latitude,longitude,timeWindows
Early,49.41,8.69,8:00-9:00
Late,49.40,8.68,14:00-15:00
"""
VAN = """\
name,start,end,shiftStart,shiftEnd,breaks
van,"49.4036,8.6755",=,8:00,17:00,12:00-13:30 45m
"""


def rows_of(file: Path) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(file.read_text("utf-8-sig"))))


def test_a_break_begins_in_its_window_and_not_when_its_driver_begins_to_wait(
    tmp_path: Path,
) -> None:
    (tmp_path / "stops.csv").write_text(STOPS)
    (tmp_path / "vehicles.csv").write_text(VAN)
    files = [str(tmp_path / "stops.csv"), "--vehicles", str(tmp_path / "vehicles.csv")]
    written = ["--out", str(tmp_path / "out.csv"), "--csv", str(tmp_path / "plan.csv")]
    said = ["--date", "2030-12-02", "--effort", "QUICK", "--json"]
    done = CliRunner().invoke(app, ["plan", *files, *said, *written])
    assert done.exit_code == 0, done.output
    plan: Any = json.loads(done.stdout)
    ((rest,),) = (route["breaks"] for route in plan["routes"])
    assert rest["plannedArrival"] < "2030-12-02T11:00:00Z"
    assert rest["duration"] == "2700s"
    assert int(rest["waiting"].removesuffix("s")) > 1_800
    (interval,) = (
        row["breakBefore"] for row in rows_of(tmp_path / "plan.csv") if row["breakBefore"]
    )
    begin, end = interval.split("/")
    assert "2030-12-02T11:00:00Z" <= begin <= "2030-12-02T12:30:00Z"
    assert end == rest["plannedDeparture"]
    (clocks,) = (row["breakBefore"] for row in rows_of(tmp_path / "out.csv") if row["breakBefore"])
    assert clocks == f"{int(begin[11:13]) + 1}:{begin[14:16]}-{int(end[11:13]) + 1}:{end[14:16]}"
