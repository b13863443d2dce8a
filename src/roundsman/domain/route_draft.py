"""What a planner says of a route before it exists (decisions §7, `POST /routes`)."""

from typing import Annotated, ClassVar

from msgspec import Meta

from roundsman.domain.address import Address, Coordinates
from roundsman.domain.model import UNSET, Line, Model, UnsetType
from roundsman.domain.route import RouteOptions
from roundsman.domain.task import TaskTemplates


class RouteEndDraft(Model):
    """Where a new route starts or ends: an address, coordinates, or both."""

    server_set: ClassVar[frozenset[str]] = frozenset(
        {
            "geocoding",
            "status",
            "updatedStart",
            "scheduledStart",
            "photos",
            "plannedArrival",
            "distanceMeters",
            "updatedArrival",
        }
    )

    address: Address | UnsetType = UNSET
    """Where it is in words; looked up where there are no coordinates."""

    coordinates: Coordinates | UnsetType = UNSET
    """Where it is."""

    tasks: TaskTemplates = ()
    """What the driver has to do there."""


class RouteDraft(RouteOptions):
    """A new, empty route."""

    server_set: ClassVar[frozenset[str]] = frozenset(
        {
            "id",
            "stops",
            "status",
            "lastPosition",
            "createdAt",
            "updatedAt",
            "archivedAt",
            "totalDistanceMeters",
            "totalItemQuantity",
            "totalItemGrams",
            "optimized",
            "dispatchedUntil",
            "vehicle",
            "driver",
            "moved",
            "tradeoffs",
        }
    )

    name: Line = ""
    """What people call it; without one, a number such as #12."""

    start: RouteEndDraft
    """Where it begins, which is no stop."""

    end: RouteEndDraft | UnsetType = UNSET
    """Where it ends; without it, at its last stop."""

    vehicle_id: Annotated[str, Meta(max_length=255)] = ""
    """The vehicle that drives it; empty for none yet."""

    driver_id: Annotated[str, Meta(max_length=255)] = ""
    """Who drives it; empty for nobody yet."""
