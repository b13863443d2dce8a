"""How the driver's door writes what it answers."""

from collections.abc import Mapping

import msgspec
from starlette.responses import Response

from roundsman.doors.responses import JsonResponse


def answer(body: object) -> Response:
    """Return an object as JSON."""
    return answer_bytes(msgspec.json.encode(body))


def answer_bytes(body: bytes, headers: Mapping[str, str] | None = None) -> Response:
    """Return JSON as it is."""
    return JsonResponse(body, headers=headers)
