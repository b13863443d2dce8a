"""Transfers: stops change their routes, all of them or none, in one transaction."""

from collections import Counter
from collections.abc import Mapping, Sequence

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.errors import FieldViolation, InvalidArgument, NotFound
from roundsman.domain.execution_events import stops_removed
from roundsman.domain.route import Route
from roundsman.domain.transfer import StopMove, move_stops
from roundsman.operations.request import Request
from roundsman.operations.route_changes import change_routes
from roundsman.operations.tools import Tools
from roundsman.routing.timing import time_route
from roundsman.storage.routes import VersionConflict, find_routes_of_stops


def transfer_stops(
    tools: Tools,
    request: Request,
    moves: Sequence[StopMove],
    versions: Mapping[str, int] | None = None,
) -> list[AssignedRoute]:
    """Move stops between routes, within one, or off a route; answer every route concerned.

    The routes come in the order in which the moves name them, the one that a stop leaves first.
    With `versions` only routes are changed that are of these.
    """
    repeated = _find_repeated(moves)
    if repeated:
        raise InvalidArgument("a stop is moved more than once", repeated)

    def find_ids() -> list[str]:
        return _find_routes(tools, request.organization_id, moves)

    def move_all(routes: Sequence[Route]) -> Sequence[Route]:
        known = {stop.id for route in routes for stop in route.stops}
        if any(move.stop_id not in known for move in moves):
            raise VersionConflict("a stop was moved at the same time; send the request again")
        before = {route.id: route for route in routes}
        after = move_stops(before, moves, tools.clock.now())
        return [
            route if after[route.id] == route else time_route(after[route.id], tools.roads).route
            for route in routes
        ]

    return change_routes(
        tools, request, find_ids, move_all, happened=stops_removed, versions=versions
    )


def _find_repeated(moves: Sequence[StopMove]) -> list[FieldViolation]:
    times = Counter(move.stop_id for move in moves)
    return [
        FieldViolation(field=f"moves[{index}].stopId", description="is given more than once")
        for index, move in enumerate(moves)
        if times[move.stop_id] > 1
    ]


def _find_routes(tools: Tools, organization_id: str, moves: Sequence[StopMove]) -> list[str]:
    """Return the routes concerned, each once; raise NotFound for a stop that is on none."""
    with tools.database.reading() as tx:
        found = find_routes_of_stops(tx, organization_id, [move.stop_id for move in moves])
    if len(found) < len(moves):
        raise NotFound("route stop not found")
    named = (id_ for move in moves for id_ in (found[move.stop_id], move.to_route_id) if id_)
    return list(dict.fromkeys(named))
