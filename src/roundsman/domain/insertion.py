"""Where a stop fits best: a place on each of some routes, and what it costs there."""

from collections.abc import Mapping
from datetime import datetime

from roundsman.domain.errors import PreconditionViolation
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.unassigned_stop import UnassignedReason
from roundsman.kit.durations import Duration


class DelayedStop(Model):
    """A stop that is reached later than before."""

    stop_id: str
    delay: Duration


class StopWishes(Model):
    """What holds of a stop instead of what it inherits (plans, PlanStop)."""

    loads: Mapping[str, float] | UnsetType = UNSET
    required_skills: tuple[str, ...] | UnsetType = UNSET
    allowed_vehicles: tuple[str, ...] | UnsetType = UNSET
    excluded_vehicles: tuple[str, ...] = ()
    lateness_cost_per_hour: float = 0.0
    max_lateness: Duration | UnsetType = UNSET
    """By how much its windows may be missed for that price; absent where they may not."""


class Insertion(Model):
    """The best place on one route, its order being as it is."""

    route_id: str
    index: int
    """The final index of the stop among the stops of the route."""

    extra_travel_seconds: int
    extra_lateness_seconds: int
    cost: float = 0.0
    """What it costs more there, in the organization's own money."""

    added_distance_meters: int = 0
    planned_arrival: datetime
    delayed: tuple[DelayedStop, ...] = ()
    """Stops of the route that are reached later, in driving order."""

    violations: tuple[PreconditionViolation, ...] = ()
    """Everything that the route breaks with the stop there."""

    new_violations: tuple[PreconditionViolation, ...] = ()
    """What of that it does not break without the stop."""


class StopReference(Model):
    """Names a stop of a route, an imported stop, or an order of the storefront."""

    stop_id: str | UnsetType = UNSET
    imported_stop_id: str | UnsetType = UNSET
    client_stop_id: str | UnsetType = UNSET
    store_order_id: str | UnsetType = UNSET


class StopInsertions(StopReference):
    """The best place of each route for one stop, the best route first."""

    places: tuple[Insertion, ...]
    reasons: tuple[UnassignedReason, ...] = ()
    """Why it has no place that breaks no hard rule, for each route, whose id is the vehicle's; none
    where it has one.
    """
