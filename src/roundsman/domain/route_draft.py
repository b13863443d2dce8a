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
    coordinates: Coordinates | UnsetType = UNSET
    tasks: TaskTemplates = ()


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
    start: RouteEndDraft
    end: RouteEndDraft | UnsetType = UNSET
    vehicle_id: Annotated[str, Meta(max_length=255)] = ""
    driver_id: Annotated[str, Meta(max_length=255)] = ""
