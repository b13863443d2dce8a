"""What people call a stop."""

from collections.abc import Sequence

from roundsman.domain.address import Address, Contact
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.model import UnsetType
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.store_order import StoreOrder


def name_of_stop(stop: RouteStop | ImportedStop) -> str:
    """Return whom a stop is for, else its order, else where it is; empty where nothing is said."""
    return _first_said([*_names_in(stop.contact), stop.order_name, _line_of(stop.address)])


def name_of_order(order: StoreOrder) -> str:
    """Return the same of an order, which has an id at least."""
    return _first_said([*_names_in(order.contact), order.name, _line_of(order.address), order.id])


def _names_in(contact: Contact | UnsetType) -> Sequence[str]:
    if isinstance(contact, UnsetType):
        return ()
    return f"{contact.first_name} {contact.last_name}", contact.company


def _line_of(address: Address | UnsetType) -> str:
    return "" if isinstance(address, UnsetType) else address.address1 or address.one_line()


def _first_said(texts: Sequence[str]) -> str:
    return next((text.strip() for text in texts if text.strip()), "")
