"""RFC 3339 timestamps: read with any offset, kept and written in UTC (decisions §1)."""

import re
from datetime import UTC, datetime

_WRITTEN = re.compile(
    r"(\d{4}-\d{2}-\d{2})[Tt]((?:[01]\d|2[0-3]):\d{2}:\d{2})(?:\.(\d{1,9}))?([Zz]|[+-]\d{2}:\d{2})",
    re.ASCII,
)

_WRONG = 'must be an RFC 3339 timestamp with an offset, such as "2024-07-01T08:00:00Z"'


def parse_timestamp(text: str) -> datetime:
    """Return the moment in UTC, to the microsecond; raise ValueError when it is no timestamp."""
    match = _WRITTEN.fullmatch(text)
    if match is None:
        raise ValueError(_WRONG)
    day, time, decimals, offset = match.groups()
    micros = (decimals or "0")[:6].ljust(6, "0")
    sign = "+00:00" if offset in "Zz" else offset
    try:
        return datetime.fromisoformat(f"{day}T{time}.{micros}{sign}").astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise ValueError(_WRONG) from error


def format_timestamp(instant: datetime) -> str:
    """Write a moment in UTC with `Z`, as the interface and the headers do."""
    return instant.astimezone(UTC).isoformat().replace("+00:00", "Z")
