"""Events as receivers and lists show them, and their frozen payloads."""

from datetime import datetime

import msgspec

from roundsman.domain.events import Actor, Event, Subject
from roundsman.domain.noun import UNSET, Noun, UnsetType
from roundsman.domain.route import AssignedRoute
from roundsman.domain.topics import Topic
from roundsman.wire.v2024_07.routes import encode_route

API_VERSION = "V2024_07"


class EventBody(Noun):
    """One event (specification, Events, Body)."""

    event_id: str
    topic: Topic
    event_timestamp: datetime
    api_version: str = API_VERSION
    organization: str
    object_id: str
    user: Actor
    payload: msgspec.Raw | UnsetType = UNSET


class EventsAnswer(Noun):
    """A page of events, oldest first."""

    events: tuple[EventBody, ...] = ()
    next_cursor: str = ""


def show_event(event: Event, payload: bytes | None) -> EventBody:
    """Return an event in the interface's shape, its payload byte for byte as it was stored."""
    return EventBody(
        event_id=event.id,
        topic=event.topic,
        event_timestamp=event.timestamp,
        organization=event.organization_id,
        object_id=event.object_id,
        user=event.actor,
        payload=UNSET if payload is None else msgspec.Raw(payload),
    )


def encode_payload(subject: Subject) -> bytes:
    """Return the object an event shows, as a read of it would answer."""
    return (
        encode_route(subject)
        if isinstance(subject, AssignedRoute)
        else msgspec.json.encode(subject)
    )
