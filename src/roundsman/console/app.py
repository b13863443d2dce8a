"""The planner's door put together: fixed files, and what browsers may do with them.

It knows nobody and answers nothing of anybody: whoever looks signs in to the public interface from
the page. So no cookie is set and no rate is kept here, and a stolen look at these files is a look
at the source.
"""

import hashlib
from dataclasses import dataclass

from starlette.responses import Response

from roundsman.console.assets import list_assets, media_type_of, read_asset
from roundsman.endpoints.access import Anybody, HttpRequest
from roundsman.endpoints.application import Door
from roundsman.endpoints.operation import Operations

PREFIX = "/console"
_INDEX = "index.html"

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self'",
        "connect-src 'self'",
        "form-action 'none'",  # the page reads its form itself; a browser may send it nowhere
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types 'none'",  # text never becomes markup, whatever a later line may try
    )
)
_SAFE = {
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "Vary": "Accept-Encoding",
    "X-Content-Type-Options": "nosniff",
    "X-Robots-Tag": "noindex",
}


@dataclass(frozen=True, slots=True)
class _Asset:
    """A file, kept in memory as it is sent."""

    body: bytes
    media_type: str
    mark: str
    """Changes whenever the file does, so that a browser need not load it again."""

    def show(self, http: HttpRequest) -> Response:
        """Answer the file, or that the browser has it already."""
        headers = {**_SAFE, "Cache-Control": "no-cache", "ETag": f'"{self.mark}"'}
        # The tag of a compressed answer has the mark in it too.
        if self.mark in http.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(self.body, media_type=self.media_type, headers=headers)


def open_console_door() -> Door:
    """Return the planner's door."""
    operations = Operations("Console", Anybody())
    for name in list_assets():
        path = "" if name == _INDEX else f"/{name}"
        operations.add("GET", path, most_body_bytes=0)(_load(name).show)
    return Door(prefix=PREFIX, operations=operations.listed)


def _load(name: str) -> _Asset:
    body = read_asset(name).encode()
    mark = hashlib.sha256(body).hexdigest()[:32]
    return _Asset(body=body, media_type=media_type_of(name), mark=mark)
