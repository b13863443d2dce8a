"""When a receiver is given up (decisions §9): each bound, met to the second and just missed."""

from datetime import UTC, datetime, timedelta

import pytest

from roundsman.domain.model import UNSET
from roundsman.domain.webhook_subscription import SubscriptionHealth

NOW = datetime(2024, 7, 1, 6, 0, tzinfo=UTC)
SECOND = timedelta(seconds=1)
DAYS, HOURS = timedelta(days=5), timedelta(hours=12)


def failing(silent: timedelta, since: timedelta, dropped: int) -> SubscriptionHealth:
    return SubscriptionHealth(
        answered_at=NOW - silent, failing_since=NOW - since, dropped_in_row=dropped
    )


@pytest.mark.spec("decisions §9")
@pytest.mark.parametrize(
    ("health", "is_hopeless"),
    [
        (failing(DAYS, HOURS, 3), True),
        (failing(DAYS - SECOND, HOURS, 3), False),
        (failing(DAYS, HOURS - SECOND, 3), False),
        (failing(DAYS, HOURS, 2), False),
        (failing(10 * DAYS, 10 * DAYS, 300), True),
        (SubscriptionHealth(answered_at=NOW - 10 * DAYS, dropped_in_row=3), False),
    ],
)
def test_a_receiver_is_given_up_when_all_three_bounds_are_met(
    health: SubscriptionHealth, *, is_hopeless: bool
) -> None:
    assert health.is_hopeless(NOW) is is_hopeless


@pytest.mark.spec("decisions §9")
def test_failures_are_counted_from_the_first_and_one_answer_ends_them() -> None:
    health = SubscriptionHealth(answered_at=NOW)
    for hours, is_dropped in ((1, False), (2, True), (3, True)):
        health = health.failed(NOW + timedelta(hours=hours), is_dropped=is_dropped)
    assert (health.failing_since, health.dropped_in_row) == (NOW + timedelta(hours=1), 2)
    assert (health.is_failing(), health.room()) == (True, 2)
    health = health.answered(NOW + HOURS)
    assert health == SubscriptionHealth(answered_at=NOW + HOURS)
    assert (health.is_failing(), health.room()) == (False, 10)


DAY = timedelta(days=1)


@pytest.mark.parametrize(
    ("health", "is_due_in"),
    [
        (failing(HOURS, HOURS, 1), DAYS - HOURS),
        (failing(DAYS - DAY, HOURS, 1), DAY),
        (failing(HOURS, HOURS - SECOND, 1), None),
        (failing(HOURS, HOURS, 0), None),
        (failing(DAYS - DAY + SECOND, HOURS, 3), None),
        (failing(10 * DAYS, HOURS, 3), None),
        (SubscriptionHealth(answered_at=NOW - DAY, dropped_in_row=3), None),
    ],
)
def test_a_warning_comes_of_no_single_outage_with_an_event_lost_and_a_day_left(
    health: SubscriptionHealth, is_due_in: timedelta | None
) -> None:
    assert health.warns_of(NOW) == (UNSET if is_due_in is None else NOW + is_due_in)


def test_a_receiver_that_answers_is_not_about_to_be_given_up() -> None:
    assert SubscriptionHealth(answered_at=NOW).hopeless_from() is UNSET
    assert failing(DAYS, HOURS, 0).hopeless_from() == NOW
    assert failing(10 * DAYS, timedelta(), 0).hopeless_from() == NOW + HOURS
