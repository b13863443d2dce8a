from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from roundsman.domain.address import Coordinates
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.time_window import Date, TimeOfDay, TimeWindow
from roundsman.routing.route_problem import assumed_departure, windows_on_axis

BALTIMORE = Coordinates(latitude=39.29, longitude=-76.61)
SIX = datetime(2024, 7, 1, 10, tzinfo=UTC)  # 6:00 in Baltimore, which is four hours behind


def stop(*windows: TimeWindow, **fields: Any) -> RouteStop:
    return RouteStop(
        id="rst-1", updated_at=SIX, planned_coordinates=BALTIMORE, time_windows=windows, **fields
    )


def window(start: int | None, end: int | None) -> TimeWindow:
    sides = {"start": start, "end": end}
    return TimeWindow(
        **{side: TimeOfDay(hours=hour) for side, hour in sides.items() if hour is not None}
    )


def hours(axis: tuple[tuple[int, int], ...]) -> list[tuple[float, float]]:
    return [(opens / 3600, closes / 3600) for opens, closes in axis]


@pytest.mark.spec("decisions §7")
def test_windows_are_on_the_clocks_of_the_stop() -> None:
    assert hours(windows_on_axis(stop(window(9, 12), window(14, 16)), SIX, SIX)) == [
        (3, 6),
        (8, 10),
    ]


@pytest.mark.spec("decisions §7")
def test_a_window_that_ends_before_it_starts_spans_midnight() -> None:
    assert hours(windows_on_axis(stop(window(22, 2)), SIX, SIX)) == [(16, 20)]


@pytest.mark.spec("decisions §7")
def test_a_missing_side_is_open() -> None:
    ((opens, closes),) = windows_on_axis(stop(window(9, None)), SIX, SIX)
    assert (opens, closes > 10**8) == (3 * 3600, True)
    ((opens, closes),) = windows_on_axis(stop(window(None, 9)), SIX, SIX)
    assert (opens < -(10**8), closes) == (True, 3 * 3600)


@pytest.mark.spec("decisions §12")
def test_a_delivery_date_moves_the_windows_to_its_day() -> None:
    tomorrow = stop(window(9, 12), delivery_date=Date(year=2024, month=7, day=2))
    assert hours(windows_on_axis(tomorrow, SIX, SIX)) == [(27, 30)]


@pytest.mark.spec("decisions §12")
def test_the_day_is_the_local_one_of_the_departure() -> None:
    # 1:00 UTC is still the evening before in Baltimore.
    evening = datetime(2024, 7, 2, 1, tzinfo=UTC)
    assert hours(windows_on_axis(stop(window(9, 12)), evening, evening)) == [(-12, -9)]


def test_a_day_of_a_clock_change_has_its_own_length() -> None:
    midnight = datetime(2024, 11, 3, 4, tzinfo=UTC)  # 0:00; 2:00 comes an hour later than usual
    assert hours(windows_on_axis(stop(window(0, 3)), midnight, midnight)) == [(0, 4)]


def test_an_unscheduled_route_leaves_in_time_for_its_first_window() -> None:
    stops = [stop(window(12, 13)), stop(window(9, 10)), stop()]
    departure = assumed_departure(stops, [60, 600, 5], SIX)
    assert departure == datetime(2024, 7, 1, 13, tzinfo=UTC) - timedelta(seconds=600)
