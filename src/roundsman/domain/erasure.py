"""Erasing a customer: whose data are meant, where they are in a JSON document, and what is left.

Every noun with a customer's data is stored as a JSON document: stops, routes, events as they were
sent, drivers' actions, answers that are kept for retries. So erasing is one walk over a document:
it finds the objects that are about the customer, wherever they stand, and blanks their fields.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from functools import partial
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from roundsman.domain.address import Email, Phone
from roundsman.domain.errors import FailedPrecondition, PreconditionViolation
from roundsman.domain.model import UNSET, Line, Model, Rule, UnsetType, obey_rules
from roundsman.domain.position_erasure import (
    LAST_POSITIONS,
    is_at_door,
    is_on_road,
    leaving_from_town,
    list_last_positions,
    list_visits,
    objects_in,
    roughly,
    without_last_position,
    without_line,
)

type Document = Any
"""A JSON value."""

type Id255 = Annotated[str, Meta(max_length=255)]

_IDENTIFIERS = ("phone", "email", "client_stop_id", "imported_stop_id")
_IDENTIFIERS_OF_ANYBODY = (*_IDENTIFIERS, "driver_id")
_ON_THE_WIRE = {
    "client_stop_id": "clientStopId",
    "imported_stop_id": "importedStopId",
    "driver_id": "driverId",
}


def _judge_identifiers(names: tuple[str, ...], draft: Any) -> Iterator[str]:
    """Find none, or two that could mean different people."""
    if sum(bool(getattr(draft, name)) for name in names) != 1:
        *others, last = (_ON_THE_WIRE.get(name, name) for name in names[1:])
        known = f"{', '.join(others)} and {last}"
        yield f"is required, or exactly one of {known} in its place"


class CustomerIdentifier(Model):
    """Whose data are meant: exactly one identifier; e-mail without regard to case."""

    rules: ClassVar = (Rule(partial(_judge_identifiers, _IDENTIFIERS), _IDENTIFIERS),)

    phone: Phone = ""
    email: Email = ""
    client_stop_id: Id255 = ""
    imported_stop_id: Id255 = ""

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class PersonIdentifier(CustomerIdentifier):
    """Whose data are meant: one customer's, or one driver's."""

    rules: ClassVar = (
        Rule(partial(_judge_identifiers, _IDENTIFIERS_OF_ANYBODY), _IDENTIFIERS_OF_ANYBODY),
    )

    driver_id: Id255 = ""


class ErasureDraft(PersonIdentifier):
    """Whose data are to be erased, and why."""

    reason: Line = ""


class ErasureStatus(StrEnum):
    """How far an erasure is."""

    QUEUED = "QUEUED"
    RUNNING = "RUNNING"
    COMPLETED = "COMPLETED"
    FAILED = "FAILED"


def routes_under_way(message: str, route_ids: Sequence[str]) -> FailedPrecondition:
    """Return why nobody is erased who has these routes before them."""
    violations = [
        PreconditionViolation(
            type="routeUnderWay",
            subject=route_id,
            description="is dispatched or begun, and not completed",
        )
        for route_id in route_ids
    ]
    return FailedPrecondition(message, violations)


class ErasureReceipt(Model):
    """What was erased, when and why, without a word of what it was."""

    erased_at: datetime
    reason: str = ""
    imported_stops: int = 0
    route_stops: int = 0
    orders: int = 0
    """Of the storefront."""

    documents: int = 0
    """Stored events, journals, plans and kept answers that named the customer or the driver."""

    pictures: int = 0
    evidence_records: int = 0
    positions: int = 0
    """Where the driver was; of a driver, like what follows."""

    journal_entries: int = 0
    devices: int = 0


class Erasure(Model):
    """An erasure as its client sees it."""

    id: str
    status: ErasureStatus
    created_at: datetime | UnsetType = UNSET
    driver_id: str | UnsetType = UNSET
    """Which driver is erased; absent where a customer is."""

    percent_done: int | UnsetType = UNSET
    """How far it is while it runs."""

    attempts: int | UnsetType = UNSET
    """How often it was begun; shown beside the error."""

    error: str | UnsetType = UNSET
    """Why the latest attempt failed, until one ends well."""

    receipt: ErasureReceipt | UnsetType = UNSET


class OrganizationErasure(Model):
    """How far the erasure of an organization is, and how many rows of which table it removed."""

    begun_at: datetime
    removed: dict[str, int] = {}  # noqa: RUF012 -- a Struct copies it
    completed_at: datetime | None = None


class CustomerTraces(Model):
    """What is known of a customer while the data are looked for; forgotten when they are gone."""

    identifier: CustomerIdentifier
    imported_stop_ids: tuple[str, ...] = ()
    origin_ids: tuple[str, ...] = ()
    """What was copied first, of the stops that an id means."""

    route_stops: dict[str, str] = {}  # noqa: RUF012 -- a Struct copies it
    """The route of each, empty where it is not known any more."""

    store_order_ids: tuple[str, ...] = ()
    task_ids: tuple[str, ...] = ()
    attachment_ids: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    """What a text that is no document may repeat: names, numbers, address lines, notes."""


_TOWN = ("city", "provinceCode", "countryCode")
_FEWEST_LETTERS = 4
_ORDER_NOTES = ("orderNote", "customerNote")


def _town_of(address: Any) -> Any:
    return {name: value for name, value in address.items() if name in _TOWN}


def _without_input(task: Any) -> Any:
    given = task.get("input")
    return {**task, "input": {**given, "value": ""}} if isinstance(given, dict) else task


def _without_notes(order: Any) -> Any:
    """Return what a stop shows of its order without free texts; its state and town stay."""
    kept = {name: "" if name in _ORDER_NOTES else value for name, value in order.items()}
    return kept | {"address": _town_of(kept["address"])} if kept.get("address") else kept


_CUSTOMERS_OWN = frozenset({"contact", "location", "note"})
"""What can be corrected of a stop and is blanked: later it is no correction any more."""

_BLANK: Mapping[str, Callable[[Any], Any]] = {
    "corrected": lambda names: [name for name in names if name not in _CUSTOMERS_OWN],
    "note": lambda _: "",
    "orderNote": lambda _: "",
    "proofOfDeliveryNote": lambda _: "",
    "proofOfDeliveryPhotos": lambda _: [],
    "proofOfDeliverySignatures": lambda _: [],
    "attemptedNote": lambda _: "",
    "address": _town_of,
    "plannedCoordinates": roughly,
    "coordinates": roughly,
    "proofOfDeliveryBarcodeIssues": lambda issues: [{**one, "note": ""} for one in issues],
    "tasks": lambda tasks: [_without_input(task) for task in tasks],
    "storeOrder": _without_notes,
    "customerRating": lambda rating: {**rating, "comment": ""},
}
_GONE = (
    "contact",
    "recipientName",
    "deliveredCoordinates",
    "geocoding",
    "customerNote",
    "matchedAddress",
    "shopLocation",
)


_BLANK_PROOF = (
    "proofOfDeliveryNote",
    "proofOfDeliveryPhotos",
    "proofOfDeliverySignatures",
    "proofOfDeliveryBarcodeIssues",
    "attemptedNote",
    "tasks",
)
_GONE_PROOF = ("recipientName", "deliveredCoordinates", "proofOfDeliveryBarcodes")
_KINDS_OF_STOPS = ("ist-", "rst-")


def without_customers(document: Document, *, is_order: bool = False) -> Document:
    """Return a stop, a route or an order without any customer's data; they are too old."""
    cleared = _each_stop(document, _blanked, is_theirs=is_order)
    return cleared if is_order else without_last_position(cleared)


def without_proof(document: Document) -> Document:
    """Return a route whose stops say that they were delivered, and no more of how."""
    return without_last_position(_each_stop(document, _without_proof))


def without_position(action: Document) -> Document:
    """Return a driver's action that does not say where the driver was."""
    return {name: value for name, value in action.items() if name != "position"}


def _each_stop(
    document: Document,
    change: Callable[[Mapping[str, Any]], dict[str, Any]],
    *,
    is_theirs: bool = False,
) -> Document:
    if isinstance(document, list):
        return [_each_stop(one, change) for one in document]
    if not isinstance(document, dict):
        return document
    inner = {name: _each_stop(value, change) for name, value in document.items()}
    is_stop = str(inner.get("id", "")).startswith(_KINDS_OF_STOPS)
    return change(inner) if is_theirs or is_stop else inner


def _without_proof(one: Mapping[str, Any]) -> dict[str, Any]:
    return {
        name: _BLANK[name](value) if name in _BLANK_PROOF and value else value
        for name, value in one.items()
        if name not in _GONE_PROOF
    }


class CustomerSearch:
    """Finds in documents what is about a customer, and remembers what leads to more of it."""

    def __init__(self, traces: CustomerTraces) -> None:
        self._identifier = traces.identifier
        self._imported = dict.fromkeys(traces.imported_stop_ids)
        self._origins = dict.fromkeys(traces.origin_ids)
        self._routed = dict(traces.route_stops)
        self._orders = dict.fromkeys(traces.store_order_ids)
        self._tasks = dict.fromkeys(traces.task_ids)
        self._attachments = dict.fromkeys(traces.attachment_ids)
        self._words = dict.fromkeys(traces.words)
        if traces.identifier.imported_stop_id:
            self._imported.setdefault(traces.identifier.imported_stop_id)

    def traces(self) -> CustomerTraces:
        """Return what is known now."""
        return CustomerTraces(
            identifier=self._identifier,
            imported_stop_ids=tuple(self._imported),
            origin_ids=tuple(self._origins),
            route_stops=self._routed,
            store_order_ids=tuple(self._orders),
            task_ids=tuple(self._tasks),
            attachment_ids=tuple(self._attachments),
            words=tuple(self._words),
        )

    def add_evidence(self, stop_id: str, route_id: str, facts: Mapping[str, Any]) -> None:
        """Learn of a stop that may be gone, and of the picture or task that a record names."""
        self._routed.setdefault(stop_id, route_id)
        if "attachmentId" in facts:
            self._attachments.setdefault(str(facts["attachmentId"]))
        if "taskId" in facts:
            self._tasks.setdefault(str(facts["taskId"]))

    def look(self, document: Document, *, order_id: str = "", route_id: str = "") -> bool:
        """Learn from a document; say whether anything in it is about the customer.

        `order_id` is of a store order, which has the platform's own number.
        """
        found = False
        for one in objects_in(document):
            if self._is_theirs(one, order_id if one is document else ""):
                self._learn(one, order_id if one is document else "", route_id)
                found = True
        return found

    def list_theirs(self, document: Document, order_id: str = "") -> list[Mapping[str, Any]]:
        """Return the objects of a document that are about the customer."""
        return [
            one
            for one in objects_in(document)
            if self._is_theirs(one, order_id if one is document else "")
        ]

    def scrub(self, document: Document, order_id: str = "") -> Document:
        """Return a document without the customer's data; the same one where it has none."""
        fixes = list_last_positions(document)
        at_door = [fix for fix in fixes if self.is_at_their_door(fix, document)]
        return self._scrub(document, order_id, at_door)

    def is_at_their_door(self, fix: Mapping[str, Any], document: Document) -> bool:
        """Say whether a driver's position is where the customer is, by a document of the route."""
        visits = list_visits(document)
        theirs = [one for one in visits if self._is_theirs(one, "")]
        return bool(theirs) and is_at_door(fix, theirs, visits)

    def _scrub(
        self, document: Document, order_id: str, at_door: Sequence[Mapping[str, Any]]
    ) -> Document:
        if isinstance(document, list):
            scrubbed = [self._scrub(one, "", at_door) for one in document]
            return document if scrubbed == document else scrubbed
        if not isinstance(document, dict):
            return document
        inner = {
            name: self._scrub(value, "", at_door)
            for name, value in document.items()
            if not (name in LAST_POSITIONS and value in at_door)
        }
        if self._is_theirs(document, order_id):
            inner = _blanked(inner)
        if is_on_road(document) and document["presentRoute"].get("id") in self._routed.values():
            inner = leaving_from_town(inner)
        if "polyline" in document and self._leads_to_their_door(document):
            inner = without_line(inner)
        if inner.get("taskId") in self._tasks and inner.get("value"):
            inner["value"] = ""
        return document if inner == document else inner

    def _leads_to_their_door(self, route: Mapping[str, Any]) -> bool:
        is_of_theirs = bool(route.get("routeId")) and route["routeId"] in self._routed.values()
        return is_of_theirs or any(self._is_theirs(step, "") for step in _list(route, "steps"))

    def repeats_words(self, text: str) -> bool:
        """Say whether a text that is no document repeats something of the customer."""
        folded = text.casefold()
        return any(word in folded for word in self._words)

    def _is_theirs(self, one: Mapping[str, Any], order_id: str) -> bool:
        identifier = self._identifier
        contact = one.get("contact")
        contact = contact if isinstance(contact, dict) else {}
        if identifier.phone or identifier.email:
            if _is_same_person(identifier, contact):
                return True
            if contact.get("phone" if identifier.phone else "email"):
                return False  # another customer at the same stop
        elif identifier.client_stop_id and one.get("clientStopId") == identifier.client_stop_id:
            return True
        return (
            one.get("id") in self._imported
            or one.get("id") in self._routed
            or one.get("importedStopId") in self._imported
            or one.get("copiedFrom") in self._imported
            or one.get("stopId") in self._routed
            or one.get("routeStopId") in self._routed
            or bool(order_id and order_id in self._orders)
            or bool(one.get("storeOrderId") and one["storeOrderId"] in self._orders)
        )

    def _learn(self, one: Mapping[str, Any], order_id: str, route_id: str) -> None:
        id_ = str(one.get("id", ""))
        if id_.startswith("ist-"):
            self._imported.setdefault(id_)
        elif id_.startswith("rst-"):
            self._routed[id_] = route_id or self._routed.get(id_, "")
        if id_.startswith(_KINDS_OF_STOPS):
            self._learn_origin(one)
        if order_id:
            self._orders.setdefault(order_id)
        if one.get("storeOrderId"):
            self._orders.setdefault(str(one["storeOrderId"]))
        self._tasks |= dict.fromkeys(
            str(task["id"]) for task in _list(one, "tasks") if "id" in task
        )
        for name in ("proofOfDeliveryPhotos", "proofOfDeliverySignatures"):
            self._attachments |= dict.fromkeys(str(picture["id"]) for picture in _list(one, name))
        for word in _words_of(one):
            self._words.setdefault(word)

    def _learn_origin(self, stop: Mapping[str, Any]) -> None:
        """Learn what was copied first: an id means all its copies, whichever of them it names."""
        if self._identifier.phone or self._identifier.email:
            return  # what it was copied from may have been somebody else's
        made_of = stop.get("importedStopId") or (stop["id"] if "importedAt" in stop else "")
        if made_of:
            origin = stop.get("copiedFrom") or made_of
            self._origins.setdefault(str(origin))
            self._imported |= dict.fromkeys([str(made_of), str(origin)])


def _list(one: Mapping[str, Any], name: str) -> list[Mapping[str, Any]]:
    found = one.get(name)
    return [item for item in found if isinstance(item, dict)] if isinstance(found, list) else []


def _is_same_person(identifier: CustomerIdentifier, contact: Mapping[str, Any]) -> bool:
    if identifier.phone:
        return contact.get("phone") == identifier.phone
    return str(contact.get("email", "")).casefold() == identifier.email.casefold()


def _words_of(one: Mapping[str, Any]) -> Iterator[str]:
    contact, said = one.get("contact"), one.get("shopLocation")
    addresses = [one.get("address"), said.get("address") if isinstance(said, dict) else None]
    texts = [
        *(contact.values() if isinstance(contact, dict) else ()),
        *(
            address.get(line, "")
            for address in addresses
            if isinstance(address, dict)
            for line in ("address1", "address2")
        ),
        *(one.get(name, "") for name in ("note", "recipientName", "proofOfDeliveryNote")),
    ]
    for text in texts:
        if isinstance(text, str) and len(text.strip()) >= _FEWEST_LETTERS:
            yield text.strip().casefold()


def _blanked(one: Mapping[str, Any]) -> dict[str, Any]:
    """Return an object without what is personal; what has a sequence is a driver's action."""
    return {
        name: _BLANK[name](value) if name in _BLANK and value else value
        for name, value in one.items()
        if name not in _GONE
        and not (name == "position" and "sequence" in one)
        and not (name == "corrected" and _CUSTOMERS_OWN.issuperset(value))
    }
