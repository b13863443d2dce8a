"""Fixed files: their bytes change with the software alone, and browsers keep them by their tags."""

import hashlib
from collections.abc import Mapping
from functools import lru_cache

from starlette.responses import Response

from roundsman.endpoints.access import HttpRequest


def answer_file(
    http: HttpRequest, body: bytes, media_type: str, headers: Mapping[str, str]
) -> Response:
    """Answer a file, or that the browser has it already (RFC 9110, section 13.1.2)."""
    mark = _mark_of(body)
    tagged = {
        **headers,
        "Cache-Control": "no-cache",
        "ETag": f'"{mark}"',
        "Vary": "Accept-Encoding",
        "X-Content-Type-Options": "nosniff",
    }
    # The tag of a compressed answer has the mark in it too.
    if mark in http.headers.get("if-none-match", ""):
        return Response(status_code=304, headers=tagged)
    return Response(body, media_type=media_type, headers=tagged)


@lru_cache(maxsize=64)  # more than there are files
def _mark_of(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:32]
