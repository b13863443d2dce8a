"""Asking a geocoder over HTTP for many addresses: a few at a time, and all or none."""

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor

from roundsman.domain.address import Address
from roundsman.domain.errors import Unavailable
from roundsman.geocoding.geocoder import Match, Miss
from roundsman.kit.http import HttpFailure

AT_ONCE = 8
"""Requests under way to one geocoder from one batch."""


def ask_each(
    addresses: Sequence[Address], ask: Callable[[Address], Match | Miss]
) -> list[Match | Miss]:
    """Return the answer for each address, in order; raise Unavailable when any has none."""
    if not addresses:
        return []
    with ThreadPoolExecutor(min(AT_ONCE, len(addresses))) as threads:
        asked = [threads.submit(ask, address) for address in addresses]
        try:
            return [answer.result() for answer in asked]
        except HttpFailure as error:
            threads.shutdown(wait=False, cancel_futures=True)
            raise away(error) from error


def away(error: HttpFailure) -> Unavailable:
    """Return what the caller is told of a geocoder that brought no usable answer."""
    return Unavailable(f"the geocoder is away, nothing was changed: {error}")
