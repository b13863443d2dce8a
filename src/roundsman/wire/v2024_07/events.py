"""Events as receivers and lists show them, and their frozen payloads."""

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import ClassVar

import msgspec
from msgspec.structs import replace

from roundsman.domain.assigned_route import AssignedRoute
from roundsman.domain.driver import Driver
from roundsman.domain.event import Actor, Event, EventSummary, RenderedEvent, Subject
from roundsman.domain.imported_stop import ImportedStop
from roundsman.domain.model import UNSET, Model, UnsetType
from roundsman.domain.plan import Plan
from roundsman.domain.topics import MEANINGS, Topic
from roundsman.domain.webhook_subscription import PayloadForm
from roundsman.wire.v2024_07.routes import RouteAnswer, encode_route

API_VERSION = "V2024_07"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_LONGEST_EMAIL = 254


class EventBody(Model):
    """One event (specification, Events, Body)."""

    described_as: ClassVar[str] = "WebhookEvent"

    event_id: str
    """The same for every attempt and every subscription: what was seen before is a repetition."""

    topic: Topic
    """What happened."""

    event_timestamp: datetime
    """When. Order the events of one object by it: they may arrive in another order."""

    api_version: str = API_VERSION
    """The version of the interface that the payload has."""

    organization: str
    """Whose it is."""

    object_id: str
    """What it happened to: the id of the route, stop, imported stop and so on."""

    user: Actor
    """Who did it, as far as is known."""

    payload: msgspec.Raw | UnsetType = UNSET
    """The object as it was right after; less of it where the subscription asks for THIN."""


class EventsAnswer(Model):
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


class RouteEvent(EventBody):
    """An event of a route, or of a stop on it."""

    payload: RouteAnswer | UnsetType = UNSET  # type: ignore[assignment]  # described, never made


class DriverEvent(EventBody):
    """An event of a driver."""

    payload: Driver | UnsetType = UNSET  # type: ignore[assignment]  # described, never made


class ImportedStopEvent(EventBody):
    """An event of a stop of the pool."""

    payload: ImportedStop | UnsetType = UNSET  # type: ignore[assignment]  # described, never made


class PlanEvent(EventBody):
    """An event of a plan."""

    payload: Plan | UnsetType = UNSET  # type: ignore[assignment]  # described, never made


_EVENTS_BY_PAYLOAD: Mapping[str, type[EventBody]] = {
    "none": EventBody,
    "Route": RouteEvent,
    "Driver": DriverEvent,
    "ImportedStop": ImportedStopEvent,
    "Plan": PlanEvent,
}
EVENTS_BY_TOPIC: Mapping[str, type[EventBody]] = {
    topic.value: _EVENTS_BY_PAYLOAD[payload] for topic, (_, payload) in MEANINGS.items()
}
"""What a webhook of each topic holds, in full; a thin one has a ThinPayload."""


class ThinPayload(Model):
    """What a thin event says of its object (decisions §22, "THIN payload")."""

    id: str
    route_id: str | UnsetType = UNSET
    version: int
    status: str
    topic: Topic


def encode_event(rendered: RenderedEvent, form: PayloadForm) -> bytes:
    """Return an event's body as it is sent, made from nothing but what is stored of it."""
    event = rendered.event
    if form is PayloadForm.FULL or rendered.payload is None:
        return msgspec.json.encode(show_event(event, rendered.payload))
    payload = msgspec.json.encode(_thin_payload(event, rendered.payload))
    return msgspec.json.encode(show_event(_without_details(event), payload))


def _thin_payload(event: Event, payload: bytes) -> ThinPayload:
    summary = event.summary or _summarize_payload(event, payload)
    return ThinPayload(
        id=event.object_id,
        route_id=summary.route_id,
        version=summary.version if _is_of_route(event) else _micros(event.timestamp),
        status=summary.status,
        topic=event.topic,
    )


def _is_of_route(event: Event) -> bool:
    """Say whether the object counts versions; those of others are the moments of their changes."""
    return event.topic.startswith(("ROUTE_", "STOP_"))


class _Identified(msgspec.Struct):
    id: str


def _summarize_payload(event: Event, payload: bytes) -> EventSummary:
    """Return what is known of an event that a version before this one recorded."""
    shown = msgspec.json.decode(payload, type=_Identified)
    return EventSummary(route_id=UNSET if shown.id == event.object_id else shown.id)


def _without_details(event: Event) -> Event:
    """Leave out of `user` what may be long: its address and its program."""
    actor = replace(event.actor, ip_address=UNSET, user_agent=UNSET)
    if actor.email:
        actor = replace(actor, email=actor.email[:_LONGEST_EMAIL])
    return replace(event, actor=actor)


def _micros(instant: datetime) -> int:
    return (instant - _EPOCH) // _MICROSECOND


def encode_payload(subject: Subject) -> bytes:
    """Return the object an event shows, as a read of it would answer."""
    return (
        encode_route(subject)
        if isinstance(subject, AssignedRoute)
        else msgspec.json.encode(subject)
    )
