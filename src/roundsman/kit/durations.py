"""Durations as the interface writes them: a number of seconds followed by `s`.

A `Duration` is the canonical text itself, so it is stored and answered without a conversion; it is
made only here. Up to nine decimals, never negative, without trailing zeros (decisions §1).
"""

import re
from functools import lru_cache
from typing import Annotated, NewType

from msgspec import Meta

_WRITTEN = re.compile(r"(0|[1-9][0-9]{0,11})(?:\.([0-9]{1,9}))?s", re.ASCII)
_NANOS_PER_SECOND = 1_000_000_000

DURATION_PATTERN = r"^(0|[1-9][0-9]{0,11})(\.[0-9]{1,9})?s$"

DurationText = NewType("DurationText", str)

type Duration = Annotated[
    DurationText,
    Meta(
        pattern=DURATION_PATTERN,
        description='a number of seconds followed by "s", such as "300s" or "1.5s"',
        examples=["300s"],
    ),
]


def parse_duration(text: str) -> int:
    """Return the nanoseconds that `text` stands for; raise ValueError when it is no duration."""
    match = _WRITTEN.fullmatch(text)
    if match is None:
        raise ValueError('must be a number of seconds followed by "s", such as "300s"')
    whole, decimals = match.groups()
    return int(whole) * _NANOS_PER_SECOND + int((decimals or "").ljust(9, "0"))


def format_duration(nanoseconds: int) -> Duration:
    """Write a duration canonically: no trailing zeros, no bare point."""
    whole, rest = divmod(nanoseconds, _NANOS_PER_SECOND)
    decimals = f".{rest:09d}".rstrip("0") if rest else ""
    return DurationText(f"{whole}{decimals}s")


def from_seconds(seconds: int) -> Duration:
    """Return whole seconds as a duration."""
    return DurationText(f"{seconds}s")


@lru_cache(maxsize=4_096)  # the stops of a day have few durations, and are asked again and again
def whole_seconds(duration: Duration) -> int:
    """Return the duration in seconds, rounded up: a plan must never promise less time."""
    return -(-parse_duration(duration) // _NANOS_PER_SECOND)
