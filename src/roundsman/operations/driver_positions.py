"""Where drivers are: told by their devices or by a tracker beside them, and shown to planners."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from itertools import batched

from roundsman.domain.actions import ActionKind, Fix
from roundsman.domain.change import DriverPosition
from roundsman.domain.live_route import is_under_way
from roundsman.domain.model import Model
from roundsman.domain.route import DriverFix, Route
from roundsman.domain.route_actions import Position
from roundsman.operations.driver_routes import list_driver_routes
from roundsman.operations.execution import MOST_AT_ONCE, record_positions
from roundsman.operations.request import Request
from roundsman.operations.tools import Tools
from roundsman.storage.live_routes import list_latest_positions


class TakenPositions(Model):
    """What became of positions."""

    taken: int
    ignored: int
    """From before a route began, or while none was under way: nobody is followed off duty."""


def take_positions(tools: Tools, request: Request, fixes: Sequence[DriverFix]) -> TakenPositions:
    """Keep where a driver was on the routes that are under way; the rest is not kept."""
    started = sorted(
        (
            (route.start.updated_start, route.id)
            for route in list_driver_routes(tools, request)
            if _is_driven_by(route, request.principal.driver_id)
            and isinstance(route.start.updated_start, datetime)
        ),
        reverse=True,
    )
    by_route: dict[str, list[DriverFix]] = defaultdict(list)
    for fix in fixes:
        route_id = next((id_ for start, id_ in started if start <= fix.at), "")
        if route_id:
            by_route[route_id].append(fix)
    taken = sum(
        record_positions(tools, request, [_position(tools, route_id, fix) for fix in some])
        for route_id, found in by_route.items()
        for some in batched(found, MOST_AT_ONCE)
    )
    return TakenPositions(taken=taken, ignored=len(fixes) - taken)


def _is_driven_by(route: Route, driver_id: str) -> bool:
    return route.driver_id == driver_id and is_under_way(route)


def _position(tools: Tools, route_id: str, fix: DriverFix) -> Position:
    return Position(
        id=tools.ids.new_uuid(),
        kind=ActionKind.POSITION,
        sequence=1,
        at=fix.at,
        route_id=route_id,
        position=Fix(
            latitude=fix.coordinates.latitude,
            longitude=fix.coordinates.longitude,
            accuracy_meters=fix.accuracy_meters,
        ),
    )


def list_present_positions(tools: Tools, organization_id: str) -> list[DriverPosition]:
    """Return where the drivers of routes under way are, the one heard of longest ago first."""
    with tools.database.reading() as tx:
        return list_latest_positions(tx, organization_id)
