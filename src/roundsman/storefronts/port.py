"""What is asked of a shop's platform, and what it answers: each adapter keeps to it.

An adapter has no state but its client of HTTP and the token that it was given. It knows no
database, decides nothing about retries, and never sleeps: `Busy` says when to come again.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Protocol

from roundsman.domain.address import Coordinates
from roundsman.domain.store_order import StoreOrderDraft
from roundsman.domain.storefront import OrderField

ADDRESS = "address"
"""The subject of what a check finds where no shop of the platform answers."""


class StorefrontFailure(Exception):
    """A shop did not do what was asked; the message is a sentence for a planner."""

    def __init__(self, code: str, message: str, remedy: str = "") -> None:
        super().__init__(message)
        self.code = code
        """Of the platform's own vocabulary, or a short word such as `UNREACHABLE`."""
        self.remedy = remedy


class Unauthorized(StorefrontFailure):
    """The credentials are not, or no longer, accepted, or a permission is missing: pause."""


class Refused(StorefrontFailure):
    """The shop understood and will not do it: repeating the same is of no use."""


class OrderLocked(StorefrontFailure):
    """The shop takes nothing of this order now, but of others: the same may work later."""


class Busy(StorefrontFailure):
    """The shop is overloaded, throttles, or is away: the same may work later."""

    def __init__(self, code: str, message: str, retry_after_seconds: float | None = None) -> None:
        super().__init__(code, message)
        self.retry_after_seconds = retry_after_seconds
        """What the platform asked for; None where it did not say."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ShopConnection:
    """Where a shop is, how to get in, and how its orders are to be read."""

    address: str
    """`https://` and the host, with a path where the shop has one; without a slash at the end."""
    credentials: Mapping[str, str] = field(repr=False)
    """By the names of the platform's `CREDENTIALS`."""
    date_names: Sequence[str] = ()
    window_names: Sequence[str] = ()
    """Attributes that hold day and window, in the order to look; empty for the usual names."""
    rule_names: Sequence[str] = ()
    """Attributes that rules look at, where a platform answers only those that are asked for."""
    timezone: str = "UTC"
    """By whose clocks instants of the shop become days and windows."""
    statuses: Sequence[str] = ()
    """Of WooCommerce: which of its statuses are open orders; empty for `processing`."""
    out_for_delivery_status: str = ""
    attempted_status: str = ""
    """Of WooCommerce: statuses of a plugin that an order gets then; empty for none."""
    notifies_customer: bool = False
    """Whether the shop's own mail tells its customer; else we do, or nobody."""
    is_annotated: bool = False
    """Whether orders are written into, which may take a permission of its own."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ForeignOrder:
    """An order as its shop has it now."""

    order_id: str
    """The platform's own id, as its interface takes it."""
    number: str
    """What the interface calls the platform's number: of it `storeOrderId` is made."""
    draft: StoreOrderDraft
    updated_at: datetime
    is_wanted: bool = True
    """False for what nobody delivers: unpaid, a test, picked up by the customer."""
    is_delivered: bool = False
    """Whether the shop says itself that all of it has arrived."""

    remarks: Sequence[str] = ()
    """What of it could not be understood, for a planner."""
    delivery_methods: Sequence[str] = ()
    """How its customer wants it, as the shop calls that; for rules."""
    customer_tags: Sequence[str] = ()
    """Of the customer, where the platform has such; for rules."""
    locations: Sequence[str] = ()
    """From which of the shop's locations it leaves; for rules."""


@dataclass(frozen=True, kw_only=True, slots=True)
class OrderPage:
    """Orders in the order of their change, and where to go on."""

    orders: Sequence[ForeignOrder]
    cursor: str
    """Opaque; text of the adapter's making, to be stored with the orders."""
    is_last: bool


class Step(StrEnum):
    """What became of a stop, as a shop is told."""

    OUT_FOR_DELIVERY = "OUT_FOR_DELIVERY"
    DELIVERED = "DELIVERED"
    ATTEMPTED = "ATTEMPTED"
    CORRECTED = "CORRECTED"
    """What was reported as delivered or attempted was a mistake; the stop is on its way again."""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReportedItem:
    """So many pieces of a line: found in the order by SKU, then by name."""

    sku: str
    name: str
    quantity: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Report:
    """One thing that happened at a stop."""

    stop_id: str
    """The key: what the shop has under it already is not done again."""
    step: Step
    happened_at: datetime
    items: Sequence[ReportedItem] = ()
    """What the stop carries; empty for all that is left of the order."""
    tracking_url: str = ""
    attempted_stop_ids: Sequence[str] = ()
    """Other stops of the order at which delivery was attempted before, the latest first: what they
    carried goes out again, and the shop has it in fulfilments of theirs."""

    expected_at: datetime | None = None
    place: Coordinates | None = None
    note: str = ""


@dataclass(frozen=True, kw_only=True, slots=True)
class ReportAnswer:
    """What a shop knows now."""

    was_known: bool
    """Whether it knew before: nothing was done."""
    fulfillment_id: str = ""
    remark: str = ""
    """What could not be said in full on this platform, in a sentence."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Annotation:
    """What is written into an order for the people of its shop; twice is as good as once."""

    fields: Mapping[OrderField, str]
    """Those of which nothing is known stay as they are."""
    tags: Sequence[str] = ()
    """That the order is to have."""
    former_tags: Sequence[str] = ()
    """Those of other steps, which it has no more."""


@dataclass(frozen=True, kw_only=True, slots=True)
class CheckResult:
    """One thing that was tried when a connection was checked."""

    subject: str
    """Such as `credentials`, `permission write_orders`, `customer data`, `location`."""
    is_good: bool
    message: str
    remedy: str = ""


class Storefront(Protocol):
    """A connected shop. Every method raises `StorefrontFailure`."""

    def check(self) -> Sequence[CheckResult]:
        """Try what is needed; what the shop refuses is a finding, that it is away raises Busy."""
        ...

    def changed(self, cursor: str, since: datetime) -> OrderPage:
        """Return one page of what has changed, oldest change first.

        An empty cursor starts at `since`. The cursor of the last page is where to start at the
        next visit; it goes back far enough that orders of the same second are not lost, so
        orders may come twice.
        """
        ...

    def get(self, order_ids: Sequence[str]) -> Sequence[ForeignOrder]:
        """Return orders by the platform's ids, at most 50; those that are gone are missing."""
        ...

    def report(self, order_id: str, report: Report) -> ReportAnswer:
        """Tell of a step; look first by the stop's id whether the shop knows it already."""
        ...

    def annotate(self, order_id: str, annotation: Annotation) -> None:
        """Write into an order what its people see beside it."""
        ...

    def subscribe(self, hook_url: str, secret: str) -> bool:
        """Make or renew the shop's hooks; False where the platform has none to make."""
        ...
