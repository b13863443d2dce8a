"""Finding stops by what people call them, on routes and off them, for who has no id at hand."""

from dataclasses import dataclass

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.errors import NotFound
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.queries import ListImportedStops, ListRoutes, Query
from roundsman.domain.route_stop import RouteStop
from roundsman.domain.search_text import (
    fold_for_search,
    is_found,
    search_text_of_stop,
    spellings_of_search,
)
from roundsman.domain.stop_name import name_of_stop
from roundsman.operations.imported_stops import (
    get_imported_stop,
    list_imported_stops,
    list_routes_with_stop,
)
from roundsman.operations.route_changes import assign_stored, load_route
from roundsman.operations.routes import list_routes
from roundsman.operations.tools import Tools
from roundsman.storage.routes import find_routes_of_stops

_MOST_ROUTES = 50
_MOST_STOPS = 50


@dataclass(frozen=True, kw_only=True, slots=True)
class RoutedStop:
    """A stop on a route."""

    stop: RouteStop
    index: int
    on: AssignedRoute


@dataclass(frozen=True, kw_only=True, slots=True)
class FoundStops:
    """Stops on routes, the newest routes first, and imported stops that no route was made of."""

    routed: tuple[RoutedStop, ...]
    unrouted: tuple[ImportedStop, ...] = ()

    def named(self, text: str) -> "FoundStops":
        """Return those whose order or whole name the text is, if there are any; else all.

        A shop numbers its orders on, so that #3 is a part of #30 to #39.
        """
        exact = FoundStops(
            routed=tuple(one for one in self.routed if _is_named(one.stop, text)),
            unrouted=tuple(one for one in self.unrouted if _is_named(one, text)),
        )
        return exact if exact.routed or exact.unrouted else self

    def named_first(self, text: str) -> "FoundStops":
        """Return the same, those in front whose order or whole name the text is."""
        routed = sorted(self.routed, key=lambda one: not _is_named(one.stop, text))
        unrouted = sorted(self.unrouted, key=lambda one: not _is_named(one, text))
        return FoundStops(routed=tuple(routed), unrouted=tuple(unrouted))


def _is_named(stop: RouteStop | ImportedStop, text: str) -> bool:
    names = (stop.order_name, stop.client_stop_id, name_of_stop(stop))
    return fold_for_search(text) in map(fold_for_search, names)


def search_stops(tools: Tools, organization_id: str, text: str) -> FoundStops:
    """Return stops by an id, the client's own included, else by a part of what people know."""
    if text.startswith("rst-"):
        return FoundStops(routed=_find_by_id(tools, organization_id, text))
    named = _find_named(tools, organization_id, text)
    if named is not None:
        return named
    wanted = spellings_of_search(text)
    arguments = ListRoutes(text=text, limit=_MOST_ROUTES)
    routes = list_routes(tools, organization_id, Query(arguments)).rows if wanted else ()
    routed = tuple(
        RoutedStop(stop=stop, index=index, on=one)
        for one in routes
        for index, stop in enumerate(one.route.stops)
        if is_found(wanted, search_text_of_stop(stop))
    )
    imported = ListImportedStops(text=text, limit=_MOST_STOPS)
    pool = list_imported_stops(tools, organization_id, Query(imported)).rows if wanted else ()
    known = {one.stop.imported_stop_id for one in routed}
    return FoundStops(routed=routed, unrouted=tuple(stop for stop in pool if stop.id not in known))


def _find_named(tools: Tools, organization_id: str, reference: str) -> FoundStops | None:
    """Return the imported stop that a client calls so, on every route that it is on."""
    try:
        stop = get_imported_stop(tools, organization_id, reference)
    except NotFound:
        return None
    routed = tuple(
        RoutedStop(stop=one, index=index, on=route)
        for route in list_routes_with_stop(tools, organization_id, stop.id)
        if not route.route.archived_at
        for index, one in enumerate(route.route.stops)
        if one.imported_stop_id == stop.id
    )
    return FoundStops(routed=routed, unrouted=() if routed else (stop,))


def _find_by_id(tools: Tools, organization_id: str, stop_id: str) -> tuple[RoutedStop, ...]:
    with tools.database.reading() as tx:
        route_id = find_routes_of_stops(tx, organization_id, [stop_id]).get(stop_id)
    if route_id is None:
        raise NotFound(f"route stop {stop_id} not found")
    stored = load_route(tools, organization_id, route_id)
    with tools.database.reading() as tx:
        one = assign_stored(tx, organization_id, stored)
    return tuple(
        RoutedStop(stop=stop, index=index, on=one)
        for index, stop in enumerate(one.route.stops)
        if stop.id == stop_id
    )
