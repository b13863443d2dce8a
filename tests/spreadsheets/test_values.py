from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundsman.spreadsheets.durations import parse_minutes, parse_seconds
from roundsman.spreadsheets.numbers import parse_degrees, parse_whole


@pytest.mark.spec("decisions §12")
@pytest.mark.parametrize(
    ("text", "duration"),
    [
        ("5", "300s"),
        ("5.5", "330s"),
        ("2,5", "150s"),
        ("300s", "300s"),
        ("90 sec", "90s"),
        ("1.5s", "1.5s"),
        ("5 min", "300s"),
        ("5 Minutes", "300s"),
        ("1h", "3600s"),
        ("1h30", "5400s"),
        ("1 h 30 min", "5400s"),
        ("0:05", "300s"),
        ("0:05:30", "330s"),
        ("0", "0s"),
    ],
)
def test_a_duration_is_minutes_unless_it_says_otherwise(text: str, duration: str) -> None:
    assert parse_minutes(text) == duration


def test_a_column_of_seconds_is_read_as_seconds() -> None:
    assert parse_seconds("90") == "90s"
    assert parse_seconds("2 min") == "120s"


@pytest.mark.parametrize("text", ["-5", "soon", "5 days", "10081", "9" * 400, "1:2:3:4"])
def test_what_is_no_duration_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"negative|number|duration|7 days"):
        parse_minutes(text)


@pytest.mark.parametrize(
    ("text", "degrees"),
    [
        ("39.2904", 39.2904),
        ("39,2904", 39.2904),
        ("-76", -76),
        ("\u221276.5", -76.5),
        ("33.9° S", -33.9),
        ("76.6W", -76.6),
    ],
)
def test_degrees_are_read_with_point_or_comma(text: str, degrees: float) -> None:
    assert parse_degrees(text, 90) == degrees


@pytest.mark.parametrize("text", ["91", "-90.1", "north", "1e3", "nan", "39 17 25"])
def test_what_is_no_latitude_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"degrees|outside"):
        parse_degrees(text, 90)


@pytest.mark.parametrize(
    ("text", "number"),
    [("7", 7), ("7.0", 7), ("1,234", 1_234), ("1.234", 1_234), ("1 234", 1_234), ("1'234", 1_234)],
)
def test_whole_numbers_may_have_thousands_separators(text: str, number: int) -> None:
    assert parse_whole(text, 100_000) == number


@pytest.mark.parametrize("text", ["-1", "1.5", "2,5", "many", "100001", "1e3"])
def test_what_is_no_whole_number_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"whole number|outside"):
        parse_whole(text, 100_000)


@given(st.text(max_size=20))
def test_any_text_is_a_duration_or_refused(text: str) -> None:
    with suppress(ValueError):
        assert parse_minutes(text).endswith("s")
