"""What a geocoder over HTTP is asked for an address: the best question first, till one is answered.

Such services look for all that they are told, and answer nothing where they know one part not. Each
answer is held against the whole address, so a question with fewer parts brings no wrong door.
"""

from collections.abc import Callable, Iterator, Sequence

from msgspec.structs import replace

from roundsman.domain.address import Address
from roundsman.geocoding.foreign_answers import Found, choose
from roundsman.geocoding.geocoder import Match, Miss
from roundsman.geocoding.one_line import in_parts


def look_up(
    address: Address, search: Callable[[Address], Sequence[Found]], attribution: str
) -> Match | Miss:
    """Return the best that is found, or why there is nothing."""
    for question, wanted in _questions(address):
        found = choose(search(question), wanted, attribution)
        if isinstance(found, Match) or found.settled:
            return found
    return Miss(reason=f'nothing was found for "{address.one_line()}"')


def _questions(address: Address) -> Iterator[tuple[Address, Address]]:
    """Say what to ask, and which address the answer is held against.

    The city of the post is often another than that of the map: the postal code will do for it.
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
