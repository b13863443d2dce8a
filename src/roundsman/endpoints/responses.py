"""Responses made quickly: nearly every answer is JSON with a handful of headers."""

from collections.abc import Mapping

from starlette.responses import Response

type RawHeaders = list[tuple[bytes, bytes]]
"""Headers as they are sent, their names in lower case."""

_JSON = (b"content-type", b"application/json")
_UNKEPT = (b"cache-control", b"no-store")
_AS_SAID = (b"x-content-type-options", b"nosniff")

CONFINED = (
    "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox"
)
"""The policy of what is no page: opened by itself it loads and runs nothing, in no frame."""

_NO_PAGE = (b"content-security-policy", CONFINED.encode())


class JsonResponse(Response):
    """Bytes of JSON, for nobody's cache; what the framework would find out about them is known."""

    media_type = "application/json"

    def __init__(
        self, body: bytes, status: int = 200, headers: Mapping[str, str] | None = None
    ) -> None:
        self.status_code = status
        self.background = None
        self.body = body
        self.raw_headers = [
            (b"content-length", b"%d" % len(body)),
            _JSON,
            _UNKEPT,
            _AS_SAID,
            _NO_PAGE,
        ]
        if headers:
            add_headers(self, headers)


def add_headers(response: Response, headers: Mapping[str, str]) -> None:
    """Add headers that a response does not have yet."""
    response.raw_headers += [
        (name.lower().encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()
    ]


def harden(response: Response) -> None:
    """Have no cache keep an answer that says nothing else, and no browser guess what it is.

    What comes without a policy of its own is no page, and is opened as none.
    """
    response.headers.setdefault("Cache-Control", "no-store")
    response.headers.setdefault("X-Content-Type-Options", "nosniff")
    response.headers.setdefault("Content-Security-Policy", CONFINED)
