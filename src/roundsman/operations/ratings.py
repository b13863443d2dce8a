"""Links to rate a delivery, as they were sent before there was a page to follow it.

They lead to that page. A delivery whose tracking link was revoked is reached by none of them.
"""

import msgspec

from roundsman.domain.errors import NotFound
from roundsman.kit.secrets import unseal
from roundsman.operations.tools import Tools
from roundsman.operations.tracking_links import get_tracking_link, make_tracking_url
from roundsman.storage.tracking_links import find_tracked_stop

_PURPOSE = "rating"


class _Rated(msgspec.Struct, array_like=True):
    organization_id: str
    route_id: str
    stop_id: str


def make_rating_url(tools: Tools, organization_id: str, route_id: str, stop_id: str) -> str:
    """Return the address that takes a rating, and that leads a browser to the page for it."""
    return f"{get_tracking_link(tools, organization_id, route_id, stop_id).url}/rating"


def find_page_of_rating(tools: Tools, token: str) -> str:
    """Return the address of the page to which an earlier link leads."""
    text = unseal(tools.link_key, _PURPOSE, token)
    if text is None:
        raise NotFound("rating link is unknown")
    rated = msgspec.json.decode(text, type=_Rated)
    with tools.database.reading() as tx:
        known = find_tracked_stop(tx, rated.stop_id)
    if known is None or known.organization_id != rated.organization_id or known.times_revoked:
        raise NotFound("rating link is unknown")
    return make_tracking_url(tools, rated.stop_id, 0)
