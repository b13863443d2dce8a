import pytest
from msgspec import UNSET
from msgspec.structs import replace
from tests.routing.test_ordering import plan, route_of, stop, window

from roundsman.domain.address import Address, Contact
from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.routing.wording import (
    Wording,
    describe_duration,
    describe_slack,
    describe_weight,
    describe_window,
    share_minutes,
)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0, "0 s"),
        (59, "59 s"),
        (60, "1 min"),
        (61, "2 min"),
        (3_600, "1 h 00 min"),
        (5_341, "1 h 30 min"),
    ],
)
def test_a_length_of_time_is_never_rounded_down(seconds: int, words: str) -> None:
    assert describe_duration(seconds) == words


@pytest.mark.parametrize(
    ("given", "words"),
    [
        (TimeWindow(start=TimeOfDay(hours=9), end=TimeOfDay(hours=12)), "9:00\N{EN DASH}12:00"),
        (TimeWindow(end=TimeOfDay(hours=9, minutes=5, seconds=7)), "until 9:05:07"),
        (TimeWindow(start=TimeOfDay(hours=9)), "from 9:00"),
        (TimeWindow(), "any time"),
    ],
)
def test_a_window_is_said_as_a_sheet_has_it(given: TimeWindow, words: str) -> None:
    assert describe_window(given) == words


def test_a_weight_is_said_in_kilograms() -> None:
    assert describe_weight(1_250) == "1.25"


def test_what_may_still_be_used_is_never_rounded_up() -> None:
    assert [describe_slack(seconds) for seconds in (59, 119, 959)] == ["59 s", "1 min", "15 min"]


@pytest.mark.parametrize(
    ("seconds", "total", "minutes"),
    [
        ([303, 180, -180, -242], 1, [5, 3, -3, -4]),
        ([59, 59, 59], 2, [1, 1, 0]),
        ([-121], -2, [-2]),
        ([60, 60], 1, [0, 1]),
        ([], 0, []),
    ],
)
def test_parts_in_minutes_add_up(seconds: list[int], total: int, minutes: list[int]) -> None:
    assert share_minutes(seconds, total) == minutes


def test_a_sentence_names_a_stop_as_people_do() -> None:
    known = stop("7", order_name="R3", contact=Contact(first_name="Anna", last_name="Berg"))
    for named, words in (
        (known, '"Anna Berg"'),
        (replace(known, contact=UNSET), '"R3"'),
        (replace(known, contact=UNSET, order_name="", address=Address(address1="1 Main St")),
         '"1 Main St"'),
        (replace(known, contact=UNSET, order_name="", client_stop_id="c-1"), '"c-1"'),
    ):  # fmt: skip
        assert Wording().stop(named) == words
    closed = replace(known, order_name="", time_windows=(window(None, (7, 0)),))
    (refused,) = plan(route_of(closed)).violations
    assert 'service at "Anna Berg" would start at' in refused.description
