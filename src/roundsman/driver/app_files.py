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
_INDEX = "index.html"
_WORKER = "worker.js"
_NOT_KEPT = {_WORKER, _INDEX}
_EMPTY = "<noscript><p>This app needs JavaScript.</p></noscript>"

_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
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
        "trusted-types roundsman-worker",  # vouches for the service worker's address alone
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
    kept = [PREFIX, *(f"{PREFIX}/{name}" for name in _files().names() if name not in _NOT_KEPT)]
    head = (
        f"self.KEPT_VERSION={json.dumps(_files().version())};self.KEPT_FILES={json.dumps(kept)};\n"
    )
    return head.encode() + _files().read(_WORKER)


def open_app_files() -> Operations:
    """Return an operation for each file of the app."""
    operations = Operations("Driver's app", Anybody())
    for name in _files().names():
        _add_file(operations, name)
    return operations


def _add_file(operations: Operations, name: str) -> None:
    is_worker = name == _WORKER
    body = _worker() if is_worker else _files().read(name)
    # The worker stands one floor below the app's own address.
    headers = {**APP_HEADERS, "Service-Worker-Allowed": PREFIX} if is_worker else APP_HEADERS
    media_type = BuiltFiles.media_type_of(name)

    @operations.add("GET", "" if name == _INDEX else f"/{name}", most_body_bytes=0)
    def show_driver_app(http: HttpRequest) -> Response:
        return answer_file(http, body, media_type, headers)
