"""Where the drivers of a route were."""

from roundsman.domain.errors import NotFound
from roundsman.domain.route_views import RouteTrack
from roundsman.operations.tools import Tools
from roundsman.storage.driver_positions import list_track
from roundsman.storage.routes import look_up_state

_MOST_POINTS = 20_000
"""More than two days of driving; the latest are shown."""


def get_track(tools: Tools, organization_id: str, route_id: str) -> RouteTrack:
    """Return where the drivers of a route were, as far as it is still kept; raise NotFound."""
    if look_up_state(tools.database, organization_id, route_id) is None:
        raise NotFound("route not found")
    with tools.database.reading() as tx:
        points = list_track(tx, organization_id, route_id, _MOST_POINTS)
    return RouteTrack(points=tuple(points))
