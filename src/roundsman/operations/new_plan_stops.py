"""What a plan brings to routes that was on none: imported stops and store orders."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from roundsman.domain.day_to_plan import DayToPlan, StopToPlan, VehicleLocation
from roundsman.domain.errors import PreconditionViolation
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.plan import PlanRoute, PlanStep, PlanStepType
from roundsman.domain.route import Route
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.store_order import StoreOrder
from roundsman.operations.locations import ResolvedLocation
from roundsman.operations.route_stops import copy_imported_stop
from roundsman.operations.stops_to_plan import already_routed
from roundsman.operations.store_orders import USUAL_ITEMS, copy_order
from roundsman.operations.tools import Tools
from roundsman.storage.database import Transaction
from roundsman.storage.imported_stops import find_imported_stops, find_update_times
from roundsman.storage.routes import find_live_routes_of_origins
from roundsman.storage.store_orders import find_order_update_times, find_store_orders


def stop_steps(route: PlanRoute) -> list[PlanStep]:
    """Return the steps of a route that are stops."""
    return [step for step in route.steps if step.type is PlanStepType.STOP]


def _new_steps(routes: Sequence[PlanRoute]) -> Iterator[PlanStep]:
    """Yield the steps at stops that are on no route yet."""
    for route in routes:
        yield from (step for step in stop_steps(route) if not step.route_stop_id)


@dataclass(frozen=True, kw_only=True, slots=True)
class NewStops:
    """The imported stops and store orders of routes that are to be applied."""

    given: Mapping[str, StopToPlan]
    """As they were planned, by the ids of what they are made of."""

    imported: Mapping[str, ImportedStop]
    orders: Mapping[str, StoreOrder]

    def has_all(self, route: PlanRoute) -> bool:
        """Say whether everything that a route is made of is still there."""
        return all(
            step.origin_id() in (self.orders if step.store_order_id else self.imported)
            for step in _new_steps([route])
        )

    def make_stop(self, step: PlanStep, route: Route, tools: Tools) -> RouteStop:
        """Return a stop of a route, as it would be if somebody added it there."""
        if not step.store_order_id:
            return copy_imported_stop(self.imported[step.imported_stop_id], route, tools)
        planned = self.given[step.store_order_id]
        assert planned.geocoding  # noqa: S101 -- orders are planned with it
        place = ResolvedLocation(coordinates=planned.coordinates, geocoding=planned.geocoding)
        return copy_order(self.orders[step.store_order_id], place, USUAL_ITEMS, route, tools)

    def locate(self, step: PlanStep) -> VehicleLocation:
        """Return where a stop is that is on no route yet."""
        planned = self.given[step.origin_id()]
        if step.store_order_id:
            address, geocoding = self.orders[step.store_order_id].address, planned.geocoding
        else:
            stop = self.imported[step.imported_stop_id]
            address, geocoding = stop.address, stop.geocoding
        return VehicleLocation(
            address=address, coordinates=planned.coordinates, geocoding=geocoding
        )


def read_new_stops(
    tx: Transaction, organization_id: str, given: DayToPlan, routes: Sequence[PlanRoute]
) -> NewStops:
    """Return what these routes are made of; what was deleted is missing."""
    steps = list(_new_steps(routes))
    imported_ids = [step.imported_stop_id for step in steps if step.imported_stop_id]
    order_ids = [step.store_order_id for step in steps if step.store_order_id]
    imported = find_imported_stops(tx, organization_id, ids=imported_ids)
    return NewStops(
        given=_by_origin(given),
        imported={stop.id: stop for stop in imported},
        orders=find_store_orders(tx, organization_id, order_ids),
    )


def _by_origin(given: DayToPlan) -> dict[str, StopToPlan]:
    return {stop.origin_id(): stop for stop in given.stops if not stop.route_stop_id}


def find_stale_stops(
    tx: Transaction, organization_id: str, given: DayToPlan, routes: Sequence[PlanRoute]
) -> list[PreconditionViolation]:
    """Find what has changed, was deleted, or came to a route since the plan was asked for."""
    ids = [step.origin_id() for step in _new_steps(routes)]
    planned = _by_origin(given)
    times = find_update_times(tx, organization_id, ids)
    times |= find_order_update_times(tx, organization_id, ids)
    stale = [
        PreconditionViolation(
            type="STALE_STOP",
            subject=id_,
            description="has changed since the plan was made"
            if id_ in times
            else "was deleted since the plan was made",
        )
        for id_ in ids
        if times.get(id_) != planned[id_].updated_at
    ]
    return stale + already_routed(find_live_routes_of_origins(tx, organization_id, ids))
