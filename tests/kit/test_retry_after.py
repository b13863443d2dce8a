"""Retry-After in seconds, as a date, and as nothing that can be read."""

from datetime import UTC, datetime, timedelta

import pytest

from roundsman.kit.retry_after import read_retry_after

NOW = datetime(2026, 11, 24, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30", 30),
        ("0", 0),
        ("9" * 400, 999_999_999),
        ("Tue, 24 Nov 2026 09:01:00 GMT", 60),
        ("Tuesday, 24-Nov-26 09:01:00 GMT", 60),
        ("Tue, 24 Nov 2026 08:00:00 GMT", 0),
    ],
)
def test_seconds_and_dates_are_read(text: str, seconds: int) -> None:
    assert read_retry_after(text, NOW) == timedelta(seconds=seconds)


@pytest.mark.parametrize("text", ["", "soon", "-5", "\u0665", "Tue, 24 Nov 99999 09:01:00 GMT"])
def test_anything_else_says_nothing(text: str) -> None:
    assert read_retry_after(text, NOW) is None
