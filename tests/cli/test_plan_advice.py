"""What `plan` advises works when it is written into the sheet or onto the command line."""

import csv
import json
import random
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from roundsman.cli.plan import plan

COLUMNS = ("name", "latitude", "longitude", "timeWindows", "duration", "quantity", "grams")
OPTION_OF = {
    "scheduledFor": "--start-at",
    "maxDuration": "--max-duration",
    "maxKilograms": "--max-kilograms",
}

type Row = dict[str, Any]
type Options = dict[str, str]


def output(path: Path, rows: list[Row], options: Options, *more: str) -> str:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(plan)
    given = [part for option in options.items() for part in option]
    result = CliRunner().invoke(app, [str(path), *given, *more], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.stdout


def violations(path: Path, rows: list[Row], options: Options) -> list[Any]:
    found: list[Any] = json.loads(output(path, rows, options, "--json"))["violations"]
    return found


def changed(rows: list[Row], options: Options, change: Any) -> tuple[list[Row], Options]:
    """Edit the sheet or the options as told; a row left out stays as one that says nothing."""
    kind, subject = change["kind"], change["subject"]
    if subject == "route":
        return rows, {**options, OPTION_OF[kind]: str(change[kind])}
    place = int(subject.removeprefix("row ")) - 2
    if kind == "removeStop":
        return rows[:place] + rows[place + 1 :], options
    return [
        {**row, "timeWindows": change[kind]} if number == place else row
        for number, row in enumerate(rows)
    ], options


def random_sheet(seed: int) -> tuple[list[Row], Options]:
    draw = random.Random(seed)  # noqa: S311 -- repeats itself on purpose
    rows = []
    for number in range(draw.randint(3, 10)):
        opens = draw.randint(8, 11)
        windows = f"{opens}:00-{opens + draw.randint(1, 2)}:{draw.choice((0, 30)):02d}"
        rows.append(
            {
                "name": f"S{number}",
                "latitude": round(39.29 + draw.uniform(-0.15, 0.15), 4),
                "longitude": round(-76.61 + draw.uniform(-0.15, 0.15), 4),
                "timeWindows": draw.choice(("", windows, windows)),
                "duration": draw.randint(0, 20),
                "quantity": 1,
                "grams": draw.randint(0, 3_000),
            }
        )
    options = {"--start": "39.29,-76.61", "--seconds": "0.1"}
    options["--start-at"] = "2026-07-01T08:00:00-04:00"
    options |= draw.choice(({}, {}, {"--max-duration": "150"}, {"--max-kilograms": "9"}))
    return rows, options


@pytest.mark.spec("decisions §7")
def test_every_change_works_in_the_sheet_or_on_the_command_line(tmp_path: Path) -> None:
    sheet, offered = tmp_path / "day.csv", 0
    for seed in range(20):
        rows, options = random_sheet(seed)
        found = violations(sheet, rows, options)
        for change in found[0]["changes"] if found else ():
            offered += 1
            assert violations(sheet, *changed(rows, options, change)) == [], (seed, change)
    assert offered >= 15


@pytest.mark.spec("decisions §12")
def test_rows_are_named_with_what_to_change_about_them(tmp_path: Path) -> None:
    rows: list[Row] = [
        {"name": "Ann", "latitude": 39.33, "longitude": -76.61, "timeWindows": "7:00-8:20"},
        {"name": "Bob", "latitude": 39.25, "longitude": -76.61, "timeWindows": "7:00-8:25"},
    ]
    options = {"--start": "39.29,-76.61", "--start-at": "2026-07-01T08:00:00-04:00"}
    table = " ".join(output(tmp_path / "day.csv", rows, options).split())
    assert 'these two windows cannot both be met: row 3 "Bob" (7:00\N{EN DASH}8:25)' in table
    assert 'widen the window of row 3 "Bob" by 2 min, to 7:00\N{EN DASH}8:27' in table
    assert "leave 2 min earlier, at 07:58 instead of 08:00 (--start-at 2026-07-01T11:58" in table
    assert 'take row 2 "Ann" off the route' in table
    (violation,) = violations(tmp_path / "day.csv", rows, options)
    assert violation["subject"] == "row 3"
    assert violation["changes"][0]["timeWindows"] == "7:00-8:27"
    assert "cannot both be met" in violation["conflicts"][0]


def test_limits_are_raised_by_the_option_that_sets_them(tmp_path: Path) -> None:
    row = {"name": "Ann", "latitude": 39.4, "longitude": -76.61, "quantity": 2, "grams": 700}
    options = {"--start": "39.29,-76.61", "--max-kilograms": "1"}
    table = " ".join(output(tmp_path / "day.csv", [row], options).split())
    assert "raise maxKilograms to 1.4 (from 1) (--max-kilograms 1.4)" in table
