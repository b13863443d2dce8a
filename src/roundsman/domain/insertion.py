"""Where a stop fits best: a place on each of some routes, and what it costs there."""

from roundsman.domain.errors import PreconditionViolation
from roundsman.domain.model import UNSET, Model, UnsetType


class Insertion(Model):
    """The best place on one route, its order being as it is."""

    route_id: str
    index: int
    """The final index of the stop among the stops of the route."""

    extra_travel_seconds: int
    extra_lateness_seconds: int
    violations: tuple[PreconditionViolation, ...] = ()
    """Everything that the route breaks with the stop there."""


class StopReference(Model):
    """Names a stop of a route, an imported stop, or an order of the storefront."""

    stop_id: str | UnsetType = UNSET
    imported_stop_id: str | UnsetType = UNSET
    store_order_id: str | UnsetType = UNSET


class StopInsertions(StopReference):
    """The best place of each route for one stop, the best route first."""

    places: tuple[Insertion, ...]
