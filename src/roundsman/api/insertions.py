"""Insertions at the door: where stops fit best on routes whose orders stay."""

from roundsman.domain.insertion import StopReference, StopWishes
from roundsman.domain.model import UNSET
from roundsman.domain.principal import Scope
from roundsman.endpoints.access import ApiClient
from roundsman.endpoints.operation import Operations, Pool
from roundsman.operations import insertions
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.wire.current_version import InsertionsAnswer, InsertionsBody

OPERATIONS = Operations("Routes", ApiClient(), Scope.WRITE)


@OPERATIONS.add(
    "POST",
    "/insertions",
    scope=Scope.READ,
    summary="Find the best place for stops on each of some routes",
    pool=Pool.CHANGE,
)
def find_insertions(tools: Tools, request: Request, body: InsertionsBody) -> InsertionsAnswer:
    """Find the best place of each route for stops that are on none, or on another, and what each
    place would cost and break. Changes nothing.
    """
    references = [
        StopReference(
            stop_id=stop.stop_id or UNSET,
            imported_stop_id=stop.imported_stop_id or UNSET,
            client_stop_id=stop.client_stop_id or UNSET,
            store_order_id=stop.store_order_id or UNSET,
        )
        for stop in body.stops
    ]
    wishes = [
        StopWishes(
            loads=stop.loads,
            required_skills=stop.required_skills,
            allowed_vehicles=stop.allowed_vehicles,
            excluded_vehicles=stop.excluded_vehicles,
            lateness_cost_per_hour=stop.lateness_cost_per_hour or 0.0,
            max_lateness=UNSET if stop.lateness_cost_per_hour is UNSET else stop.max_lateness,
        )
        for stop in body.stops
    ]
    wanted = list(zip(references, wishes, strict=True))
    found = insertions.find_insertions(tools, request.organization_id, wanted, body.route_ids)
    return InsertionsAnswer(stops=tuple(found))
