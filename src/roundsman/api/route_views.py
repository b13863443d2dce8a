"""What boards and maps show of a route, at the door."""

import msgspec

from roundsman.api.operation import Call, Operation
from roundsman.domain.route_views import RoutePath, Timetable
from roundsman.operations import route_views
from roundsman.operations.route_changes import RoutePart

_TAG = "Routes"


def _get_timetable(call: Call) -> RoutePart[Timetable]:
    return route_views.get_timetable(call.tools, call.organization_id, call.path["routeId"])


def _get_path(call: Call) -> RoutePart[RoutePath]:
    return route_views.get_path(call.tools, call.organization_id, call.path["routeId"])


def _encode_part(part: RoutePart[Timetable] | RoutePart[RoutePath]) -> bytes:
    return msgspec.json.encode(part.shown)


OPERATIONS = (
    Operation(
        id="getRouteTimetable",
        method="GET",
        path="/routes/{routeId}/timetable",
        summary="Get the planned times of a route, place by place, and the zones of their clocks",
        tag=_TAG,
        handle=_get_timetable,
        answer=Timetable,
        render=_encode_part,
    ),
    Operation(
        id="getRoutePath",
        method="GET",
        path="/routes/{routeId}/path",
        summary="Get the lines to draw of a route, along roads where there is a map",
        tag=_TAG,
        handle=_get_path,
        answer=RoutePath,
        render=_encode_part,
        asks_roads=True,
    ),
)
