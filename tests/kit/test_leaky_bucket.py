from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from roundsman.kit.leaky_bucket import MemoryBuckets, Rate, take

RATE = Rate(capacity=120, interval_micros=100_000)
SMALL = Rate(capacity=5, interval_micros=100)


class ExactBucket:
    """The bucket as one imagines it: a level that drains, in exact fractions."""

    def __init__(self) -> None:
        self.level = Fraction(0)
        self.at = 0

    def take(self, now: int) -> bool:
        drained = Fraction(now - self.at, RATE.interval_micros)
        self.level, self.at = max(Fraction(0), self.level - drained), now
        if self.level + 1 > RATE.capacity:
            return False
        self.level += 1
        return True


@pytest.mark.spec("Limits")
@given(st.lists(st.integers(min_value=0, max_value=400_000), min_size=1, max_size=400))
def test_the_bucket_decides_as_an_exact_leaky_bucket_does(gaps: list[int]) -> None:
    exact, full_at, now = ExactBucket(), 0, 1_000_000_000
    exact.at = now
    for gap in gaps:
        now += gap
        verdict = take(full_at, now, RATE)
        full_at = verdict.full_at
        assert verdict.is_allowed == exact.take(now)
        assert verdict.remaining == int(RATE.capacity - exact.level)


@given(st.integers(min_value=0, max_value=200))
def test_waiting_retry_after_is_enough_and_less_is_not(taken: int) -> None:
    full_at, now = 0, 1_000_000_000
    for _ in range(taken):
        full_at = take(full_at, now, RATE).full_at
    verdict = take(full_at, now, RATE)
    if not verdict.is_allowed:
        later = now + verdict.retry_after_seconds * 1_000_000
        assert take(verdict.full_at, later, RATE).is_allowed
        assert verdict.full_at == full_at


def test_keys_have_buckets_of_their_own() -> None:
    buckets = MemoryBuckets()
    assert [buckets.take("a", 0, Rate(capacity=1, interval_micros=1)).is_allowed] == [True]
    assert buckets.take("a", 0, Rate(capacity=1, interval_micros=1)).is_allowed is False
    assert buckets.take("b", 0, Rate(capacity=1, interval_micros=1)).is_allowed is True
