import pytest

from roundsman.domain.time_window import TimeOfDay, TimeWindow
from roundsman.routing.wording import describe_duration, describe_weight, describe_window


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
    ("window", "words"),
    [
        (TimeWindow(start=TimeOfDay(hours=9), end=TimeOfDay(hours=12)), "9:00\N{EN DASH}12:00"),
        (TimeWindow(end=TimeOfDay(hours=9, minutes=5, seconds=7)), "until 9:05:07"),
        (TimeWindow(start=TimeOfDay(hours=9)), "from 9:00"),
        (TimeWindow(), "any time"),
    ],
)
def test_a_window_is_said_as_a_sheet_has_it(window: TimeWindow, words: str) -> None:
    assert describe_window(window) == words


def test_a_weight_is_said_in_kilograms() -> None:
    assert describe_weight(1_250) == "1.25"
