"""The header Retry-After: seconds, or a date (RFC 9110, 10.2.3)."""

from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime

_MOST_DIGITS = 9


def read_retry_after(text: str, now: datetime) -> timedelta | None:
    """Return how long somebody wants to be left alone; None where the text says nothing."""
    if text.isascii() and text.isdigit():
        return timedelta(seconds=int(text[:_MOST_DIGITS]))
    until = read_http_date(text)
    return None if until is None else max(until - now, timedelta(0))


def read_http_date(text: str) -> datetime | None:
    """Return a date of HTTP; None where the text is none."""
    try:
        moment = parsedate_to_datetime(text)
        # A date of the oldest form has no zone; all of HTTP's are in UTC (RFC 9110, 5.6.7).
        return moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
