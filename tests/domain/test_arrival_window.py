"""The interval that a customer is promised: start values, steps, and when it may move."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundsman.domain.arrival_window import (
    ESTIMATE_SPREAD,
    ROAD_SPREAD,
    STEP,
    ArrivalWindow,
    Spread,
    expect_window,
    hold_window,
)

TAUGHT = (
    Spread(early=0.01, late=0.02, least=timedelta()),
    Spread(early=-0.3, late=0.5, least=timedelta()),
    Spread(early=0.4, late=-0.1, least=timedelta()),
)
"""What days may teach, also those on which every driver is late, or early."""

SEVEN = datetime(2024, 7, 1, 7, tzinfo=UTC)


def clock(text: str) -> datetime:
    return datetime.fromisoformat(f"2024-07-01T{text}:00+00:00")


def window(text: str) -> ArrivalWindow:
    start, end = text.split("-")
    return ArrivalWindow(start=clock(start), end=clock(end))


@pytest.mark.spec("decisions §16")
@pytest.mark.parametrize(
    ("expected", "spread", "shown"),
    [
        ("07:00", ROAD_SPREAD, "06:55-07:05"),
        ("07:02", ROAD_SPREAD, "06:55-07:10"),
        ("07:40", ROAD_SPREAD, "07:30-07:50"),
        ("09:00", ROAD_SPREAD, "08:40-09:30"),
        ("09:00", ESTIMATE_SPREAD, "08:45-10:15"),
        ("06:30", ROAD_SPREAD, "06:25-06:35"),
        ("07:12", TAUGHT[0], "07:10-07:20"),
        ("07:10", TAUGHT[0], "07:05-07:15"),
        ("08:40", TAUGHT[1], "08:40-09:30"),
        ("08:40", TAUGHT[2], "08:00-08:40"),
    ],
)
def test_a_window_is_a_share_of_the_time_that_is_left(
    expected: str, spread: Spread, shown: str
) -> None:
    assert expect_window(clock(expected), SEVEN, spread) == window(shown)


@pytest.mark.parametrize(
    ("opens", "shown"),
    [("08:45", "08:45-09:30"), ("08:47", "08:50-09:30"), ("10:00", "10:00-10:10")],
)
def test_a_window_never_begins_before_the_stops_own_opens(opens: str, shown: str) -> None:
    assert expect_window(clock("09:00"), SEVEN, ROAD_SPREAD, clock(opens)) == window(shown)


@given(
    left=st.timedeltas(timedelta(hours=-1), timedelta(hours=20)),
    opens=st.none() | st.timedeltas(timedelta(hours=-5), timedelta(hours=20)),
    spread=st.sampled_from([ROAD_SPREAD, ESTIMATE_SPREAD, *TAUGHT]),
)
def test_a_window_has_steps_and_a_width_and_holds_what_is_expected(
    left: timedelta, opens: timedelta | None, spread: Spread
) -> None:
    opens_at = None if opens is None else SEVEN + opens
    shown = expect_window(SEVEN + left, SEVEN, spread, opens_at)
    for instant in (shown.start, shown.end):
        assert instant.timestamp() % STEP.total_seconds() == 0
    assert shown.end - shown.start >= 2 * STEP
    assert shown.end >= SEVEN + left + spread.least
    if opens_at is None:
        assert shown.start <= SEVEN + left - spread.least
    else:
        assert shown.start >= opens_at


@pytest.mark.spec("decisions §16")
@pytest.mark.parametrize(
    ("promised", "fresh", "expected", "held"),
    [
        ("08:00-09:00", "08:10-08:55", "08:30", "08:00-09:00"),
        ("08:00-09:00", "08:10-08:50", "08:30", "08:10-08:50"),
        ("08:00-09:00", "08:40-09:50", "09:01", "08:40-09:50"),
        ("08:00-09:00", "07:10-08:20", "07:55", "07:10-08:20"),
        ("08:00-08:30", "08:00-09:00", "08:20", "08:00-08:30"),
        ("09:00-09:30", "09:00-09:25", "08:50", "09:00-09:30"),
    ],
)
def test_a_promise_moves_only_where_it_is_left_or_narrows_by_a_third(
    promised: str, fresh: str, expected: str, held: str
) -> None:
    assert hold_window(window(promised), window(fresh), clock(expected)) == window(held)
