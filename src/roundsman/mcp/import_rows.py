"""What a proposed import shows of each stop: what was given, and what it does to a known one.

An import replaces a known stop whole, so what it does not give is gone. Customers' phone numbers
and e-mails are in no answer: of those, only the names of their fields.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from msgspec.structs import fields

from roundsman.domain.address import Address, Contact
from roundsman.domain.imported_stop import ImportedStop, StopDraft
from roundsman.domain.model import UnsetType
from roundsman.domain.stop_name import name_of_stop
from roundsman.mcp.answers import as_data
from roundsman.routing.route_rows import say_window

_SHOWN_ITSELF = {
    "clientStopId",
    "orderName",
    "contact.firstName",
    "contact.lastName",
    "contact.company",
    "coordinates",
    "note",
    "timeWindows",
    "deliveryDate",
}


def show_drafts(
    drafts: Sequence[StopDraft], known: Mapping[str, ImportedStop]
) -> list[dict[str, Any]]:
    """Return a row for each stop: those that lose something, other known ones, new ones."""
    rows = [_show_draft(draft, known.get(draft.client_stop_id)) for draft in drafts]
    return sorted(rows, key=lambda row: ("loses" not in row, "replaces" not in row))


def _show_draft(draft: StopDraft, known: ImportedStop | None) -> dict[str, Any]:
    given = dict(_given_fields(draft))
    contact = Contact() if isinstance(draft.contact, UnsetType) else draft.contact
    names = (draft.order_name, contact.first_name, contact.last_name, contact.company)
    date = draft.delivery_date
    row = {
        "name": as_data(" ".join(names)),
        "clientStopId": as_data(draft.client_stop_id),
        "address": _show_address(draft.address),
        "coordinates": _show_coordinates(draft),
        "deliveryDate": "" if isinstance(date, UnsetType) else date.as_date().isoformat(),
        "windows": ", ".join(say_window(window) for window in draft.time_windows[:3]),
        "note": as_data(draft.note),
        "alsoGiven": [
            name for name in given if name not in _SHOWN_ITSELF and not name.startswith("address.")
        ],
    }
    if known is None:
        return row
    before = dict(_given_fields(known))
    loses = [name for name in before if name not in given and not _is_found_again(name, draft)]
    return {
        **row,
        "replaces": as_data(name_of_stop(known)) or known.id,
        "changes": [name for name in given if before.get(name) != given[name]],
        **({"loses": loses} if loses else {}),
    }


def _show_address(address: Address | UnsetType) -> str:
    return "" if isinstance(address, UnsetType) else as_data(address.one_line())


def _show_coordinates(draft: StopDraft) -> str:
    at = draft.coordinates
    return "" if isinstance(at, UnsetType) else f"{at.latitude}, {at.longitude}"


def _given_fields(stop: StopDraft) -> Iterator[tuple[str, object]]:
    """Yield the wire's name and the value of what a client has said; of contact, each part."""
    for name, value in _said(stop, StopDraft):
        if isinstance(value, (Contact, Address)):
            yield from ((f"{name}.{part}", one) for part, one in _said(value, type(value)))
        else:
            yield name, value


def _said(model: Any, kind: Any) -> Iterator[tuple[str, object]]:
    for field in fields(kind):
        value = getattr(model, field.name)
        if value not in ("", (), 0) and value != field.default:
            yield field.encode_name, value


def _is_found_again(name: str, draft: StopDraft) -> bool:
    """Say whether a new address takes the place of all of it, or coordinates are looked up."""
    is_place = name == "coordinates" or name.startswith("address.")
    return is_place and isinstance(draft.address, Address)
