import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundsman.kit.durations import format_duration, parse_duration, whole_seconds


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(
    ("given_text", "answered"),
    [("300s", "300s"), ("1.50s", "1.5s"), ("0s", "0s"), ("0.000000001s", "0.000000001s")],
)
def test_durations_are_answered_without_trailing_zeros(given_text: str, answered: str) -> None:
    assert format_duration(parse_duration(given_text)) == answered


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(
    "text", ["", "s", "5", "5m", "-1s", "+1s", "1.s", ".5s", "1.0000000001s", "1e3s", " 1s", "1s\n"]
)
def test_anything_else_is_no_duration(text: str) -> None:
    with pytest.raises(ValueError, match="seconds"):
        parse_duration(text)


@given(st.integers(min_value=0, max_value=10**18))
def test_what_is_written_reads_back(nanoseconds: int) -> None:
    assert parse_duration(format_duration(nanoseconds)) == nanoseconds


def test_planning_rounds_up() -> None:
    assert whole_seconds(format_duration(1)) == 1
