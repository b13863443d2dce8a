"""Answers that a client has already: entity tags (RFC 9110, sections 8.8.3 and 13.1.2)."""

from collections.abc import Mapping

from starlette.responses import Response

from roundsman.endpoints.access import HttpRequest

_DIGITS = 19
"""A version has fewer."""

_GZIP = "-gzip"
"""What compression appends to a tag: other bytes, another tag."""


def expected_versions(headers: Mapping[str, str]) -> frozenset[int] | None:
    """Return the versions that `If-Match` names; None where any will do.

    Of a tag `<version>.<live>` the version alone counts: what is live is nobody's change.
    """
    named = headers.get("if-match", "").strip()
    if not named or named == "*":
        return None
    tags = (one.strip().removeprefix("W/").strip('"') for one in named.split(","))
    versions = (tag.partition(".")[0] for tag in tags)
    numbers = (one for one in versions if one.isascii() and one.isdigit() and len(one) < _DIGITS)
    return frozenset(int(one) for one in numbers)


def has_already(http: HttpRequest, tag: str) -> Response | None:
    """Return 304 where the client names the present tag."""
    for one in http.headers.get("if-none-match", "").split(","):
        named = one.strip().removeprefix("W/").strip('"')
        if named in {tag, tag + _GZIP, "*"}:
            # Of the bytes that the client has, which may be the compressed ones.
            kept = tag if named == "*" else named
            return Response(status_code=304, headers={"ETag": f'"{kept}"'})
    return None
