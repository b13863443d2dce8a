"""What `plan` says of windows that have closed when the route leaves."""

from datetime import UTC, date, datetime

import pytest

from roundsman.cli.plan_departure import (
    departure_of,
    suggest_departure,
    suggest_departure_on,
)
from roundsman.cli.plan_doubts import say_closed_windows
from roundsman.cli.plan_ends import locate_route_end
from roundsman.cli.plan_input import PlanInput, locate_stops
from roundsman.cli.plan_run import PlanRequest, plan_request
from roundsman.domain.route import RouteOptions
from roundsman.geocoding.gazetteer import Gazetteer
from roundsman.kit.ids import RandomIds
from roundsman.roads.estimate import EstimatedRoads
from roundsman.spreadsheets.stop_sheet import read_stop_sheet

NOON = datetime(2026, 7, 1, 16, tzinfo=UTC)
HEADER = "name,latitude,longitude,time windows,delivery date\n"


def told_at_noon(gazetteer: Gazetteer, *windows: str) -> list[str]:
    rows = "".join(f"S{row},39.3{row},-76.61,{one}\n" for row, one in enumerate(windows))
    sheet = read_stop_sheet((HEADER + rows).encode())
    start = locate_route_end("39.29,-76.61", gazetteer)
    request = PlanRequest(
        name="stops",
        start=start,
        end=None,
        given=locate_stops(sheet, gazetteer, options=RouteOptions(), ids=RandomIds(), now=NOON),
        options=RouteOptions(),
        departure=departure_of("", start, NOON),
        seconds=0.1,
    )
    report = plan_request(request, roads=EstimatedRoads(), ids=RandomIds(), now=NOON)
    return [remark.message for remark in say_closed_windows(report)]


@pytest.mark.parametrize(
    ("windows", "rows", "morning"),
    [
        (("9:00-11:00",), "row 2 is", "08:00"),
        (("9:00-11:00", "12:00-18:00", "7:30-8:00"), "rows 2 and 4 are", "06:00"),
        (("9:00-10:00; 8:00-8:30",), "row 2 is", "07:00"),
        (("before 7:15", "9:00-11:00"), "rows 2 and 3 are", "06:00"),
        (("0:00-1:00",), "row 2 is", "00:00"),
    ],
)
def test_the_rows_and_an_early_enough_hour_are_named(
    gazetteer: Gazetteer, windows: tuple[str, ...], rows: str, morning: str
) -> None:
    (line,) = told_at_noon(gazetteer, *windows)
    assert line.startswith(f"{rows} closed when this route leaves, at 12:00 on 1 July 2026; ")
    assert line.endswith(f" such as --start-at 2026-07-02T{morning}")


@pytest.mark.parametrize(
    "windows",
    [
        ("", "12:00-18:00"),
        ("12:00-12:01", "12:00-12:01"),  # one is late, and was open when the route left
        ("9:00-10:00; 13:00-14:00",),
        ("after 9:00",),
        ("9:00-11:00,2026-07-01",),  # tomorrow is no day for it
    ],
)
def test_what_another_day_would_not_help_is_not_named(
    gazetteer: Gazetteer, windows: tuple[str, ...]
) -> None:
    assert told_at_noon(gazetteer, *windows) == []


def given_stops(gazetteer: Gazetteer, *windows: str) -> PlanInput:
    rows = "".join(f"S{row},39.3{row},-76.61,{one}\n" for row, one in enumerate(windows))
    sheet = read_stop_sheet((HEADER + rows).encode())
    return locate_stops(sheet, gazetteer, options=RouteOptions(), ids=RandomIds(), now=NOON)


def suggested_at_noon(gazetteer: Gazetteer, *windows: str) -> tuple[datetime, str]:
    given = given_stops(gazetteer, *windows)
    return suggest_departure(given, locate_route_end("39.29,-76.61", gazetteer), NOON)


@pytest.mark.spec("decisions §18")
@pytest.mark.parametrize(
    ("windows", "leaves"),
    [
        (("9:00-11:00", "8:30-10:00", "14:00-16:00"), (2, 12, 30)),
        (("9:00-11:00", ""), (2, 13, 0)),
        (("before 10:00",), (2, 13, 0)),
        (("9:00-11:00", "after 8:00"), (1, 16, 0)),
        (("9:00-11:00", "22:00-6:00"), (1, 16, 0)),
        (("9:00-11:00", "14:00-16:00"), (1, 16, 0)),
        (("9:00-11:00,2026-07-02", "13:00-14:00"), (1, 16, 0)),
        (("", ""), (1, 16, 0)),
        (("9:00-11:00", "8:30-10:00", "0:00-23:59"), (2, 12, 30)),
    ],
)
def test_a_route_leaves_tomorrow_at_the_earliest_window_when_most_have_closed(
    gazetteer: Gazetteer, windows: tuple[str, ...], leaves: tuple[int, int, int]
) -> None:
    departure, _ = suggested_at_noon(gazetteer, *windows)
    day, hour, minute = leaves
    assert departure == datetime(2026, 7, day, hour, minute, tzinfo=UTC)


def test_a_departure_of_tomorrow_is_said(gazetteer: Gazetteer) -> None:
    _, said = suggested_at_noon(gazetteer, "9:00-11:00", "8:30-10:00", "14:00-16:00")
    assert said == (
        "2 of 3 windows of today have closed, so the route leaves tomorrow, on 2 July 2026 "
        "at 08:30, when the first one opens; say --start-at for another time"
    )


@pytest.mark.parametrize(
    ("windows", "hour"),
    [
        (("9:00-11:00", "0:00-23:59"), 9),
        (("0:00-23:59", "after 0:00"), 8),
        (("9:00-11:00", "0:00-6:00"), 0),
        (("0:00-23:59,2026-07-04", "7:00-12:00"), 7),
    ],
)
def test_a_window_of_the_whole_day_sends_nobody_out_at_midnight(
    gazetteer: Gazetteer, windows: tuple[str, ...], hour: int
) -> None:
    given = given_stops(gazetteer, *windows)
    start = locate_route_end("39.29,-76.61", gazetteer)
    leaves, said = suggest_departure_on(date(2026, 7, 3), given, start, NOON)
    assert leaves == datetime(2026, 7, 3, hour + 4, tzinfo=UTC)
    assert ("when the first window opens" in said) == (hour != 8)
