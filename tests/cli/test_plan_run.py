import json
from datetime import UTC, datetime
from pathlib import Path

import pytest
from tests.cli.running import run

from roundsman.cli.plan_departure import departure_of, remark_on_departure
from roundsman.cli.plan_ends import Located
from roundsman.domain.address import Coordinates
from roundsman.domain.model import UNSET

BALTIMORE = Located(address=UNSET, coordinates=Coordinates(latitude=39.29, longitude=-76.61))
KATHMANDU = Located(address=UNSET, coordinates=Coordinates(latitude=27.71, longitude=85.32))


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)  # type: ignore[misc,arg-type] # a date's parts, spelled short


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(
    ("start", "now", "departure"),
    [
        (BALTIMORE, utc(2026, 7, 1, 11, 20, 5), utc(2026, 7, 1, 12)),
        (BALTIMORE, utc(2026, 7, 1, 12), utc(2026, 7, 1, 12)),
        (KATHMANDU, utc(2026, 7, 1, 11, 20), utc(2026, 7, 1, 12, 15)),
        (KATHMANDU, utc(2026, 7, 1, 11, 10), utc(2026, 7, 1, 11, 15)),
    ],
)
def test_a_route_leaves_at_the_next_full_hour_of_the_clocks_at_its_start(
    start: Located, now: datetime, departure: datetime
) -> None:
    assert departure_of("", start, now) == departure


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(
    ("text", "departure"),
    [
        ("2026-07-01T08:00:00-04:00", utc(2026, 7, 1, 12)),
        ("2026-07-01T12:00:00Z", utc(2026, 7, 1, 12)),
        ("2026-07-01T08:00", utc(2026, 7, 1, 12)),
        ("2026-01-01T08:00", utc(2026, 1, 1, 13)),
        ("2026-07-01 08:00", utc(2026, 7, 1, 12)),
        ("2026-07-01 8:00", utc(2026, 7, 1, 12)),
        # It is 19:00 of the day before on the clocks there.
        ("08:00", utc(2025, 12, 31, 13)),
        ("8am", utc(2025, 12, 31, 13)),
        ("today 21:30", utc(2026, 1, 1, 2, 30)),
        ("tomorrow 8:00", utc(2026, 1, 1, 13)),
        ("Tomorrow 08:00", utc(2026, 1, 1, 13)),
    ],
)
def test_a_departure_without_an_offset_is_meant_as_the_clocks_there_show_it(
    text: str, departure: datetime
) -> None:
    assert departure_of(text, BALTIMORE, utc(2026, 1, 1)) == departure


@pytest.mark.parametrize("text", ["tomorrow", "25:00", "soon", "2026-13-01 08:00", "8:99"])
def test_what_is_no_time_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"isoformat|time of day|month"):
        departure_of(text, BALTIMORE, utc(2026, 1, 1))


def test_a_time_of_today_that_has_passed_is_named() -> None:
    now = utc(2026, 7, 1, 20)
    early = departure_of("08:00", BALTIMORE, now)
    (remark,) = remark_on_departure("08:00", early, BALTIMORE, now)
    assert remark.message == (
        "--start-at 08:00 has passed today; say tomorrow 08:00 for the next day"
    )
    late = departure_of("18:00", BALTIMORE, now)
    assert remark_on_departure("18:00", late, BALTIMORE, now) == []


BAKERY = """name,latitude,longitude,time windows,delivery date,duration
Bakery,39.30,-76.61,{window},{day},10
"""


@pytest.mark.parametrize("many", [(), ("--vehicles", "1")])
@pytest.mark.parametrize(
    ("leaves", "day", "window", "done"),
    [
        ("2027-03-13 22:00", "2027-03-14", "5:00-5:30", "2027-03-14T09:10:00Z"),
        ("2027-03-14 01:30", "2027-03-14", "5:00-5:30", "2027-03-14T09:10:00Z"),
        ("2027-11-06 22:30", "2027-11-07", "5:00-5:30", "2027-11-07T10:10:00Z"),
    ],
)
def test_times_are_true_beyond_a_change_of_the_clocks(
    tmp_path: Path, many: tuple[str, ...], leaves: str, day: str, window: str, done: str
) -> None:
    sheet = tmp_path / "stops.csv"
    sheet.write_text(BAKERY.format(window=window, day=day))
    said = run(
        tmp_path / "data",
        "plan",
        str(sheet),
        "--start",
        "39.29,-76.61",
        "--start-at",
        leaves,
        *many,
        "--json",
    )
    assert said.exit_code == 0, said.output
    plan = json.loads(said.stdout)
    (stop,) = plan["routes"][0]["stops"] if many else plan["stops"]
    assert stop["plannedDeparture"] == done
    assert many or plan["violations"] == []


def test_a_table_tells_how_long_is_waited_beyond_a_change_of_the_clocks(tmp_path: Path) -> None:
    sheet = tmp_path / "stops.csv"
    sheet.write_text(BAKERY.format(window="8:00-8:15", day="2027-03-14"))
    at = ("--start", "39.29,-76.61", "--start-at", "2027-03-14T01:00")
    said = run(tmp_path / "data", "plan", str(sheet), *at)
    assert "done at 08:10" in said.output
    # Clocks show 1:03 and 8:00, and skip an hour in between.
    assert "5 h 57 min waiting" in said.output


def test_an_arrival_in_the_skipped_hour_is_before_the_departure(tmp_path: Path) -> None:
    sheet = tmp_path / "stops.csv"
    sheet.write_text("latitude,longitude\n39.30,-76.61\n")
    at = ("--start", "39.29,-76.61", "--start-at", "2027-03-14T02:30")
    plan = json.loads(run(tmp_path / "data", "plan", str(sheet), *at, "--json").stdout)
    (stop,) = plan["stops"]
    assert "2027-03-14T07:30:00Z" < stop["plannedArrival"] <= stop["plannedDeparture"]
