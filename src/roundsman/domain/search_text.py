"""What a list is searched in: names, companies, order names and phone numbers, folded.

What is of one day is searched in addresses, too.

Databases differ in which letters they hold for the same. So case is folded here (Unicode's case
folding and NFKC), both of what is stored and of what is searched for, and a database compares
characters alone.
"""

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
    return [name, known.company, order_name, known.phone]


def _address(address: Address | UnsetType) -> list[str]:
    """Return street, rest and town; not the country, which is in too many other words."""
    if isinstance(address, UnsetType):
        return []
    return [address.address1, address.address2, f"{address.zip} {address.city}"]


def _lines(texts: Iterable[str]) -> str:
    """Return each text on a line of its own, so that no match goes from one into the next."""
    folded = [fold_for_search(text) for text in texts]
    return "\n".join(text for text in folded if text)
