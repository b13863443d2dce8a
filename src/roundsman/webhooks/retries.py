"""When a failed attempt is tried again (decisions §9)."""

from datetime import timedelta

from roundsman.domain.model import UNSET, UnsetType
from roundsman.kit.ids import IdSource

_DELAYS = (
    *(timedelta(seconds=seconds) for seconds in (15, 30)),
    *(timedelta(minutes=minutes) for minutes in (1, 2, 5, 10, 20, 40, 75, 145)),
)
MOST_ATTEMPTS = len(_DELAYS) + 1
_SPREAD = 0.1
_MOST_OF_A_DELAY = 2
"""A receiver's Retry-After counts up to twice the usual delay."""

LONGEST_DELAY = max(_DELAYS) * (1 + _SPREAD) * _MOST_OF_A_DELAY


def delay_after(
    tries: int, ids: IdSource, retry_after: timedelta | UnsetType = UNSET
) -> timedelta | None:
    """Return the delay after this many failed attempts; None when there is no retry left.

    `retry_after` is the receiver's Retry-After. Random spread keeps deliveries that failed at
    one time from being retried at one time.
    """
    if tries > len(_DELAYS):
        return None
    share = int.from_bytes(ids.random_bytes(2)) / 0xFFFF
    delay = _DELAYS[tries - 1] * (1 + _SPREAD * (2 * share - 1))
    if isinstance(retry_after, UnsetType):
        return delay
    return min(max(retry_after, delay), delay * _MOST_OF_A_DELAY)
