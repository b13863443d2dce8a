"""What is answered to who asks what is stored of one person: of a customer, or of a driver."""

from datetime import datetime
from typing import Any

from roundsman.domain.driver import Driver
from roundsman.domain.driver_session import DriverSession
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.route_status import RouteStatus
from roundsman.domain.route_views import TrackPoint


class CustomerExport(Model):
    """Everything that is stored of a customer, as it is stored."""

    imported_stops: tuple[dict[str, Any], ...] = ()
    stops: tuple[dict[str, Any], ...] = ()
    """Stops of routes, each with `routeId` and `scheduledFor` of its route."""

    orders: tuple[dict[str, Any], ...] = ()


class DrivenRoute(Model):
    """A route that a driver has, or had."""

    id: str
    name: str = ""
    scheduled_for: datetime
    status: RouteStatus


class DriverTrackPoint(TrackPoint):
    """Where a driver was, when, and on which route."""

    route_id: str


class DriverExport(Model):
    """Everything that is stored of a driver, as far as it is still kept."""

    driver: Driver
    devices: tuple[DriverSession, ...] = ()
    """Where the driver is signed in."""

    routes: tuple[DrivenRoute, ...] = ()
    positions: tuple[DriverTrackPoint, ...] = ()
    """Oldest first; those of one route in sequence."""

    actions: tuple[dict[str, Any], ...] = ()
    """What the driver's devices submitted, and what became of it, oldest first."""


class PersonExport(CustomerExport):
    """Everything that is stored of one person: a customer's objects, or a driver's."""

    driver: DriverExport | UnsetType = UNSET
    """Of a driver, and then the only field with anything in it."""
