"""Locates many addresses by a geocoder over HTTP, a few at a time; all of them or none."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from roundsman.domain.address import Address
from roundsman.domain.errors import Unavailable
from roundsman.geocoding.geocoder import Match, Miss
from roundsman.kit.http import HttpFailure

AT_ONCE = 8
"""How many requests one batch has under way."""


def locate_each(
    addresses: Sequence[Address], ask: Callable[[Address], Match | Miss]
) -> list[Match | Miss]:
    """Return the answer for each address, in order; raise Unavailable when any has none."""
    if not addresses:
        return []
    with ThreadPoolExecutor(min(AT_ONCE, len(addresses))) as threads:
        wanted = [threads.submit(ask, address) for address in addresses]
        try:
            return [answer.result() for answer in wanted]
        except HttpFailure as error:
            threads.shutdown(wait=False, cancel_futures=True)
            raise unavailable(error) from error


def unavailable(error: HttpFailure) -> Unavailable:
    """Return the error for a geocoder that gave no usable answer."""
    return Unavailable(f"the geocoder is away, nothing was changed: {error}")
