from datetime import UTC, datetime

import pytest

from roundsman.kit.timestamps import format_timestamp, parse_timestamp


@pytest.mark.spec("decisions §1")
@pytest.mark.parametrize(
    ("text", "answered"),
    [
        ("2024-07-01T08:00:00Z", "2024-07-01T08:00:00Z"),
        ("2024-07-01t08:00:00z", "2024-07-01T08:00:00Z"),
        ("2024-07-01T08:00:00+05:30", "2024-07-01T02:30:00Z"),
        ("2024-07-01T08:00:00.123456789-00:00", "2024-07-01T08:00:00.123456Z"),
    ],
)
def test_any_offset_is_read_and_utc_is_written(text: str, answered: str) -> None:
    assert format_timestamp(parse_timestamp(text)) == answered


@pytest.mark.parametrize(
    "text",
    [
        "2024-07-01T08:00:00",
        "2024-07-01",
        "2024-13-01T08:00:00Z",
        "2024-07-01T24:00:00Z",
        "2024-07-01 08:00:00Z",
        "0001-01-01T00:00:00+01:00",
        "",
    ],
)
def test_no_offset_or_no_such_moment_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="RFC 3339"):
        parse_timestamp(text)


def test_moments_are_aware() -> None:
    assert parse_timestamp("2024-07-01T08:00:00Z") == datetime(2024, 7, 1, 8, tzinfo=UTC)
