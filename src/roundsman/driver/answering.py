"""How the driver's door writes what it answers."""

import msgspec
from starlette.responses import Response

from roundsman.doors.responses import JsonResponse


def answer(body: object) -> Response:
    """Return an object as JSON."""
    return answer_bytes(msgspec.json.encode(body))


def answer_bytes(body: bytes) -> Response:
    """Return JSON as it is."""
    return JsonResponse(body)
