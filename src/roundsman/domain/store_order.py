"""Orders of an external storefront, and what of them goes to a stop."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from typing import Annotated, Any, ClassVar, Self

from msgspec import Meta
from msgspec.structs import replace

from roundsman.domain.address import Address, Contact, Coordinates, Location
from roundsman.domain.imported_stop import Attributes, HttpsUrl, Priority, TimeWindows, judge_type
from roundsman.domain.item import Item, total_quantity
from roundsman.domain.loads import Skills
from roundsman.domain.model import UNSET, Line, Model, Prose, Rule, Tags, UnsetType, obey_rules
from roundsman.domain.route_stop import RouteStop, StoreOrderNotes
from roundsman.domain.stop_type import StopType
from roundsman.domain.store_order_state import StoreOrderState
from roundsman.domain.time_window import Date
from roundsman.kit.durations import Duration

MOST_REMARKS = 100

_CORRECTION_DROPPED = "its shop has changed its address since it was corrected here"


class ItemSelection(StrEnum):
    """Which items of an order go to its stop; UNKNOWN is PREFER_UNFULFILLED (decisions §8)."""

    UNKNOWN = "UNKNOWN"
    PREFER_UNFULFILLED = "PREFER_UNFULFILLED"
    ALL = "ALL"


def _judge_fulfilled_quantity(item: Any) -> Iterator[str]:
    """Find more sent than was ordered."""
    if item.fulfilled_quantity > item.quantity:
        yield f"must be at most the quantity, {item.quantity}"


class OrderItem(Item):
    """A line of an order, and how much of it has left already."""

    rules: ClassVar = (Rule(_judge_fulfilled_quantity, ("fulfilled_quantity", "quantity")),)

    fulfilled_quantity: Annotated[int, Meta(ge=0, le=100_000)] = 0

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)

    def taken(self, quantity: int) -> Item:
        """Return so much of the line, as a stop carries it."""
        return Item(name=self.name, quantity=quantity, grams=self.grams, sku=self.sku)


class StoreOrderDraft(Model):
    """What the storefront says of an order."""

    rules: ClassVar[tuple[Rule, ...]] = (Rule(judge_type, ("type",)),)
    server_set: ClassVar[frozenset[str]] = frozenset(
        {"id", "connectionId", "remarks", "shopLocation"}
    )

    name: Line = ""
    address: Address | UnsetType = UNSET
    contact: Contact | UnsetType = UNSET
    items: Annotated[tuple[OrderItem, ...], Meta(max_length=499)] = ()
    order_note: Prose = ""
    customer_note: Prose = ""
    tags: Tags = ()
    state: StoreOrderState = StoreOrderState.OPEN
    delivery_date: Date | UnsetType = UNSET
    time_windows: TimeWindows = ()
    attributes: Attributes = ()
    order_reference_url: HttpsUrl = ""
    location: Line = ""
    """From which of the shop's locations it leaves."""

    coordinates: Coordinates | UnsetType = UNSET
    """Where it goes, where the storefront has checked that."""

    type: StopType = StopType.UNKNOWN
    """What its stop is for; UNKNOWN is a delivery."""

    duration: Duration | UnsetType = UNSET
    """How long service takes there; without it, the route's default does."""

    priority: Priority = 0
    """A stop with a higher one comes before others as far as windows allow; 0 is none."""

    required_skills: Skills = ()
    """What a vehicle of a plan must have to serve it."""

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)

    def with_items_back(self, back: Iterable[Item], away: Iterable[Item]) -> Self:
        """Return the order with what came back from a closed door to be delivered once more.

        For its storefront it has left. What is away with stops, or has arrived, is not to be.
        """
        counted_back, counted_away = _count(back), _count(away)
        items = []
        for one in self.items:
            kept = min(one.fulfilled_quantity, counted_away[_key(one)])
            again = min(one.fulfilled_quantity - kept, counted_back[_key(one)])
            counted_away[_key(one)] -= kept
            counted_back[_key(one)] -= again
            items.append(replace(one, fulfilled_quantity=one.fulfilled_quantity - again))
        if tuple(items) == self.items:
            return self
        is_done = self.state is StoreOrderState.FULFILLED
        state = StoreOrderState.OPEN if is_done else self.state
        return replace(self, items=tuple(items), state=state)


def _key(item: Item) -> tuple[str, str]:
    return item.sku, item.name


def _count(items: Iterable[Item]) -> Counter[tuple[str, str]]:
    counted: Counter[tuple[str, str]] = Counter()
    for item in items:
        counted[_key(item)] += item.quantity
    return counted


class StoreOrder(StoreOrderDraft):
    """An order; `id` is the storefront's own, unique in its organization."""

    id: str
    connection_id: str = ""
    """Of the storefront connection that it came by; empty for one that was pushed."""

    remarks: Annotated[tuple[Prose, ...], Meta(max_length=MOST_REMARKS)] = ()
    """What of it could not be understood, or has changed in its shop since: for a planner."""

    shop_location: Location | UnsetType = UNSET
    """Where its shop has it go, where that was corrected here; absent where it was not."""

    def relocated(self, target: Location) -> Self:
        """Return the order going elsewhere; where its shop has it go anyway, nothing is corrected.

        The shop's own location is kept beside a correction, by which it is seen whether it changes.
        """
        said = self.shop_location or Location(address=self.address, coordinates=self.coordinates)
        return replace(
            self,
            address=target.address,
            coordinates=target.coordinates,
            shop_location=UNSET if said == target else said,
            remarks=tuple(one for one in self.remarks if one != _CORRECTION_DROPPED),
        )

    def with_correction_dropped(self) -> Self:
        """Return the order with the remark that its shop's new address took a correction's place.

        It stands until the order is corrected again, or changes in its shop.
        """
        return replace(self, remarks=(*self.remarks, _CORRECTION_DROPPED)[-MOST_REMARKS:])

    def corrected_as(self, known: "StoreOrder") -> Self:
        """Return the order, as its shop has it now, going where it was corrected to.

        A correction stands for as long as the shop's own address does: one that the shop has
        coordinates for by now is the same.
        """
        said = known.shop_location
        if isinstance(said, UnsetType) or not _is_same_location(said, self):
            return self
        corrected = Location(address=known.address, coordinates=known.coordinates)
        return self.relocated(corrected)

    def notes(self, stop: RouteStop) -> StoreOrderNotes:
        """Return the notes that a stop shows, and in what its order is otherwise than the stop."""
        has_moved = bool(self.address) and self.address != stop.address
        has_other_day = bool(self.delivery_date) and self.delivery_date != stop.delivery_date
        has_other_windows = self.time_windows != stop.time_windows
        return StoreOrderNotes(
            order_note=self.order_note,
            customer_note=self.customer_note,
            state=UNSET if self.state is StoreOrderState.OPEN else self.state,
            address=self.address if has_moved else UNSET,
            delivery_date=self.delivery_date if has_other_day else UNSET,
            time_windows=self.time_windows if has_other_windows else UNSET,
        )

    def items_for(self, selection: ItemSelection) -> tuple[Item, ...]:
        """Return what goes to the stop: what has not left yet, or all when that is nothing."""
        everything = [item.taken(item.quantity) for item in self.items]
        remaining = [item.taken(item.quantity - item.fulfilled_quantity) for item in self.items]
        if selection is ItemSelection.ALL or not total_quantity(remaining):
            return tuple(everything)
        return _not_empty(remaining)


def _is_same_location(said: Location, order: StoreOrder) -> bool:
    if said.address or order.address:
        return said.address == order.address
    return said.coordinates == order.coordinates


def _not_empty(items: Sequence[Item]) -> tuple[Item, ...]:
    return tuple(item for item in items if item.quantity)
