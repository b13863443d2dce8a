"""What `plan --vehicles` says would help holds when it is done in the files and planned again."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from roundsman.cli.main import app

pytestmark = pytest.mark.spec("decisions §21")

STOPS = """\
name,latitude,longitude,kilograms,unassignedCost
Small,49.4010,8.6900,90,{small}
Piano,49.4500,8.6800,150,{piano}
Sofa,49.4050,8.6800,60,
"""
VAN = 'name,start,end,shiftStart,shiftEnd,kilograms\nvan,"49.4036,8.6755",=,8:00,17:00,{most}\n'
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
