"""What a list is searched in: names, companies, order names, phones and e-mail addresses, folded.

What is of one day is searched in addresses, too.

Databases differ in which letters they hold for the same. So case is folded here (Unicode's case
folding and NFKC), both of what is stored and of what is searched for, and a database compares
characters alone.

A phone number is kept in E.164 form, and people say and write it as their country does. So what
looks like a number is searched for by its digits, too.
"""

import re
import unicodedata
from collections.abc import Iterable

import msgspec

from roundsman.domain.address import Address, Contact
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.model import UnsetType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.store_order import StoreOrder


def fold_for_search(text: str) -> str:
    """Return a text without differences of case, width and spacing."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join(unicodedata.normalize("NFKC", folded).split())


_FEWEST_DIGITS = 4
"""Of fewer, too many numbers would be found."""

_NUMBER = re.compile(r"(?:tel[.:]? ?)?[0-9 +()\[\]/.\u2010-\u2015\u2212-]+")
_TRUNK_ZERO = re.compile(r"[(\[] ?0 ?[)\]]")
"""The zero that is dialled within a country alone, as in +49 (0)6221."""


def spellings_of_search(text: str) -> tuple[str, ...]:
    """Return in which spellings a text is searched for, folded; none where it says nothing."""
    folded = fold_for_search(text)
    digits = _digits_of_number(folded)
    return tuple(one for one in dict.fromkeys((folded, digits)) if one)


def is_found(spellings: Iterable[str], text: str) -> bool:
    """Say whether a text that is searched in has one of the spellings."""
    return any(one in text for one in spellings)


def _digits_of_number(folded: str) -> str:
    """Return the digits that a phone number has in every spelling, or nothing if it is none.

    Those are the ones without 0 or 00 in front, and without the country's where it is not said.
    """
    # Phones copy a number with marks around it that say in which direction it is read.
    seen = "".join(letter for letter in folded if unicodedata.category(letter) != "Cf").strip()
    if not _NUMBER.fullmatch(seen):
        return ""
    digits = re.sub(r"[^0-9]", "", _TRUNK_ZERO.sub("", seen)).lstrip("0")
    return digits if len(digits) >= _FEWEST_DIGITS else ""


def search_text_of_route(route: Route) -> str:
    """Return what a route is found by: its name, and whatever its stops are found by."""
    return _lines([route.name, *(text for stop in route.stops for text in _texts(stop))])


def search_text_of_stop(stop: RouteStop | ImportedStop) -> str:
    """Return what a stop is found by."""
    return _lines(_texts(stop))


def day_text_of_stop(stop: RouteStop | ImportedStop) -> str:
    """Return what a stop is found by among those of its day: its address, too."""
    return _lines([*_texts(stop), *_address(stop.address)])


def day_text_of_order(order: StoreOrder) -> str:
    """Return what an order is found by among what is on no route of its day: its address, too."""
    return _lines([*_names(order.contact, order.name), *_address(order.address)])


def search_text_of_order(order: StoreOrder) -> str:
    """Return what an order of a storefront is found by."""
    return _lines(_names(order.contact, order.name))


def date_text(stop: ImportedStop | StoreOrder) -> str | None:
    """Return the day of a delivery as YYYY-MM-DD, none where it has none."""
    date = stop.delivery_date
    return None if isinstance(date, UnsetType) else date.as_date().isoformat()


def list_tags(tags: Iterable[str]) -> str:
    """Return tags so that `tag_in_list` of one is a part of it, and of no other tag."""
    quoted = [msgspec.json.encode(tag).decode() for tag in tags]
    return f",{','.join(quoted)}," if quoted else ""


def tag_in_list(tag: str) -> str:
    """Return how a tag stands in a list of tags."""
    return list_tags([tag])


def _texts(stop: RouteStop | ImportedStop) -> list[str]:
    return _names(stop.contact, stop.order_name)


def _names(contact: Contact | UnsetType, order_name: str) -> list[str]:
    known = Contact() if isinstance(contact, UnsetType) else contact
    name = f"{known.first_name} {known.last_name}"
    return [name, known.company, order_name, known.phone, known.email]


def _address(address: Address | UnsetType) -> list[str]:
    """Return street, rest and town; not the country, which is in too many other words."""
    if isinstance(address, UnsetType):
        return []
    return [address.address1, address.address2, f"{address.zip} {address.city}"]


def _lines(texts: Iterable[str]) -> str:
    """Return each text on a line of its own, so that no match goes from one into the next."""
    folded = [fold_for_search(text) for text in texts]
    return "\n".join(text for text in folded if text)
