from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from roundsman.domain.imported_stop import Attribute
from roundsman.domain.model import UNSET
from roundsman.domain.time_window import Date, TimeOfDay, TimeWindow
from roundsman.storefronts.delivery_times import (
    Unreadable,
    find_delivery_times,
    read_date,
    read_window,
    window_between,
)

DAY = Date(year=2026, month=11, day=25)


@pytest.mark.parametrize(
    "text",
    [
        "2026-11-25",
        "2026/11/25",
        "2026-11-25T00:00:00Z",
        "2026-11-25 10:00",
        "20261125",
        "25.11.2026",
        "25/11/2026",
        "11/25/2026",
        " 25-11-2026 ",
        "November 25, 2026",
        "Nov 25 2026",
        "25 Nov 2026",
        "25. November 2026",
        "Wed, Nov 25th, 2026",
        "Wednesday 25 November 2026",
    ],
)
def test_a_day_is_read_as_date_pickers_write_it(text: str) -> None:
    assert read_date(text) == DAY


@pytest.mark.parametrize(
    "text",
    [
        "",
        "tomorrow",
        "2026-02-30",
        "31.04.2026",
        "03/04/2026",
        "25 Brumaire 2026",
        "12",
        "9999-12-31",
    ],
)
def test_what_is_no_day_or_two_is_not_guessed(text: str) -> None:
    with pytest.raises(Unreadable):
        read_date(text)


def window(start: int, end: int, minutes: int = 0) -> TimeWindow:
    return TimeWindow(
        start=TimeOfDay(hours=start, minutes=minutes), end=TimeOfDay(hours=end, minutes=minutes)
    )


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("13:00 - 14:00", window(13, 14)),
        ("13:00-14:00", window(13, 14)),
        ("09:30–11:30", window(9, 11, 30)),  # noqa: RUF001 -- as shops write it
        ("9.30 bis 11.30 Uhr", window(9, 11, 30)),
        ("9h30 - 11h30", window(9, 11, 30)),
        ("1:00 PM - 2:00 PM", window(13, 14)),
        ("1 pm to 2 pm", window(13, 14)),
        ("1 - 2 pm", window(13, 14)),
        ("11 - 2 pm", window(11, 14)),
        ("between 9 am and 12 pm", window(9, 12)),
        ("12 am - 6 am", window(0, 6)),
        ("22:00:00 - 02:00:00", window(22, 2)),
    ],
)
def test_a_window_is_read_as_date_pickers_write_it(text: str, wanted: TimeWindow) -> None:
    assert read_window(text) == wanted


@pytest.mark.parametrize("text", ["", "morning", "13:00", "25:00 - 26:00", "13 pm - 14 pm"])
def test_what_is_no_window_is_not_guessed(text: str) -> None:
    with pytest.raises(Unreadable):
        read_window(text)


def test_names_are_tried_in_their_order_and_what_is_unread_is_remarked() -> None:
    said = [
        Attribute(key="_delivery-date", value="soon"),
        Attribute(key="Ship By", value="2026-11-25"),
        Attribute(key="delivery_time", value="13:00 - 14:00"),
    ]
    found = find_delivery_times(said, ("Delivery Date", "ship by"), ())
    assert (found.delivery_date, found.time_windows) == (DAY, (window(13, 14),))
    assert found.remarks == ('_delivery-date: "soon" is no day that can be read',)
    nothing = find_delivery_times(said[1:2], (), ())
    assert (nothing.delivery_date, nothing.time_windows, nothing.remarks) == (UNSET, (), ())


def test_instants_of_a_platform_are_a_window_by_the_shops_clocks() -> None:
    starting, ending = (datetime(2026, 11, 26, hour, tzinfo=UTC) for hour in (2, 4))
    found = window_between(starting, ending, ZoneInfo("America/New_York"))
    assert (found.delivery_date, found.time_windows) == (DAY, (window(21, 23),))


def test_instants_that_stand_for_no_day_are_remarked() -> None:
    never = datetime(9999, 12, 31, 23, 59, tzinfo=UTC)
    found = window_between(never, never, ZoneInfo("Pacific/Auckland"))
    assert (found.delivery_date, found.time_windows) == (UNSET, ())
    assert "must be in the years 1900 to 2199" in found.remarks[0]
