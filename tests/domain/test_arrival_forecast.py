"""Windows that hold nine times out of ten, learned from days with bias, noise and traffic."""

import random
from datetime import UTC, datetime, timedelta

import pytest

from roundsman.domain.arrival_forecast import (
    ENOUGH_TOGETHER,
    ArrivalForecast,
    KeptForecast,
    learn_spreads,
)
from roundsman.domain.arrival_window import (
    START_SPREADS,
    STOPS_AHEAD,
    ArrivalSpreads,
    ArrivalWindow,
    expect_window,
)
from roundsman.domain.report import report_arrivals

pytestmark = pytest.mark.spec("decisions §16")

SEVEN = datetime(2024, 7, 1, 7, tzinfo=UTC)
MINUTES_A_STOP = 9.0


def drive(rng: random.Random, day: int, spreads: ArrivalSpreads, routes: int) -> list[KeptForecast]:
    """Return what was expected on a day, and came: legs and doors take longer, and vary."""
    traffic = rng.gauss(1.0, 0.08)
    kept = []
    for _ in range(routes):
        pace = traffic * rng.gauss(1.0, 0.05)
        for ahead in (0, 1, 2, 4, 8, 15, 25):
            known_at = SEVEN + timedelta(days=day, minutes=rng.random() * 300)
            left = timedelta(minutes=MINUTES_A_STOP * (ahead + 1) * rng.uniform(0.7, 1.3))
            doors = sum(rng.gauss(0.6, 3.0) for _ in range(ahead + 1))
            expected_at = known_at + left
            counted = max(least for least in STOPS_AHEAD if least <= ahead)
            kept.append(
                KeptForecast(
                    stop_id=str(rng.random()),
                    stops_ahead=counted,
                    is_estimated=False,
                    known_at=known_at,
                    expected_at=expected_at,
                    window=expect_window(
                        expected_at, known_at, spreads.at(ahead, is_estimated=False)
                    ),
                    arrived_at=known_at + left * pace + timedelta(minutes=doors),
                )
            )
    return kept


@pytest.mark.parametrize("seed", [0, *(pytest.param(n, marks=pytest.mark.full) for n in (1, 2))])
def test_after_fourteen_days_nine_of_ten_windows_hold(seed: int) -> None:
    rng = random.Random(seed)  # noqa: S311 -- a test's draw
    spreads, past, shown = START_SPREADS, list[KeptForecast](), list[KeptForecast]()
    for day in range(60):
        driven = drive(rng, day, spreads, routes=8)
        shown += driven if day >= 14 else []
        past += driven
        spreads = learn_spreads(past)
    buckets = report_arrivals(shown).buckets
    held = sum(one.held for one in buckets) / sum(one.count for one in buckets)
    assert 0.88 <= held <= 0.92
    for one in buckets:
        assert isinstance(one.share, float)
        assert 0.85 <= one.share <= (0.95), one
    widths = [(one.window.end - one.window.start).total_seconds() / 60 for one in shown]
    assert sum(widths) / len(widths) < 60, "narrower than half an hour to either side"


def test_few_days_say_nothing_and_a_small_group_speaks_with_the_others() -> None:
    rng = random.Random(1)  # noqa: S311 -- a test's draw
    few = drive(rng, 0, START_SPREADS, routes=ENOUGH_TOGETHER // 7)
    assert learn_spreads(few) == START_SPREADS
    more = few + drive(rng, 1, START_SPREADS, routes=4)
    learned = learn_spreads(more)
    assert len({(one.early, one.late) for one in learned.roads}) == 1
    assert learned.estimates == START_SPREADS.estimates


def test_who_waits_for_a_window_to_open_may_come_early() -> None:
    window = ArrivalWindow(start=SEVEN, end=SEVEN + timedelta(minutes=10))
    early = SEVEN - timedelta(minutes=20)
    waits, does_not = (
        ArrivalForecast(
            stop_id="s",
            stops_ahead=0,
            is_estimated=False,
            known_at=SEVEN - timedelta(hours=1),
            expected_at=expected_at,
            window=window,
        )
        for expected_at in (early, SEVEN)
    )
    assert waits.holds(early)
    assert not does_not.holds(early)
    assert not waits.holds(SEVEN + timedelta(minutes=11))
