"""The frozen payloads of events."""

import msgspec

from roundsman.domain.events import Subject
from roundsman.domain.route import AssignedRoute
from roundsman.wire.v2024_07.routes import encode_route


def encode_payload(subject: Subject) -> bytes:
    """Return the object an event shows, as a read of it would answer."""
    return (
        encode_route(subject)
        if isinstance(subject, AssignedRoute)
        else msgspec.json.encode(subject)
    )
