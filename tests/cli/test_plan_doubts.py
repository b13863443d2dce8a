import json
import shlex
from datetime import timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest
import typer
from typer.testing import CliRunner, Result

from roundsman.cli.plan import plan
from roundsman.kit.clock import SystemClock

NEAR = "A,39.30,-76.61\nB,39.31,-76.62\nC,39.32,-76.63\n"


@pytest.fixture
def sheet(tmp_path: Path) -> Path:
    return tmp_path / "stops.csv"


def run(sheet: Path, rows: str, *options: str, header: str = "name,latitude,longitude") -> Result:
    sheet.write_text(f"{header}\n{rows}", encoding="utf-8")
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(plan)
    given = [str(sheet), "--seconds", "0.1"]
    if "--start-at" not in options:
        given += ["--start-at", "2026-07-01T08:00:00-04:00"]
    if "--start" not in options:
        given += ["--start", "39.29,-76.61"]
    return CliRunner().invoke(app, [*given, *options], catch_exceptions=False)


def warnings(result: Result) -> list[str]:
    lines = result.stderr.splitlines()
    return [line.removeprefix("warning: ") for line in lines if line.startswith("warning: ")]


def test_swapped_coordinates_are_planned_with_a_warning_by_row(sheet: Path) -> None:
    result = run(sheet, NEAR + "D,-76.64,39.33\n", "--json")
    assert result.exit_code == 0
    assert len(json.loads(result.stdout)["stops"]) == 4
    assert "warning: row 5 is 14,900 km from the other stops" in result.stderr
    assert "look swapped: 39.33, -76.64 would be near" in result.stderr
    assert result.stderr.count("row ") == 1


def test_no_place_at_all_is_told_as_such(sheet: Path) -> None:
    result = run(sheet, NEAR + "D,0,0\n")
    assert "row 5 is 8,900 km from the other stops; 0, 0 is what programs write" in result.stderr
    assert "warning" not in result.stdout


def test_a_stop_300_km_from_the_median_is_named_and_one_nearer_is_not(sheet: Path) -> None:
    assert warnings(run(sheet, NEAR + "D,41.95,-76.61\n")) == []
    (line,) = warnings(run(sheet, NEAR + "D,42.05,-76.61\n"))
    assert line == "row 5 is 300 km from the other stops"


def test_no_place_at_all_is_told_even_where_all_rows_have_none(sheet: Path) -> None:
    result = run(sheet, "A,0,0\nB,0,0\n", "--json")
    told = {
        one["row"]: one["message"] for one in json.loads(result.stdout)["warnings"] if "row" in one
    }
    assert set(told) == {2, 3}


def test_strict_refuses_what_is_far(sheet: Path) -> None:
    result = run(sheet, NEAR + "D,0,0\n", "--strict", "--json")
    assert result.exit_code == 1
    (rejected,) = json.loads(result.stdout)["rejectedRows"]
    assert rejected["row"] == 5
    assert "8,900 km" in rejected["reason"]


def test_a_single_stop_is_compared_with_the_start(sheet: Path) -> None:
    assert "row 2 is 8,900 km from the start" in run(sheet, "A,0,0\n").stderr
    assert warnings(run(sheet, "A,39.5,-76.61\n")) == []


def test_a_sheet_that_is_swapped_throughout_shows_at_its_start(sheet: Path) -> None:
    result = run(sheet, "A,-76.61,39.30\nB,-76.62,39.31\nC,-76.63,39.32\n")
    assert "the start is 14,900 km from the middle of the stops" in result.stderr
    assert "look swapped in every row" in result.stderr


@pytest.mark.parametrize(
    ("start", "rows"),
    [
        ("39.29,-76.61", "A,41.7,-76.6\nB,37.0,-76.6\n"),
        ("-16.5,179.9", "A,-16.6,-179.9\nB,-16.7,179.8\nC,-16.4,-179.8\n"),
    ],
    ids=["a long day", "both sides of a meridian"],
)
def test_a_route_that_is_merely_long_is_not_doubted(sheet: Path, start: str, rows: str) -> None:
    assert warnings(run(sheet, rows, "--start", start)) == []


def test_many_rows_far_away_share_a_line(sheet: Path) -> None:
    far = "".join(f"F{number},0,0\n" for number in range(7))
    result = run(sheet, NEAR * 4 + far)
    assert result.stderr.count("warning: row ") == 5
    assert "also rows 19, 20" in result.stderr


DATED = "name,latitude,longitude,delivery date,timeWindows"


def test_rows_of_another_day_are_named(sheet: Path) -> None:
    rows = "A,39.30,-76.61,2026-07-01,\nB,39.31,-76.62,,\nC,39.32,-76.63,2026-07-02,\n"
    result = run(sheet, rows, "--json", header=DATED)
    assert len(json.loads(result.stdout)["stops"]) == 3
    assert warnings(result) == ["row 4 is for 2 July 2026; this route leaves on 1 July 2026"]


def test_rows_of_one_other_day_share_a_line(sheet: Path) -> None:
    stderr = run(sheet, "A,39.30,-76.61,2026-06-30,\n" * 7, header=DATED).stderr
    assert "rows 2, 3, 4, 5, 6 and 2 more are for 30 June 2026" in stderr
    stderr = run(sheet, "A,39.30,-76.61,2026-06-30,\n" * 3, header=DATED).stderr
    assert "rows 2, 3 and 4 are for 30 June 2026" in stderr


def test_a_stop_that_an_overnight_route_serves_on_its_day_is_not_doubted(sheet: Path) -> None:
    rows = "A,39.30,-76.61,2026-07-02,0:30-9:00\nB,39.31,-76.62,2026-07-01,\n"
    night = ("--start-at", "2026-07-01T23:00")
    assert warnings(run(sheet, rows, *night, header=DATED)) == []


def test_a_vehicle_that_would_wait_a_day_for_a_stop_is_doubted(sheet: Path) -> None:
    stderr = run(sheet, "A,39.30,-76.61,2026-07-02,9:00-12:00\n", header=DATED).stderr
    assert "row 2 is for 2 July 2026; this route leaves on 1 July 2026" in stderr


BALTIMORE = (ZoneInfo("America/New_York"), "39.29,-76.61", "39.30,-76.61")
BERLIN = (ZoneInfo("Europe/Berlin"), "52.50,13.40", "52.51,13.41")
HONOLULU = (ZoneInfo("Pacific/Honolulu"), "21.31,-157.85", "21.32,-157.85")


def test_windows_that_closed_before_a_default_departure_are_named(
    sheet: Path,
) -> None:
    # Where few hours of the day have passed, no window opens again within eight hours.
    now = SystemClock().now()
    zone, start, place = min(
        (BALTIMORE, BERLIN, HONOLULU), key=lambda one: now.astimezone(one[0]).hour
    )
    header = "name,latitude,longitude,time windows"
    rows = f"A,{place},0:00-0:01\nB,{place},0:00-24:00\nC,{place},0:00-24:00\n"
    stderr = run_now(sheet, f"{header}\n{rows}", start).stderr
    tomorrow = now.astimezone(zone).date() + timedelta(days=1)
    assert "row 2 is closed when this route leaves, at " in stderr
    assert f"say when, such as --start-at {tomorrow}T00:00\n" in stderr
    open_all_day = rows.replace("0:01", "24:00")
    assert "warning" not in run_now(sheet, f"{header}\n{open_all_day}", start).stderr


def run_now(sheet: Path, content: str, start: str) -> Result:
    sheet.write_text(content, encoding="utf-8")
    app = typer.Typer(pretty_exceptions_enable=False)
    app.command()(plan)
    return CliRunner().invoke(app, [str(sheet), "--start", start, "--seconds", "0.1"])


def test_a_departure_that_was_chosen_is_not_doubted(sheet: Path) -> None:
    stderr = run(sheet, "A,39.30,-76.61,,7:00-7:30\n", header=DATED).stderr
    assert "warning" not in stderr


def test_rows_that_are_one_stop_are_named(sheet: Path) -> None:
    result = run(sheet, NEAR + "A,39.30,-76.61\n" + "a,39.30,-76.61\n", "--json")
    assert len(json.loads(result.stdout)["stops"]) == 5
    assert warnings(result) == [
        'rows 2, 5 and 6 are one stop by name and place, "A"; each is planned'
    ]


@pytest.mark.parametrize(
    "row",
    [
        "B,39.30,-76.61,9:00-10:00,1,",
        "A,39.40,-76.61,9:00-10:00,1,",
        "A,39.30,-76.61,11:00-12:00,1,",
        "A,39.30,-76.61,9:00-10:00,2,",
        "A,39.30,-76.61,9:00-10:00,1,1 Main St",
    ],
    ids=["name", "place", "window", "id", "address"],
)
def test_rows_that_differ_in_a_name_a_place_or_a_time_are_not_doubted(
    sheet: Path, row: str
) -> None:
    header = "name,latitude,longitude,window,id,street"
    result = run(sheet, f"A,39.30,-76.61,9:00-10:00,1,\n{row}\n", header=header)
    assert warnings(result) == []


def test_many_repeated_stops_share_a_line(sheet: Path) -> None:
    names = "".join(f"F{number},39.30,-76.61\n" for number in range(7))
    stderr = run(sheet, names * 2).stderr
    assert stderr.count("are one stop") == 5
    assert "repeated stops are also in rows 14, 15" in stderr


LONG = "".join(f"S{number},{39.2 + 0.01 * number},-76.6,50,\n" for number in range(12))
WINDOWED = "name,latitude,longitude,duration,timeWindows"


def vans_needed(result: Result) -> list[str]:
    return [line for line in result.stderr.splitlines() if line.startswith("this route takes")]


def test_a_day_of_waiting_is_no_work_for_more_vans(sheet: Path) -> None:
    waits = run(
        sheet,
        "A,39.30,-76.61,17-18\nB,39.31,-76.61,8-9\n",
        header="name,latitude,longitude,timeWindows",
    )
    assert "9 h 00 min in all" in waits.stdout
    assert vans_needed(waits) == []


def test_the_command_for_more_vans_says_what_was_said_of_one(sheet: Path) -> None:
    said = ["--start-at", "2026-07-01 08:00", "--end", "39.3,-76.6", "--speed-factor", "0.9"]
    said += ["--avoid-tolls", "--service-time", "5", "--max-kilograms", "800"]
    (line,) = vans_needed(run(sheet, LONG, *said, header=WINDOWED))
    words = shlex.split(line.partition(": ")[2])
    assert words[:5] == ["roundsman", "plan", str(sheet), "--vehicles", "2"]
    assert words[5:7] == ["--start", "39.29,-76.61"]
    assert sorted(words[7:]) == sorted(said)
    (line,) = vans_needed(run(sheet, LONG, "--round-trip", header=WINDOWED))
    assert line.endswith("--start 39.29,-76.61 --round-trip --start-at 2026-07-01T08:00:00-04:00")


def test_vans_of_eight_hours_are_not_offered_for_windows_that_open_later(sheet: Path) -> None:
    (line,) = vans_needed(run(sheet, LONG + "Late,39.30,-76.61,5,20-21\n", header=WINDOWED))
    assert line.endswith("row 14 can be served only later, so give vans shifts: --vehicles FILE")
    assert "without waiting" in line


def test_more_vans_are_not_offered_where_none_gets_there_or_somebody_allowed_it(
    sheet: Path,
) -> None:
    assert vans_needed(run(sheet, LONG + "Far,45.30,-76.61,5,\n", header=WINDOWED)) == []
    assert vans_needed(run(sheet, LONG, "--max-duration", "20h", header=WINDOWED)) == []
    assert vans_needed(run(sheet, LONG, header=WINDOWED)) != []


def test_windows_after_midnight_of_a_night_route_are_told_to_name_their_day(sheet: Path) -> None:
    header = "name,latitude,longitude,timeWindows,deliveryDate"
    night = ("--start-at", "2026-12-01T21:00:00-05:00")
    evening = "A,39.29,-76.61,22:00-2:00,\n"
    rows = evening + "C,39.32,-76.61,1:00-3:00,\nD,39.33,-76.61,1:00-3:00,2026-12-02\n"
    (line,) = warnings(run(sheet, rows, *night, header=header))
    assert line == (
        "row 3 is closed when this route leaves, at 21:00 on 1 December 2026, the day that windows "
        "belong to; for the hours after midnight say deliveryDate 2026-12-02 there"
    )
    dated = evening + "C,39.32,-76.61,1:00-3:00,2026-12-02\n"
    served = run(sheet, dated, *night, "--json", header=header)
    assert warnings(served) == []
    assert json.loads(served.stdout)["violations"] == []


def test_a_morning_that_is_over_is_no_night_to_come(sheet: Path) -> None:
    afternoon = ("--start-at", "2026-12-01T14:00:00-05:00")
    header = "name,latitude,longitude,timeWindows"
    assert warnings(run(sheet, "A,39.29,-76.61,8:00-10:00\n", *afternoon, header=header)) == []
