"""On which day the vehicles of a sheet are planned when no day is said."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from roundsman.cli.fleet_plan import locate_vehicles
from roundsman.domain.address import Coordinates
from roundsman.geocoding.gazetteer import Gazetteer
from roundsman.spreadsheets.vehicle_sheet import read_vehicle_sheet

BALTIMORE = Coordinates(latitude=39.29, longitude=-76.61)
CLOCKS = ZoneInfo("America/New_York")
TODAY = date(2026, 7, 1)
WITHOUT_SHIFT = b'name,start\nvan,"39.29,-76.61"\n'
AT_NINE = b'name,start,shiftStart,shiftEnd\nvan,"39.29,-76.61",09:00,17:00\n'
AT_NOON = b'name,start,shiftStart,shiftEnd\nvan,"39.29,-76.61",12:00,13:30\n'


def start_at(gazetteer: Gazetteer, sheet: bytes, now: time, on: date | None) -> datetime:
    moment = datetime.combine(TODAY, now, CLOCKS).astimezone(UTC)
    (van,) = locate_vehicles(read_vehicle_sheet(sheet).vehicles, gazetteer, BALTIMORE, moment, on)
    return van.shift.start.astimezone(CLOCKS)


@pytest.mark.parametrize(
    ("sheet", "now", "days_on", "starts"),
    [
        (WITHOUT_SHIFT, time(6), 0, time(8)),
        (WITHOUT_SHIFT, time(13), 0, time(13, 1)),
        (WITHOUT_SHIFT, time(21, 58), 0, time(21, 59)),
        (WITHOUT_SHIFT, time(22), 1, time(8)),
        (WITHOUT_SHIFT, time(23, 59), 1, time(8)),
        (AT_NINE, time(8, 59), 0, time(9)),
        (AT_NINE, time(9, 1), 1, time(9)),
        (AT_NOON, time(10), 0, time(12)),
        (AT_NOON, time(12, 1), 1, time(12)),
    ],
)
def test_too_late_in_the_day_tomorrow_is_planned(
    gazetteer: Gazetteer, sheet: bytes, now: time, days_on: int, starts: time
) -> None:
    day = TODAY + timedelta(days=days_on)
    assert start_at(gazetteer, sheet, now, None) == datetime.combine(day, starts, CLOCKS)


def test_a_day_that_is_said_is_kept_however_late_it_is(gazetteer: Gazetteer) -> None:
    found = start_at(gazetteer, WITHOUT_SHIFT, time(23, 30), TODAY)
    assert found == datetime.combine(TODAY, time(23, 31), CLOCKS)
