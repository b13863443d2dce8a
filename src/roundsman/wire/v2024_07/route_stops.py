"""Bodies that add stops and orders to a route, and change its stops."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from msgspec import Meta

from roundsman.domain.address import Address, Contact, Coordinates
from roundsman.domain.imported_stop import Attributes, HttpsUrl, TimeWindows
from roundsman.domain.item import Item
from roundsman.domain.model import UNSET, Line, Model, Prose, Rule, Tags, UnsetType, obey_rules
from roundsman.domain.route_stop import Locked, RouteStop
from roundsman.domain.stop_type import StopType
from roundsman.domain.store_order import ItemSelection
from roundsman.domain.time_window import Date
from roundsman.kit.durations import Duration
from roundsman.wire.field_mask import UpdateShape, wire_names
from roundsman.wire.v2024_07.imported_stops import STOP_FIELDS

type RouteStopItems = Annotated[tuple[Item, ...], Meta(max_length=250)]
"""Specification, Limits: items per route stop."""


def _judge_type(stop: Any) -> Iterator[str]:
    """Find a break made of a stop that was imported (decisions §8)."""
    if stop.type is StopType.BREAK:
        yield "must be UNKNOWN, DELIVERY, PICKUP or TASK"


class RouteStopUpdate(Model):
    """What a planner may change of a route stop (decisions §12); bounds as on import."""

    rules: ClassVar = (Rule(_judge_type, ("type",)),)
    server_set: ClassVar[frozenset[str]] = frozenset(wire_names(RouteStop))

    time_windows: TimeWindows = ()
    attributes: Attributes = ()
    priority: Annotated[int, Meta(ge=0, le=1_000_000)] = 0
    duration: Duration | UnsetType = UNSET
    order_name: Line = ""
    delivery_date: Date | UnsetType = UNSET
    type: StopType = StopType.UNKNOWN
    custom_signature_disclosure: Prose = ""
    order_reference_url: HttpsUrl = ""
    note: Prose = ""
    contact: Contact | UnsetType = UNSET
    tags: Tags = ()
    locked: Locked = False

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class RouteStopLocation(Model):
    """Where a route stop is planned to be."""

    address: Address | UnsetType = UNSET
    planned_coordinates: Coordinates | UnsetType = UNSET


class OrderBody(Model):
    """The ids of all stops of a route that are not done, each once, in the order to drive them."""

    stop_ids: Annotated[
        tuple[Annotated[str, Meta(min_length=1, max_length=255)], ...], Meta(max_length=1_000)
    ]


class PositionBody(Model):
    """The final index of a stop among the stops, from 0."""

    index: Annotated[int, Meta(ge=0)]


ROUTE_STOP_UPDATE = UpdateShape("routeStop", RouteStopUpdate, (*STOP_FIELDS, "locked"))
ROUTE_STOP_LOCATION = UpdateShape(
    "location", RouteStopLocation, wire_names(RouteStopLocation), clears=False
)


def _judge_name(stop: Any) -> Iterator[str]:
    """Find a stop without a name, or with two that could disagree."""
    if not (stop.imported_stop_id or stop.client_stop_id):
        yield "is required when clientStopId is not given"
    if stop.imported_stop_id and stop.client_stop_id:
        yield "must not be given with clientStopId"


class AddStopBody(Model):
    """Names an imported stop, by its id or by the client's own, and where it goes."""

    rules: ClassVar = (Rule(_judge_name, ("imported_stop_id", "client_stop_id")),)
    imported_stop_id: Annotated[str, Meta(max_length=255)] = ""
    client_stop_id: Annotated[str, Meta(max_length=255)] = ""
    index: Annotated[int, Meta(ge=0)] | UnsetType = UNSET
    """The final index among the stops at its turn; absent: the end."""

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


type AddStopsBody = Annotated[tuple[AddStopBody, ...], Meta(min_length=1, max_length=200)]


class AddOrderBody(Model):
    """Names an order of the storefront, and which of its items go."""

    store_order_id: Annotated[str, Meta(min_length=1, max_length=255)]
    item_selection: ItemSelection = ItemSelection.UNKNOWN


type AddOrdersBody = Annotated[tuple[AddOrderBody, ...], Meta(min_length=1, max_length=200)]
"""Specification, Limits: orders per request."""
