"""The clock of a simulated day: as fast as asked, and never ahead of the present."""

import threading
from datetime import UTC, datetime, timedelta

from tests.world import FixedClock

from roundsman.simulation.clock import DayClock

NOON = datetime(2024, 7, 1, 12, tzinfo=UTC)


def test_a_past_day_waits_for_nothing_at_full_speed() -> None:
    clock = DayClock(NOON - timedelta(hours=9), 0, FixedClock(NOON))
    assert clock.advance_to(NOON - timedelta(hours=1))
    assert clock.now() == NOON - timedelta(hours=1)


def test_it_never_goes_back() -> None:
    clock = DayClock(NOON, 0, FixedClock(NOON))
    assert clock.advance_to(NOON - timedelta(hours=1))
    assert clock.now() == NOON


def test_it_waits_for_its_speed_and_for_the_present() -> None:
    real = FixedClock(NOON)
    hurried = DayClock(NOON - timedelta(hours=9), 100, real)
    present = DayClock(NOON - timedelta(hours=9), 0, real)
    for clock, moment in (
        (hurried, NOON - timedelta(hours=8)),  # 36 s at this speed
        (present, NOON + timedelta(minutes=1)),
    ):
        arrived: list[bool] = []
        waiting = threading.Thread(target=lambda: arrived.append(clock.advance_to(moment)))  # noqa: B023 -- joined within the turn
        waiting.start()
        assert clock.now() < moment
        clock.stop()
        waiting.join()
        assert arrived == [False]
        assert clock.now() < moment


def test_after_its_wait_it_is_the_moment() -> None:
    real = FixedClock(NOON)
    clock = DayClock(NOON - timedelta(hours=9), 100, real)
    real.advance(seconds=36)
    assert clock.advance_to(NOON - timedelta(hours=8))
    assert clock.now() == NOON - timedelta(hours=8)
