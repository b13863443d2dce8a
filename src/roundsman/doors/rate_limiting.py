"""The rate limit and its headers (specification, Limits; decisions §3)."""

from datetime import UTC, datetime, timedelta

from roundsman.doors.responses import RawHeaders
from roundsman.kit.leaky_bucket import Rate, Verdict

PUBLIC_RATE = Rate(capacity=120, interval_micros=100_000)
"""10 requests a second for each API client, bursts of 120."""

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def micros(moment: datetime) -> int:
    """Return a moment as the buckets count it."""
    return (moment - _EPOCH) // timedelta(microseconds=1)


def rate_headers(verdict: Verdict) -> RawHeaders:
    """Return the headers of every authenticated response."""
    return [
        (b"ratelimit-limit", b"%d" % verdict.rate.capacity),
        (b"ratelimit-remaining", b"%d" % verdict.remaining),
        (b"ratelimit-reset", b"%d" % verdict.reset_seconds),
    ]
