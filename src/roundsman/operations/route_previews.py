"""Previews: a route is changed in memory as it would be changed, timed, and forgotten."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from msgspec.structs import replace

from roundsman.domain.errors import InvalidArgument, NotFound
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.model import UnsetType
from roundsman.domain.quota import require_route_fits
from roundsman.domain.route import Route
from roundsman.domain.route_preview import RoutePreview
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.stop_moves import (
    InsertionPoint,
    order_stops,
    put_stop,
    require_open,
    require_origin_absent,
)
from roundsman.operations.route_changes import load_route
from roundsman.operations.route_stops import (
    Named,
    copy_imported_stop,
    find_named_stops,
    find_repeated,
    refuse_present,
    require_known,
)
from roundsman.operations.store_orders import find_order_stops
from roundsman.operations.tools import Tools
from roundsman.routing.previews import preview
from roundsman.storage.routes import find_routes_of_stops


@dataclass(frozen=True, kw_only=True, slots=True)
class Addition:
    """A stop to add: an imported one, an order, or one of another route, by its name."""

    named: Named
    index: int | UnsetType


@dataclass(frozen=True, kw_only=True, slots=True)
class ImaginedChange:
    """What would change, in this sequence: stops go, the rest is ordered, others come."""

    order: Sequence[str] | UnsetType
    add: Sequence[Addition]
    remove: Sequence[str]
    scheduled_for: datetime | UnsetType


def preview_route(
    tools: Tools, organization_id: str, route_id: str, change: ImaginedChange
) -> RoutePreview:
    """Return what a change of a route would mean; refuse what could not be done."""
    route = load_route(tools, organization_id, route_id).route
    now = tools.clock.now()
    changed = route
    if change.remove:
        changed = changed.without_stops(set(change.remove)).completed_when_over(now)
    if not isinstance(change.order, UnsetType):
        changed = order_stops(changed, change.order)
    changed = _with_additions(tools, organization_id, changed, change.add)
    if isinstance(change.scheduled_for, datetime):
        changed = changed.updated({"scheduled_for": change.scheduled_for})
    route.require_may_become(changed)
    require_route_fits(route, changed)
    return preview(changed, tools.roads, now)


def _with_additions(
    tools: Tools, organization_id: str, route: Route, additions: Sequence[Addition]
) -> Route:
    """Put the added stops where they are to be; they are called new-1, new-2 and so on."""
    named = [one.named for one in additions]
    by_field: dict[str, list[str]] = {}
    for field, id_ in named:
        by_field.setdefault(field, []).append(id_)
    imported = [one for one in named if one[0] in {"importedStopId", "clientStopId"}]
    known = find_named_stops(tools, organization_id, imported)
    on_routes = find_stops_of_routes(tools, organization_id, by_field.get("stopId", ()))
    orders = find_order_stops(tools, organization_id, by_field.get("storeOrderId", ()))
    _refuse_repeated(named, known)
    fields = [(f"add[{n}].{field}", id_) for n, (field, id_) in enumerate(named)]
    require_known([one for one, name in zip(fields, named, strict=True) if name in imported], known)
    now = tools.clock.now()
    for number, one in enumerate(additions, 1):
        field, id_ = one.named
        if field == "stopId":
            stop = _take(on_routes, id_, route)
        elif field == "storeOrderId":
            stop = orders[id_](route)
            require_origin_absent(stop, route)
        else:
            stop = _copy(tools, known[id_], route)
        at = InsertionPoint(one.index, f"add[{number - 1}].index")
        route = put_stop(route, replace(stop, id=f"new-{number}"), at, now)
    return route


def _refuse_repeated(named: Sequence[Named], known: Mapping[str, ImportedStop]) -> None:
    repeated = find_repeated(named, known, "add")
    if repeated:
        raise InvalidArgument("a stop is given more than once", repeated)


def _copy(tools: Tools, stop: ImportedStop, route: Route) -> RouteStop:
    refuse_present([stop], route)
    return copy_imported_stop(stop, route, tools)


def _take(stops: Mapping[str, RouteStop], stop_id: str, route: Route) -> RouteStop:
    if stop_id not in stops:
        raise NotFound("route stop not found")
    stop = stops[stop_id]
    require_open(stop)
    require_origin_absent(stop, route)
    return stop


def find_stops_of_routes(
    tools: Tools, organization_id: str, stop_ids: Sequence[str]
) -> dict[str, RouteStop]:
    """Return stops by id, from whichever routes they are on."""
    wanted = {stop_id for stop_id in stop_ids if stop_id}
    if not wanted:
        return {}
    with tools.database.reading() as tx:
        route_ids = set(find_routes_of_stops(tx, organization_id, wanted).values())
    routes = [load_route(tools, organization_id, route_id).route for route_id in route_ids]
    return {stop.id: stop for route in routes for stop in route.stops if stop.id in wanted}
