"""The driver's app: fixed files, the service worker that keeps them, and the app around a page.

The files know nobody: a device signs in from them at the interface beside. Each stands under
`/driver/`, the app itself at `/driver`.
"""

import json
from collections.abc import Mapping
from functools import cache

from starlette.responses import Response

from roundsman.endpoints.access import Anybody, HttpRequest
from roundsman.endpoints.built_files import BuiltFiles
from roundsman.endpoints.files import answer_file
from roundsman.endpoints.operation import Operations

PREFIX = "/driver"
MAP_PREFIX = "/map"
"""Where the script is that draws streets; it is kept with the app."""

_INDEX = "index.html"
MAP_WORKER = "maplibre-gl-worker.mjs"
_WORKER = "worker.js"
_NOT_KEPT = {_WORKER, _INDEX}
_EMPTY = "<noscript><p>This app needs JavaScript.</p></noscript>"

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self' 'wasm-unsafe-eval'",  # the reader of codes is compiled; no text is run
        "style-src 'self'",
        "img-src 'self' blob:",  # pictures that are still on the phone
        "font-src 'self'",
        "media-src 'self' blob:",
        "connect-src 'self'",
        "worker-src 'self'",
        "manifest-src 'self'",
        "form-action 'self'",  # an invite can be accepted without a script
        "base-uri 'none'",
        "frame-ancestors 'none'",
        "require-trusted-types-for 'script'",
        "trusted-types default",  # kit/trusted.ts: our workers alone, and markup escaped
    )
)
APP_HEADERS: Mapping[str, str] = {
    "Content-Security-Policy": _POLICY,
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(self), geolocation=(self), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Robots-Tag": "noindex",
}


@cache
def _files() -> BuiltFiles:
    return BuiltFiles("roundsman.driver")


def put_into_app(markup: str) -> str:
    """Return the app's page with something to read where no script runs."""
    return _files().read(_INDEX).decode().replace(_EMPTY, markup)


def _worker() -> bytes:
    """Return the service worker, which is told what to keep: another file makes another worker."""
    map_files = BuiltFiles("roundsman.visitors")
    kept = [
        PREFIX,
        *(f"{PREFIX}/{name}" for name in _files().names() if name not in _NOT_KEPT),
        *(f"{MAP_PREFIX}/{name}" for name in map_files.names() if name != MAP_WORKER),
        f"{PREFIX}/{MAP_WORKER}",
    ]
    head = (
        f"self.KEPT_VERSION={json.dumps(_files().version() + map_files.version())};"
        f"self.KEPT_FILES={json.dumps(kept)};\n"
    )
    return head.encode() + _files().read(_WORKER)


def open_app_files() -> Operations:
    """Return an operation for each file of the app."""
    operations = Operations("Driver's app", Anybody())
    for name in _files().names():
        is_worker = name == _WORKER
        _add_file(operations, name, _worker() if is_worker else _files().read(name))
    # A service worker answers for workers under its own address alone.
    _add_file(operations, MAP_WORKER, BuiltFiles("roundsman.visitors").read(MAP_WORKER))
    return operations


def _add_file(operations: Operations, name: str, body: bytes) -> None:
    # The service worker stands one floor below the app's own address.
    allowed = {"Service-Worker-Allowed": PREFIX} if name == _WORKER else {}
    headers = {**APP_HEADERS, **allowed}
    media_type = BuiltFiles.media_type_of(name)

    @operations.add("GET", "" if name == _INDEX else f"/{name}", most_body_bytes=0)
    def show_driver_app(http: HttpRequest) -> Response:
        return answer_file(http, body, media_type, headers)
