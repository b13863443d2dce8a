"""The rate limit and its headers (specification, Limits; decisions §3)."""

from datetime import UTC, datetime, timedelta

from roundsman.kit.leaky_bucket import Rate, Verdict

PUBLIC_RATE = Rate(capacity=120, interval_micros=100_000)
"""10 requests a second for each API client, bursts of 120."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def micros(moment: datetime) -> int:
    """Return a moment as the buckets count it."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def rate_headers(verdict: Verdict) -> dict[str, str]:
    """Return the headers of every authenticated response."""
    return {
        "RateLimit-Limit": str(verdict.rate.capacity),
        "RateLimit-Remaining": str(verdict.remaining),
        "RateLimit-Reset": str(verdict.reset_seconds),
    }
