"""Streets to look at, for every page with a map: public data, so nobody signs in for it."""

import gzip
import math

from starlette.responses import Response

from roundsman.domain.errors import FieldViolation, InvalidArgument, NotFound
from roundsman.domain.model import Model
from roundsman.endpoints.access import Anybody, HttpRequest
from roundsman.endpoints.built_files import BuiltFiles
from roundsman.endpoints.compression import accepts_gzip
from roundsman.endpoints.files import answer_file
from roundsman.endpoints.operation import Answer, Operations
from roundsman.kit.leaky_bucket import Rate
from roundsman.operations.tools import Tools

ONLOOKER = Anybody("onlooker", Rate(capacity=2_000, interval_micros=5_000))
"""200 tiles a second for each address, bursts of 2,000: a screen is some thirty, at once."""

OPERATIONS = Operations("Map", ONLOOKER)

_HIGHEST_ZOOM = 22
_KEPT_SECONDS = 3_600
_MISSING = "no streets are installed; import an extract with roundsman map import"


class StreetMapAnswer(Model):
    """What there is to look at."""

    version: str
    bounds: tuple[float, float, float, float]
    """West, south, east, north, in degrees."""

    min_zoom: int
    max_zoom: int
    """Larger zooms are drawn from the tiles of this one."""

    attribution: str
    """To be shown beside the map."""


@OPERATIONS.add(
    "GET",
    "/map",
    summary="See what part of the world has streets to look at",
    answer=Answer[StreetMapAnswer](StreetMapAnswer),
)
def show_street_map(tools: Tools) -> StreetMapAnswer | Response:
    """Say what there is; 204 without streets: every page asks, and nothing has failed."""
    view = tools.street_map.describe()
    if view is None:
        return Response(status_code=204)
    # Outward, so that rounding leaves nothing out; a page needs no more than metres.
    west, south, east, north = view.bounds
    return StreetMapAnswer(
        version=view.version,
        bounds=(_down(west), _down(south), -_down(-east), -_down(-north)),
        min_zoom=view.min_zoom,
        max_zoom=view.max_zoom,
        attribution=view.attribution,
    )


def _down(degrees: float) -> float:
    return math.floor(degrees * 100_000) / 100_000


@OPERATIONS.add("GET", "/map/tiles/{z}/{x}/{y}", most_body_bytes=0)
def show_tile(tools: Tools, http: HttpRequest, z: str, x: str, y: str) -> Response:
    """Show a vector tile, or that nothing is drawn there."""
    zoom = _read("z", z, _HIGHEST_ZOOM)
    column, row = (_read(name, given, 2**zoom - 1) for name, given in (("x", x), ("y", y)))
    if tools.street_map.describe() is None:
        raise NotFound(_MISSING)
    headers = {"Cache-Control": f"public, max-age={_KEPT_SECONDS}", "Vary": "Accept-Encoding"}
    found = tools.street_map.read(zoom, column, row)
    if found is None:
        return Response(status_code=204, headers=headers)
    headers["ETag"] = f'"{found.mark}"'
    if found.mark in http.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=headers)
    packed = accepts_gzip(http.headers.get("accept-encoding", ""))
    if packed:
        headers["Content-Encoding"] = "gzip"
    body = found.data if packed else gzip.decompress(found.data)
    return Response(body, media_type="application/vnd.mapbox-vector-tile", headers=headers)


_FILE_HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; connect-src 'self'; base-uri 'none';"
        " frame-ancestors 'none'"
    ),
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Robots-Tag": "noindex",
}
"""A worker is held to the policy that its own file comes with."""


def _add_file(name: str, body: bytes) -> None:
    media_type = BuiltFiles.media_type_of(name)

    @OPERATIONS.add("GET", f"/map/{name}", most_body_bytes=0)
    def show_map_file(http: HttpRequest) -> Response:
        return answer_file(http, body, media_type, _FILE_HEADERS)


def _add_files() -> None:
    files = BuiltFiles("roundsman.visitors")
    for name in files.names():
        _add_file(name, files.read(name))


_add_files()


def _read(name: str, given: str, most: int) -> int:
    if given.isascii() and given.isdigit() and len(given) <= 8 and int(given) <= most:
        return int(given)
    description = f"must be a whole number from 0 to {most}"
    violation = FieldViolation(field=name, description=description)
    raise InvalidArgument(f"{name} {description}", [violation])
