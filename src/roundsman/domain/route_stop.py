"""A stop on a route: a copy of where it came from, its place in the schedule, and its progress."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from typing import Annotated, ClassVar, Self

from msgspec import Meta
from msgspec.structs import replace

from roundsman.domain.address import Address, Contact, Coordinates
from roundsman.domain.arrival_window import ArrivalWindow
from roundsman.domain.attachment import Attachment
from roundsman.domain.customer_note import CustomerNote
from roundsman.domain.errors import (
    FailedPrecondition,
    FieldViolation,
    InvalidArgument,
    NotYet,
    PreconditionViolation,
)
from roundsman.domain.geocoding import Geocoding
from roundsman.domain.imported_stop import Attribute
from roundsman.domain.item import Item, total_grams, total_quantity
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.proof import AttemptedReason, Barcode, BarcodeIssue, LeftWith
from roundsman.domain.rating import CustomerRating
from roundsman.domain.required_tasks import require_tasks_for_attempt, require_tasks_for_delivery
from roundsman.domain.stop_type import StopType
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.task import Task
from roundsman.domain.time_window import Date, TimeWindow
from roundsman.kit.durations import Duration


class DeliveryStatus(StrEnum):
    """How far a stop has come (decisions §8)."""

    UNKNOWN = "UNKNOWN"
    READY_FOR_DELIVERY = "READY_FOR_DELIVERY"
    OUT_FOR_DELIVERY = "OUT_FOR_DELIVERY"
    ATTEMPTED_DELIVERY = "ATTEMPTED_DELIVERY"
    DELIVERED = "DELIVERED"


class BreakStatus(StrEnum):
    """Whether a break was taken."""

    UNKNOWN = "UNKNOWN"
    COMPLETED = "COMPLETED"


_EVERY_VISIT = (
    DeliveryStatus.OUT_FOR_DELIVERY,
    DeliveryStatus.ATTEMPTED_DELIVERY,
    DeliveryStatus.DELIVERED,
)

_MOVES: Mapping[str, tuple[tuple[DeliveryStatus, ...], DeliveryStatus]] = {
    "ready": ((DeliveryStatus.UNKNOWN,), DeliveryStatus.READY_FOR_DELIVERY),
    "sent out": (
        (DeliveryStatus.UNKNOWN, DeliveryStatus.READY_FOR_DELIVERY),
        DeliveryStatus.OUT_FOR_DELIVERY,
    ),
    "called back": ((DeliveryStatus.OUT_FOR_DELIVERY,), DeliveryStatus.READY_FOR_DELIVERY),
    "attempted": (_EVERY_VISIT, DeliveryStatus.ATTEMPTED_DELIVERY),
    "delivered": (_EVERY_VISIT, DeliveryStatus.DELIVERED),
    "reopened": (_EVERY_VISIT, DeliveryStatus.OUT_FOR_DELIVERY),
}
"""From which statuses each move is allowed, and where it leads (decisions §8)."""


class StopSource(StrEnum):
    """Where a route stop came from."""

    UNKNOWN = "UNKNOWN"
    IMPORTED_STOP = "IMPORTED_STOP"
    STORE_ORDER = "STORE_ORDER"
    SAVED_STOP = "SAVED_STOP"
    MANUAL = "MANUAL"


class StoreOrderNotes(Model):
    """What an order-backed stop shows of its order."""

    order_note: str = ""
    """What the shop says of the order."""

    customer_note: str = ""
    """What the customer wrote with the order."""

    state: StoreOrderState | UnsetType = UNSET
    """Of an order that is open no more: cancelled, say, though its stop is on a route."""

    address: Address | UnsetType = UNSET
    """Where the order is to go by now, where that is not the stop's address."""

    delivery_date: Date | UnsetType = UNSET
    """On which day the order is to arrive by now, where that is not the stop's."""

    time_windows: tuple[TimeWindow, ...] | UnsetType = UNSET
    """When the order is to arrive by now, where that is not the stop's; empty is at any time."""


type Locked = Annotated[
    bool,
    Meta(description="Whether it keeps its place among the open stops when reoptimized."),
]


class RouteStop(Model):
    """One stop of a route, in the interface's own shape (specification, RouteStop)."""

    unshown: ClassVar[frozenset[str]] = frozenset({"corrected"})

    id: str
    """Its id on the route; another route gives the same delivery another one."""

    type: StopType = StopType.UNKNOWN
    """Whether goods are brought, fetched, or neither, or the driver has a break."""

    delivery_status: DeliveryStatus = DeliveryStatus.UNKNOWN
    """How far the delivery is."""

    break_status: BreakStatus = BreakStatus.UNKNOWN
    """Whether a break was taken; UNKNOWN for all other stops."""

    updated_at: datetime
    """When it changed last."""

    duration: Duration | UnsetType = UNSET
    planned_arrival: datetime | UnsetType = UNSET
    """When the vehicle comes here, as it was planned; waiting for a window follows."""

    updated_arrival: datetime | UnsetType = UNSET
    """When the vehicle comes here, as it is known now; once it is done, when it came."""

    arrival_window: ArrivalWindow | UnsetType = UNSET
    """What a customer may be promised; it moves only where it has to."""

    planned_lateness: Duration | UnsetType = UNSET
    """How long after its last window closes service is planned to start; unset when in time."""

    note: str = ""
    """For the driver."""

    address: Address | UnsetType = UNSET
    """Where it is, in words."""

    contact: Contact | UnsetType = UNSET
    """Who is at the door."""

    planned_coordinates: Coordinates
    """Where it is."""

    arrived_at: datetime | UnsetType = UNSET
    """When the driver said to be at the door, for the last time."""

    delivered_coordinates: Coordinates | UnsetType = UNSET
    """Where the driver's device was when the stop was done."""

    geocoding: Geocoding | UnsetType = UNSET
    """How sure the place is."""

    items: tuple[Item, ...] = ()
    """The goods."""

    source: StopSource = StopSource.UNKNOWN
    """What it was made of."""

    store_order_id: str = ""
    """The number of the shop's order that it was made of, or empty."""

    saved_stop_id: str = ""
    """Empty: this service has no saved stops."""

    imported_stop_id: str = ""
    """The stop of the pool that it was made of, or empty."""

    client_stop_id: str = ""
    """Your own id of the stop."""

    copied_from: str | UnsetType = UNSET
    """The imported stop that it was first copied from with its day, however often it was copied
    since; absent where it is no copy."""

    corrected: tuple[str, ...] | UnsetType = UNSET
    """Which of its fields were corrected since it was made of a stop of the pool, as a mask names
    them, or `location`, `items` or `tasks`: they go to the pool with it when it leaves its routes;
    absent where none were."""

    recipient_name: str | UnsetType = UNSET
    """Who took the goods."""

    left_with: LeftWith | UnsetType = UNSET
    """With whom, or where, the goods were left."""

    proof_of_delivery_note: str = ""
    """What the driver wrote at the door."""

    proof_of_delivery_photos: tuple[Attachment, ...] = ()
    """Pictures taken at the door."""

    proof_of_delivery_signatures: tuple[Attachment, ...] = ()
    """Signatures taken at the door."""

    proof_of_delivery_barcodes: tuple[Barcode, ...] = ()
    """Codes scanned at the door."""

    proof_of_delivery_barcode_issues: tuple[BarcodeIssue, ...] = ()
    """Codes that could not be scanned, and why."""

    tasks: tuple[Task, ...] = ()
    """What the driver has to do here, and has done."""

    priority: int = 0
    """A stop with a higher one comes before others as far as windows allow; 0 is none."""

    locked: Locked = False
    order_name: str = ""
    """What people call the order, such as #1001."""

    order_reference_url: str = ""
    """Where the order is seen in your own system."""

    distance_meters: int = 0
    """From the stop before, or from the start, to here."""

    time_windows: tuple[TimeWindow, ...] = ()
    """When service may begin, in the stop's own time zone; none is any time."""

    delivery_date: Date | UnsetType = UNSET
    """The day it is to be delivered on; without one, any."""

    attributes: tuple[Attribute, ...] = ()
    """Keys and values of your own."""

    tags: tuple[str, ...] = ()
    """Words of your own to find it by; webhooks can be limited to them."""

    attempted_reason: AttemptedReason = AttemptedReason.UNKNOWN
    """Why it could not be delivered."""

    attempted_note: str = ""
    """The driver's own words on why it could not be delivered."""

    customer_rating: CustomerRating | UnsetType = UNSET
    """What the customer said afterwards."""

    customer_note: CustomerNote | UnsetType = UNSET
    """What the customer wrote to the driver on the page that shows the delivery."""

    custom_signature_disclosure: str = ""
    """What the customer reads above the signature."""

    store_order: StoreOrderNotes | UnsetType = UNSET
    """What the shop's order says, where it was made of one."""

    def is_done(self) -> bool:
        """Say whether nothing more is expected here: delivered, attempted, or a break taken."""
        return self.break_status is BreakStatus.COMPLETED or self.delivery_status in {
            DeliveryStatus.ATTEMPTED_DELIVERY,
            DeliveryStatus.DELIVERED,
        }

    def total_quantity(self) -> int:
        """Return the units carried here."""
        return total_quantity(self.items)

    def total_grams(self) -> int:
        """Return the weight carried here."""
        return total_grams(self.items)

    def order_basis(self) -> tuple[object, ...]:
        """Return what an order of stops is computed from, of this stop."""
        return (
            self.planned_coordinates,
            self.duration,
            self.time_windows,
            self.delivery_date,
            self.priority,
            self.items,
        )

    def as_shown(self) -> Self:
        """Return it as answers and events have it."""
        return self if self.corrected is UNSET else replace(self, corrected=UNSET)

    def require_imported(self) -> None:
        """Refuse a stop that was not made from an imported one (specification, Route stops)."""
        if self.imported_stop_id:
            return
        violation = PreconditionViolation(
            type="importedStopId",
            subject=self.id,
            description="only a stop made from an imported stop can be changed",
        )
        raise FailedPrecondition("route stop has no importedStopId", [violation])

    def ready(self, at: datetime) -> Self:
        """Become ready for delivery, once; a break is not delivered."""
        return self._moved_if_it_may("ready", at)

    def sent_out(self, at: datetime) -> Self:
        """Go out for delivery with the driver, unless done already; a break is not delivered."""
        return self._moved_if_it_may("sent out", at)

    def called_back(self, at: datetime) -> Self:
        """Be ready again, having left a route whose driver was out (decisions §22)."""
        return self._moved_if_it_may("called back", at)

    def delivered(self, at: datetime, location: Coordinates | UnsetType) -> Self:
        """Be handed over, once every task that this asks for is done."""
        status = self._visited("delivered")
        require_tasks_for_delivery(self.tasks)
        return replace(
            self,
            delivery_status=status,
            attempted_reason=AttemptedReason.UNKNOWN,
            attempted_note="",
            delivered_coordinates=location or self.delivered_coordinates,
            updated_arrival=at,
        )

    def attempted(
        self, reason: AttemptedReason, note: str, at: datetime, location: Coordinates | UnsetType
    ) -> Self:
        """Be tried in vain, once every task that this asks for is done."""
        status = self._visited("attempted")
        require_tasks_for_attempt(self.tasks)
        return replace(
            self,
            delivery_status=status,
            attempted_reason=reason,
            attempted_note=note,
            recipient_name=UNSET,
            left_with=UNSET,
            delivered_coordinates=location or self.delivered_coordinates,
            updated_arrival=at,
        )

    def reopened(self) -> Self:
        """Be out for delivery again after a slip; what was recorded as proof stays."""
        return replace(
            self,
            delivery_status=self._visited("reopened"),
            attempted_reason=AttemptedReason.UNKNOWN,
            attempted_note="",
            recipient_name=UNSET,
            left_with=UNSET,
            delivered_coordinates=UNSET,
        )

    def break_completed(self, at: datetime) -> Self:
        """Be over, where the stop is a break; the first time counts."""
        if self.type is not StopType.BREAK:
            raise _wrong_kind(self, "is no break")
        if self.break_status is BreakStatus.COMPLETED:
            return self
        return replace(self, break_status=BreakStatus.COMPLETED, updated_arrival=at)

    def next_attempt_client_stop_id(self) -> str:
        """Return the client's id of the stop that *Next day* of the console imports of this one.

        Empty unless it was tried in vain: only then the delivery is another stop.
        """
        is_attempted = self.delivery_status is DeliveryStatus.ATTEMPTED_DELIVERY
        return f"next-day-{self.id}" if is_attempted else ""

    def progress(self) -> tuple[object, ...]:
        """Return what a driver or a customer changes, as opposed to a planner or time."""
        return (
            self.status(),
            self.arrived_at,
            self.recipient_name,
            self.left_with,
            self.delivered_coordinates,
            self.attempted_reason,
            self.attempted_note,
            self.proof_of_delivery_note,
            self.proof_of_delivery_photos,
            self.proof_of_delivery_signatures,
            self.proof_of_delivery_barcodes,
            self.proof_of_delivery_barcode_issues,
            self.tasks,
            self.customer_rating,
            self.customer_note,
        )

    def status(self) -> tuple[DeliveryStatus, BreakStatus]:
        """Return how far the stop has come."""
        return self.delivery_status, self.break_status

    def _moved_if_it_may(self, verb: str, at: datetime) -> Self:
        allowed, status = _MOVES[verb]
        if self.type is StopType.BREAK or self.delivery_status not in allowed:
            return self
        return replace(self, delivery_status=status, updated_at=at)

    def _visited(self, verb: str) -> DeliveryStatus:
        if self.type is StopType.BREAK:
            raise _wrong_kind(self, "is a break")
        allowed, status = _MOVES[verb]
        if self.delivery_status not in allowed:
            raise NotYet(f"the stop is {self.delivery_status.value}; start the route first")
        return status


def _wrong_kind(stop: RouteStop, problem: str) -> InvalidArgument:
    violation = FieldViolation(field="stopId", description=problem)
    return InvalidArgument(f"stop {stop.id} {problem}", [violation])


def count_done_at_start(stops: Sequence[RouteStop]) -> int:
    """Return how many stops are done before the first that is not."""
    return next((location for location, stop in enumerate(stops) if not stop.is_done()), len(stops))
