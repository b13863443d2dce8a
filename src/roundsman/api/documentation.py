"""The description and its readable pages, all served from here: no content network is asked.

They are made when they are first asked for, which on most days is never.
"""

from collections.abc import Callable, Mapping
from functools import cache, partial
from importlib.resources import files

from starlette.responses import Response

from roundsman.endpoints.access import HttpRequest
from roundsman.endpoints.files import answer_file
from roundsman.endpoints.operation import Operations, Pool
from roundsman.endpoints.pages import Templates
from roundsman.operations.tools import Tools

_ASSETS = {
    "swagger-ui.css": "text/css",
    "swagger-ui-bundle.js": "text/javascript",
    "favicon-32x32.png": "image/png",
}
_TEMPLATES = Templates("roundsman.api")
_START = """SwaggerUIBundle({
  url: "openapi.json", dom_id: "#docs", deepLinking: true, validatorUrl: null,
  presets: [SwaggerUIBundle.presets.apis],
});
"""


_POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self' 'unsafe-inline'",  # Swagger UI sets styles of elements as it draws them
        "img-src 'self' data:",  # its icons are in its style sheet
        "connect-src 'self'",
        "form-action 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
    )
)
_HEADERS = {
    "Content-Security-Policy": _POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Frame-Options": "DENY",
}


def add_documentation(operations: Operations, describe: Callable[[str], bytes]) -> None:
    """Add the description and its pages to the operations of a door."""
    make_description = cache(describe)

    @operations.add("GET", "/openapi.json", pool=Pool.CHANGE)
    def show_description(tools: Tools, http: HttpRequest) -> Response:
        description = make_description(tools.address.url)
        return answer_file(http, description, "application/json", _HEADERS)

    pages: Mapping[str, tuple[Callable[[], bytes], str]] = {
        "/docs": (_write_index, "text/html"),
        "/docs/start.js": (_START.encode, "text/javascript"),
        **{
            f"/docs/{name}": (cache(partial(_read_asset, name)), media_type)
            for name, media_type in _ASSETS.items()
        },
    }
    for path, (make, media_type) in pages.items():
        _add_page(operations, path, make, media_type)


def _add_page(
    operations: Operations, path: str, make: Callable[[], bytes], media_type: str
) -> None:
    # Making a page the first time takes longer than a read may.
    @operations.add("GET", path, pool=Pool.CHANGE)
    def show_documentation(http: HttpRequest) -> Response:
        return answer_file(http, make(), media_type, _HEADERS)


def _write_index() -> bytes:
    return _TEMPLATES.render("documentation.html", title="Roundsman interface 2024-07").encode()


def _read_asset(name: str) -> bytes:
    return (files("swagger_ui") / "static" / name).read_bytes()
