"""The visitors' door: attachments at stable addresses, ratings, streets, and the way in."""

from collections.abc import Callable
from urllib.parse import parse_qs

from starlette.responses import Response

from roundsman.domain.errors import NotFound
from roundsman.endpoints.access import Anybody, HttpRequest
from roundsman.endpoints.application import Door
from roundsman.endpoints.operation import Operations, Pool
from roundsman.endpoints.responses import CONFINED
from roundsman.kit.leaky_bucket import Rate
from roundsman.operations import attachments
from roundsman.operations.tools import Tools
from roundsman.visitors import ratings, street_map
from roundsman.visitors.start_pages import HELP_PATH, WaysIn

VISITOR = Anybody("visitor", Rate(capacity=240, interval_micros=50_000))
"""20 requests a second for each address, bursts of 240: a page of photos is many at once."""

OPERATIONS = Operations("Visitors", VISITOR)

_MOST_ARGUMENTS = 10
_FILE_HEADERS = {
    "Cache-Control": "private, max-age=60",
    "Content-Security-Policy": CONFINED,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


def _read_arguments(http: HttpRequest, *names: str) -> list[str]:
    """Return arguments of an address; one that is missing, or cannot be read, is empty."""
    try:
        given = parse_qs(http.query, max_num_fields=_MOST_ARGUMENTS)
    except ValueError:
        given = {}
    return [given.get(name, [""])[0] for name in names]


@OPERATIONS.add("GET", "/attachments/{token}")
def open_attachment(tools: Tools, http: HttpRequest, token: str) -> Response:
    """Lead from the stable address to a link that soon expires."""
    (width,) = _read_arguments(http, "width")
    link = attachments.make_link(tools, token, width)
    return Response(b"", 307, headers={"Location": link, "Referrer-Policy": "no-referrer"})


@OPERATIONS.add("GET", "/files/{attachmentId}", pool=Pool.UPLOAD)
def show_file(tools: Tools, http: HttpRequest, attachment_id: str) -> Response:
    """Show the picture that a link names."""
    expires, signature, width = _read_arguments(http, "expires", "signature", "width")
    if not (expires.isascii() and expires.isdigit() and len(expires) <= 12):
        raise NotFound("link has expired")
    picture = attachments.follow_link(tools, attachment_id, expires, signature, width)
    ending = picture.media_type.removeprefix("image/").replace("jpeg", "jpg")
    disposition = f'inline; filename="{attachment_id}.{ending}"'
    return Response(
        picture.data,
        media_type=picture.media_type,
        headers={**_FILE_HEADERS, "Content-Disposition": disposition},
    )


OPERATIONS.add("GET", "/ratings/{token}", show_error=ratings.show_error)(ratings.show_rating)
OPERATIONS.add("POST", "/ratings/{token}", show_error=ratings.show_error)(ratings.rate_stop)


def open_visitors_door(ways_in: WaysIn) -> Door:
    """Return the visitors' door; `/` leads to `ways_in`."""
    start = Operations("Start", Anybody())
    pages: dict[str, Callable[[], Response]] = {
        "/": ways_in.show_start,
        HELP_PATH: ways_in.show_first_steps,
    }
    for path, show in pages.items():
        start.add("GET", path)(show)
    return Door(
        prefix="", operations=(*start.listed, *OPERATIONS.listed, *street_map.OPERATIONS.listed)
    )
