"""Queries for addresses to a geocoder over HTTP, the most exact first; a few addresses at a time.

Such geocoders find nothing when they do not know one part of a query. So queries with fewer parts
follow until one is answered. Each answer is compared with the whole address, so that a query with
fewer parts never brings a wrong door.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor

from msgspec.structs import replace

from roundsman.domain.address import Address
from roundsman.domain.errors import Unavailable
from roundsman.geocoding.geocoder import Match, Miss, nothing_found
from roundsman.geocoding.one_line import in_parts
from roundsman.geocoding.remote_results import RemoteResult, choose
from roundsman.kit.http import HttpFailure


def find_best_match(
    address: Address, search: Callable[[Address], Sequence[RemoteResult]], attribution: str
) -> Match | Miss:
    """Return the best result, or why there is none."""
    for query, wanted in _queries(address):
        found = choose(search(query), wanted, attribution)
        if isinstance(found, Match) or found.settled:
            return found
    return nothing_found(address)


def _queries(address: Address) -> Iterator[tuple[Address, Address]]:
    """Yield each query with the address that its results are compared with.

    The city of a postal address is often not that of the map; the postal code replaces it.
    """
    parts = in_parts(address)
    yield parts, parts
    has_street, has_code = bool(parts.address1.strip()), bool(parts.zip.strip())
    if has_street and has_code and parts.city.strip():
        yield replace(parts, city="", province_code=""), parts
    if has_street and (has_code or parts.city.strip()):
        yield replace(parts, address1="", address2=""), parts
    if not has_street and address.address1.strip():
        yield address, address  # one word alone may be a town, and else a street


AT_ONCE = 8
"""How many requests one batch has under way."""


def locate_each(
    addresses: Sequence[Address], locate: Callable[[Address], Match | Miss]
) -> list[Match | Miss]:
    """Return the answer for each address, in order; raise Unavailable when any has none."""
    if not addresses:
        return []
    with ThreadPoolExecutor(min(AT_ONCE, len(addresses))) as threads:
        wanted = [threads.submit(locate, address) for address in addresses]
        try:
            return [answer.result() for answer in wanted]
        except HttpFailure as error:
            threads.shutdown(wait=False, cancel_futures=True)
            raise unavailable(error) from error


def unavailable(error: HttpFailure) -> Unavailable:
    """Return the error for a geocoder that gave no usable answer."""
    return Unavailable(f"the geocoder is away, nothing was changed: {error}")
