"""A route as rows for a spreadsheet: one a stop, with everything that a planner knows of it."""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime

import msgspec

from roundsman.domain.address import Address, Contact, Coordinates
from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.customer_note import CustomerNote
from roundsman.domain.driver import name_of_driver
from roundsman.domain.imported_stop import Attribute, StopDraft
from roundsman.domain.model import UnsetType
from roundsman.domain.proof import LeftWith
from roundsman.domain.rating import CustomerRating
from roundsman.domain.route_stop import RouteStop, StoreOrderNotes
from roundsman.domain.stop_name import name_of_stop
from roundsman.domain.stop_type import StopType
from roundsman.domain.time_window import Date, TimeOfDay, TimeWindow
from roundsman.kit.durations import whole_seconds
from roundsman.routing.route_problem import zone_of

type Row = list[str | int | float | None]

_NONE_KNOWN: Mapping[str, StopDraft] = {}

HEADER = (
    "route", "position", "order", "name", "firstName", "lastName", "company", "phone", "email",
    "address1", "address2", "zip", "city", "provinceCode", "countryCode", "latitude", "longitude",
    "timeWindows", "deliveryDate", "plannedArrival", "updatedArrival", "status", "minutes",
    "item", "quantity", "grams", "kilograms", "priority", "note", "tasks", "proofNote",
    "attemptedReason", "attemptedNote", "driver", "vehicle", "clientStopId", "importedStopId",
    "stopId", "stopType", "tags", "attributes", "itemList", "sku", "loads", "requiredSkills",
    "taskList", "orderReferenceUrl", "signatureDisclosure", "storeOrderId", "askedByCustomer",
    "shopNote", "writtenWithOrder", "arrivedAt", "receivedBy", "leftWith", "doneLatitude",
    "doneLongitude", "barcodes", "photos", "signatures", "rating", "ratingComment", "locked",
    "lateMinutes", "metersFromBefore",
)  # fmt: skip
"""Each is read by an import or means nothing to it: a customer's note is none of the planner's, so
no header here may be a word for another field."""

JSON_COLUMNS = ("attributes", "itemList", "loads", "taskList")


def rows_of_route(
    assigned: AssignedRoute, imported: Mapping[str, StopDraft] = _NONE_KNOWN
) -> Iterator[Row]:
    """Yield a row for each stop, in driving order; times are those of the clocks where it is.

    `grams` are of one piece, as an import reads them, `kilograms` of all. `imported` are the stops
    as they were imported, by their id in the pool, or by the stop's where there is no pool: they
    alone know loads, skills and the tasks that are not of the route.
    """
    for position, stop in enumerate(assigned.route.stops, 1):
        yield [
            assigned.route.name,
            position,
            *_who(stop),
            *_where(stop),
            *_when(stop),
            *_what(stop),
            name_of_driver(assigned.driver),
            assigned.vehicle.name if assigned.vehicle else "",
            stop.client_stop_id,
            stop.imported_stop_id,
            stop.id,
            *_for_imports(stop, imported.get(stop.imported_stop_id or stop.id)),
            *_requested(stop),
            *_done(stop),
        ]


def _for_imports(stop: RouteStop, imported: StopDraft | None) -> Row:
    """Return what an import reads beside the columns before."""
    return [
        "" if stop.type is StopType.UNKNOWN else stop.type.value,
        _say_words(stop.tags),
        _say_attributes(stop.attributes),
        _say_json(stop.items),
        ", ".join(item.sku for item in stop.items if item.sku),
        _say_json(imported.loads) if imported else "",
        _say_words(imported.required_skills) if imported else "",
        _say_json(imported.tasks) if imported else "",
        stop.order_reference_url,
        stop.custom_signature_disclosure,
    ]


def _requested(stop: RouteStop) -> Row:
    order = stop.store_order or StoreOrderNotes()
    note = stop.customer_note
    return [
        stop.store_order_id,
        note.note if isinstance(note, CustomerNote) else "",
        order.order_note,
        order.customer_note,
    ]


def _done(stop: RouteStop) -> Row:
    at, rating, lateness = stop.delivered_coordinates, stop.customer_rating, stop.planned_lateness
    return [
        say_local_time(stop, stop.arrived_at),
        stop.recipient_name or "",
        stop.left_with.value if isinstance(stop.left_with, LeftWith) else "",
        at.latitude if isinstance(at, Coordinates) else None,
        at.longitude if isinstance(at, Coordinates) else None,
        ", ".join(code.value for code in stop.proof_of_delivery_barcodes),
        len(stop.proof_of_delivery_photos),
        len(stop.proof_of_delivery_signatures),
        rating.rating if isinstance(rating, CustomerRating) else None,
        rating.comment if isinstance(rating, CustomerRating) else "",
        "yes" if stop.locked else "",
        None if isinstance(lateness, UnsetType) else whole_seconds(lateness) / 60,
        stop.distance_meters,
    ]


def _who(stop: RouteStop) -> Row:
    contact = stop.contact if isinstance(stop.contact, Contact) else Contact()
    return [
        stop.order_name,
        name_of_stop(stop),
        contact.first_name,
        contact.last_name,
        contact.company,
        contact.phone,
        contact.email,
    ]


def _where(stop: RouteStop) -> Row:
    at = stop.planned_coordinates
    address = stop.address if isinstance(stop.address, Address) else Address()
    return [
        address.address1,
        address.address2,
        address.zip,
        address.city,
        address.province_code,
        address.country_code,
        at.latitude,
        at.longitude,
    ]


def _when(stop: RouteStop) -> Row:
    day = stop.delivery_date
    return [
        ", ".join(say_window(window) for window in stop.time_windows),
        day.as_date().isoformat() if isinstance(day, Date) else "",
        say_local_time(stop, stop.planned_arrival),
        say_local_time(stop, stop.updated_arrival),
        say_status(stop),
        None if isinstance(stop.duration, UnsetType) else whole_seconds(stop.duration) / 60,
    ]


def _what(stop: RouteStop) -> Row:
    return [
        _say_items(stop),
        stop.total_quantity() if stop.items else None,
        round(stop.total_grams() / max(1, stop.total_quantity())) if stop.items else None,
        stop.total_grams() / 1000 if stop.items else None,
        stop.priority,
        stop.note,
        ", ".join(task.title for task in stop.tasks),
        stop.proof_of_delivery_note,
        "" if not stop.attempted_reason.value or stop.attempted_reason.value == "UNKNOWN"
        else stop.attempted_reason.value,
        stop.attempted_note,
    ]  # fmt: skip


def _say_items(stop: RouteStop) -> str:
    """Return what is carried: of one kind its name, as an import reads it, of several how many."""
    names = [item.name or item.sku for item in stop.items]
    if len(names) == 1:
        return names[0]
    counts = (item.quantity for item in stop.items)
    return ", ".join(f"{count} × {name}" for count, name in zip(counts, names, strict=True))  # noqa: RUF001


def _say_words(words: Sequence[str]) -> str:
    """Return a list of words; as JSON where an import could not tell one from two."""
    return _say_json(words) if any(map(_is_ambiguous, words)) else ", ".join(words)


def _is_ambiguous(word: str) -> bool:
    return not word or word != word.strip() or word[0] in "['=" or "," in word or ";" in word


def _say_attributes(attributes: Sequence[Attribute]) -> str:
    """Return attributes as one object, or as a list where a key stands twice."""
    by_key = {one.key: one.value for one in attributes}
    return _say_json(by_key if len(by_key) == len(attributes) else attributes)


def _say_json(value: object) -> str:
    return msgspec.json.encode(value).decode() if value else ""


def say_status(stop: RouteStop) -> str:
    """Return how far a stop has come, as the interface says it."""
    return stop.break_status.value if stop.type is StopType.BREAK else stop.delivery_status.value


def say_local_time(stop: RouteStop, time: datetime | UnsetType) -> str:
    """Return a time by the clocks of a stop, as 2030-05-06 08:30."""
    if isinstance(time, UnsetType):
        return ""
    return f"{time.astimezone(zone_of(stop.planned_coordinates)):%Y-%m-%d %H:%M}"


def say_window(window: TimeWindow) -> str:
    """Return a window as 08:00-10:00; an open side is empty."""
    return f"{_clock(window.start)}-{_clock(window.end)}"


def _clock(time: TimeOfDay | UnsetType) -> str:
    return f"{time.hours:02}:{time.minutes:02}" if isinstance(time, TimeOfDay) else ""
