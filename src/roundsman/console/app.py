"""The planner's door put together: fixed files, and what browsers may do with them.

It knows nobody and answers nothing of anybody: whoever looks signs in at the members' door, or to
the public interface, from the page. So no cookie is set and no rate is kept here, and a stolen look
at these files is a look at the source.
"""

from starlette.responses import Response

from roundsman.endpoints.access import Anybody, HttpRequest
from roundsman.endpoints.application import Door
from roundsman.endpoints.built_files import BuiltFiles
from roundsman.endpoints.files import answer_file
from roundsman.endpoints.operation import Operations
from roundsman.endpoints.pages import CONSOLE_PATH

PREFIX = CONSOLE_PATH
_INDEX = "index.html"

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "font-src 'self'",
        "worker-src 'self'",  # the map's, which reads tiles
        "form-action 'none'",  # the page reads its form itself; a browser may send it nowhere
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types default",  # kit/trusted.ts: the map's worker alone, and markup escaped
    )
)
_SAFE = {
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
}


def open_console_door() -> Door:
    """Return the planner's door."""
    operations = Operations("Console", Anybody())
    files = BuiltFiles("roundsman.console")
    for name in files.names():
        _add_file(operations, name, files.read(name))
    return Door(prefix=PREFIX, operations=operations.listed)


def _add_file(operations: Operations, name: str, body: bytes) -> None:
    media_type = BuiltFiles.media_type_of(name)

    @operations.add("GET", "" if name == _INDEX else f"/{name}", most_body_bytes=0)
    def show_console(http: HttpRequest) -> Response:
        return answer_file(http, body, media_type, _SAFE)
