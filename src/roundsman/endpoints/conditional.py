"""Answers that a client has already: entity tags (RFC 9110, sections 8.8.3 and 13.1.2)."""

from starlette.responses import Response

from roundsman.endpoints.access import HttpRequest

_GZIP = "-gzip"
"""What compression appends to a tag: other bytes, another tag."""


def has_already(http: HttpRequest, tag: str) -> Response | None:
    """Return 304 where the client names the present tag."""
    for one in http.headers.get("if-none-match", "").split(","):
        named = one.strip().removeprefix("W/").strip('"')
        if named in {tag, tag + _GZIP, "*"}:
            # Of the bytes that the client has, which may be the compressed ones.
            kept = tag if named == "*" else named
            return Response(status_code=304, headers={"ETag": f'"{kept}"'})
    return None
