"""The bodies that change routes and their stops, where they are not a noun of the domain."""

from collections.abc import Iterator
from typing import Annotated, Any, ClassVar

from msgspec import Meta
from msgspec.structs import fields as fields_of

from roundsman.domain.address import Address, Contact, Coordinates, Location
from roundsman.domain.imported_stop import Attribute, HttpsUrl, StopType, TimeWindows
from roundsman.domain.item import Item
from roundsman.domain.noun import UNSET, Line, Noun, Prose, Rule, Tags, UnsetType, obey_rules
from roundsman.domain.route import RouteOptions
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.time_window import Date
from roundsman.kit.durations import Duration
from roundsman.wire.field_mask import UpdateShape
from roundsman.wire.v2024_07.requests import STOP_FIELDS
from roundsman.wire.v2024_07.routes import RouteAnswer

type RouteStopItems = Annotated[tuple[Item, ...], Meta(max_length=250)]
"""Specification, Limits: items per route stop."""

type _Id = Annotated[str, Meta(min_length=1, max_length=255)]


def _wire_names(noun: type[Noun]) -> tuple[str, ...]:
    return tuple(field.encode_name for field in fields_of(noun))


class RouteUpdate(RouteOptions):
    """What a planner may change of a route; the rest of what a read answers is ignored."""

    server_set: ClassVar[frozenset[str]] = frozenset(_wire_names(RouteAnswer))

    name: Line = ""


def _judge_type(stop: Any) -> Iterator[str]:
    """Find a break made of a stop that was imported (decisions §8)."""
    if stop.type is StopType.BREAK:
        yield "must be UNKNOWN, DELIVERY, PICKUP or TASK"


class RouteStopUpdate(Noun):
    """What a planner may change of a route stop (decisions §12); bounds as on import."""

    rules: ClassVar = (Rule(_judge_type, ("type",)),)
    server_set: ClassVar[frozenset[str]] = frozenset(_wire_names(RouteStop))

    time_windows: TimeWindows = ()
    attributes: Annotated[tuple[Attribute, ...], Meta(max_length=100)] = ()
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

    def __post_init__(self) -> None:
        """Obey the rules."""
        obey_rules(self)


class RouteStopLocation(Noun):
    """Where a route stop is planned to be."""

    address: Address | UnsetType = UNSET
    planned_coordinates: Coordinates | UnsetType = UNSET


class PositionBody(Noun):
    """The final index of a stop among the stops, from 0."""

    index: Annotated[int, Meta(ge=0)]


class VehicleBody(Noun):
    """Names a vehicle."""

    vehicle_id: _Id


class DriverBody(Noun):
    """Names a driver."""

    driver_id: _Id


ROUTE_UPDATE = UpdateShape("route", RouteUpdate, _wire_names(RouteUpdate))
TERMINUS_LOCATION = UpdateShape("location", Location, _wire_names(Location), clears=False)
ROUTE_STOP_UPDATE = UpdateShape("routeStop", RouteStopUpdate, STOP_FIELDS)
ROUTE_STOP_LOCATION = UpdateShape(
    "location", RouteStopLocation, _wire_names(RouteStopLocation), clears=False
)
